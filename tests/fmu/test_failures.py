"""Whatever an FMU does, the host goes on and tells it at the line that names the FMU."""

from pathlib import Path

import pytest

import acausal
from acausal.base.diagnostics import ModelError, SimulationError
from acausal.base.report import Diagnostic
from tests.fmu.archives import archive, binary_place, description


def failure(folder: Path, word: str, fault: int) -> Diagnostic:
    """The diagnostic of a run in which the ball has a fault."""
    text = f'model M\n  submodel ({word} "ball2.fmu") x(fault={fault})\n  x.f = 0\nend'
    t = acausal.translate(folder / "model.mdl", text=text, cache=False)
    with pytest.raises(SimulationError) as error:
        t.simulate(stop=1, interval=0.1)
    (found,) = error.value.report.diagnostics
    return found


@pytest.mark.parametrize(
    ("word", "fault", "message"),
    [
        ("fmu", 1, "signal 6"),
        ("fmu", 2, "did not answer within 0.5 s"),
        ("fmu", 3, "exit code 7"),
        ("fmu", 4, "returned Error"),
        ("fmu_cs", 1, "signal 6"),
        ("fmu_cs", 4, "fmi2DoStep returned Error"),
    ],
)
def test_faults_end_the_run(folder: Path, word: str, fault: int, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACAUSAL_FMU_TIMEOUT", "0.5")
    found = failure(folder, word, fault)
    assert found.code == "R040"
    assert message in found.message
    assert found.message.startswith("the FMU x failed at t = 0.5")
    assert found.primary is not None
    assert found.primary.span.text == f'{word} "ball2.fmu"'


def test_a_changed_file_is_not_run(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "ball2.fmu"
    place.write_bytes((folder / "ball2.fmu").read_bytes())
    text = 'model M\n  submodel (fmu "ball2.fmu") x\n  x.f = 0\nend'
    t = acausal.translate(tmp_path / "model.mdl", text=text, cache=False)
    place.write_bytes(b"other")
    with pytest.raises(ModelError, match="R040"):
        t.simulate(stop=1)


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        ('<ScalarVariable name="my label" valueReference="20"><String/></ScalarVariable>', "a String"),
        ('<ScalarVariable name="my label" valueReference="20"><Real/></ScalarVariable>', "inside the FMU (local)"),
        (
            '<ScalarVariable name="my label" valueReference="20" causality="structuralParameter" variability="fixed">'
            '<Integer start="3"/></ScalarVariable>',
            "a structural parameter of the FMU, which cannot be changed: it remains 3",
        ),
    ],
)
def test_variables_that_the_class_does_not_have(tmp_path: Path, folder: Path, variable: str, hint: str) -> None:
    text = description(2).replace("</ModelVariables>", f"{variable}</ModelVariables>")
    entries = {"modelDescription.xml": text, binary_place(2): (folder / "ball2.so").read_bytes()}
    (tmp_path / "ball.fmu").write_bytes(archive(entries))
    model = 'model M\n  submodel (fmu "ball.fmu") x\n  local y\n  x.f = 0\n  y = x.my_label\nend'
    with pytest.raises(ModelError) as error:
        acausal.translate(tmp_path / "model.mdl", text=model, cache=False)
    (found,) = error.value.report.diagnostics
    assert found.code == "N002"
    assert found.primary is not None and found.primary.span.text == "my_label"
    assert found.help is not None and "'my label' is " in found.help and hint in found.help
