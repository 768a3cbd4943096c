"""Mistakes of a first hour: each message leads to the place in the user's own text."""

import pickle
from pathlib import Path

import pytest

import acausal
from acausal.base.diagnostics import ModelError
from acausal.cli import main

CRANE = """@mbsdir.lib

model Crane
  submodel (Inertial) i(ng3=-1)
  submodel (Prismatic) trolley(n1=1)
  submodel (Revolute) pivot(n2=1)
  submodel (Body) cart(m=100), load(m=50, r3=-3)
  connect i - trolley - pivot, cart at trolley, load at pivot
end
"""
FILTER = """@electrical.lib

model Filter
  submodel (source) U(V=1)
  submodel (resistor) R(R=1)
  submodel (capacitor) C(C=1) (ic u=0)
  submodel (ground) G
  connect G - U - R - C - G
  local y
  y = C.Va*time
end
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong", "code", "place", "hint"),
    [
        (CRANE, "load(m=50, r3=-3)", "load", "T010", "pivot", "a mass, an inertia, an axis"),
        (CRANE, ", load at pivot", "", "T010", "pivot", "or in what is connected to it"),
        (FILTER, "(ic u=0)", "(ic q=0)", "N002", "q=0", "its variables are Va, Vb, i, u"),
        (FILTER, "(ic u=0)", "(u=0)", "P001", "u", "(ic variable=value)"),
        (FILTER, "submodel (ground)", "submodule (ground)", "P024", "submodule", "did you mean `submodel`?"),
        (FILTER, "end", "endmodel", "P024", "endmodel", "did you mean `end`?"),
        (FILTER, "C.Va*time", "C.Va*tim", "N002", "tim", "did you mean time?"),
        (FILTER, "C.Va*time", "C.Va*ppi", "N002", "ppi", "did you mean pi?"),
        (FILTER, "C=1)", "C=1 microF)", "P015", "microF", "did you mean uF?"),
    ],
)
def test_mistakes(text: str, right: str, wrong: str, code: str, place: str, hint: str) -> None:
    assert text.count(right) == 1
    with pytest.raises(ModelError) as caught:
        acausal.translate(text.replace(right, wrong), cache=False)
    (found,) = caught.value.report.errors
    assert found.code == code
    assert found.primary is not None
    assert found.primary.span.text.startswith(place)
    assert found.primary.span.file.name == "<text>"
    assert hint in (found.help or "")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


@pytest.fixture(scope="module")
def model() -> acausal.Translation:
    return acausal.translate(FILTER, cache=False)


def test_unknown_names_in_python(model: acausal.Translation) -> None:
    """A submodel in place of a parameter, a name that no instant has, a report and a comparison at the prompt."""
    with pytest.raises(acausal.UsageError, match=r"R is a submodel: its parameters are R\.R"):
        model.simulate(parameters={"R": 5})
    result = model.simulate()
    assert result.final["C.u"] == result.at(1)["C.u"]
    for values in (result, result.at(0.5), result.final):
        with pytest.raises(KeyError, match="did you mean"):
            values["C.w"]
    assert pickle.loads(pickle.dumps(result.final)) == result.final  # noqa: S301
    assert repr(result.compare(result)) == str(result.compare(result))


def test_drawings_in_notebooks(model: acausal.Translation) -> None:
    drawing = model.graph()
    assert drawing._repr_svg_() == drawing  # type: ignore[attr-defined]
    assert drawing.startswith(("<svg", "<?xml"))


def test_reports_at_the_prompt() -> None:
    report = acausal.translate("model M\n  local x\n  der(x) = 1\nend\n", cache=False).report
    assert repr(report).startswith("<Report: 1 note>\n  note[I010]: ")
    assert repr(acausal.Report()) == "<Report: no errors or warnings>"


def test_set_of_a_submodel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(FILTER, encoding="utf-8")
    assert main(["simulate", str(path), "--set", "R=5"]) == 2
    assert "R is a submodel: its parameters are R.R" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["check", "filtr.mdl"], "did you mean filter.mdl?"),
        (["check", "filter"], "did you mean filter.mdl?"),
        (["check", "other.mdl"], "check the name and the folder"),
        (["list", "capaciter"], "did you mean capacitor?"),
    ],
)
def test_misspelled_names_of_files_and_classes(
    arguments: list[str], hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("filter.mdl").write_text(FILTER, encoding="utf-8")
    assert main(arguments) in (1, 2)
    assert f"= help: {hint}" in capsys.readouterr().err
