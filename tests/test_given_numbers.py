"""Values with units that are given from outside of a model: in Python, sweeps, cells of notebooks, flags."""

from collections.abc import Callable
from math import pi
from pathlib import Path

import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.given_number import given_number
from acausal.notebook.cell import translate_cell
from acausal.units.near_units import near_unit

TEXT = """model Falling
  parameter R (unit="Ohm") = 1, angle (unit="deg") = 0, T (unit="K") = 300, plain = 1
  parameter offset
  local x (unit="m", start=1, fixed=true), power (unit="W")
  der(x) = -x*plain/(1 + R*0)
  power = R*2
  local y (unit="V") = offset
  experiment (stop=2)
end
"""


@pytest.fixture(scope="module")
def model() -> acausal.Translation:
    return acausal.translate(TEXT.replace("power = R*2", "power = R*2*a^2").replace(
        "local x", 'parameter a (unit="A") = 1\n  local x'), parameters={"offset": "2 mV"}, cache=False)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("R", "4.7 kOhm", 4700.0),
        ("R", "4.7k", 4700.0),
        ("R", "12", 12.0),
        ("angle", "0.5 rev", 180.0),
        ("angle", "-0.25 rad", -0.25 * 180 / pi),
        ("T", "25 degC", 298.15),
        ("offset", "5 mV", 0.005),
    ],
)
def test_texts_are_in_the_unit_of_the_parameter(model: acausal.Translation, name: str, text: str, value: float) -> None:
    """That of its declaration, or the one that the equations determine."""
    for found in (model.simulate(stop=0.01, parameters={name: text}), model.sweep({name: [text]}, stop=0.01).runs[0]):
        assert found[name][0] == pytest.approx(value, rel=1e-15)


def test_translation_with_texts(model: acausal.Translation) -> None:
    result = model.simulate(stop=0.01)
    assert (result["offset"][0], result["y"][0]) == (0.002, 0.002)


def test_ranges_with_units(model: acausal.Translation) -> None:
    """Steps are even in the unit of the parameter, also where its scale has another zero."""
    found = model.sweep({"R": "1 kOhm:3k:3,5", "T": "0 degC, 10 degC"}, final=["power"], stop=0.01)
    assert found.table["R"].tolist() == [1000, 1000, 2000, 2000, 3000, 3000, 5, 5]
    assert found.table["T"][:2] == pytest.approx([273.15, 283.15])
    assert found.table["final(power)"][2] == pytest.approx(4000)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("R", "4.7 mH", "U005"),
        ("offset", "5 mA", "5 mA cannot be converted to V"),
        ("R", "4.7 kOm", "did you mean 4.7 kOhm?"),
        ("R", "much", "'4.7 kOhm' with a unit"),
        ("R", "1 second", "did you mean"),
    ],
)
def test_texts_that_do_not_fit(model: acausal.Translation, name: str, text: str, message: str) -> None:
    tries: list[Callable[[], object]] = [
        lambda: model.simulate(parameters={name: text}),
        lambda: model.sweep({name: [text]}),
    ]
    for attempt in tries:
        with pytest.raises(UsageError) as caught:
            attempt()
        assert message in str(caught.value)


def test_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    name, translation = translate_cell("--set R=4.7kOhm --set offset=3", TEXT)
    assert name == "Falling"
    assert translation.simulate(stop=0.01)["R"][0] == 4700
    with pytest.raises(UsageError, match=r"did you mean 4\.7kOhm"):
        translate_cell("--set R=4.7kOm", TEXT)


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        *(("msec", "ms"), ("microF", "uF"), ("kOm", "kOhm"), ("khz", "kHz"), ("mv", "mV"), ("Nm", "N*m")),
        *(("Newton", "N"), ("Amps", "A"), ("degrees", "deg"), ("millimeter", "mm"), ("xyzzy", None)),
    ],
)
def test_units_that_may_be_meant(word: str, unit: str | None) -> None:
    assert near_unit(word) == unit


def test_numbers_and_truth_values() -> None:
    assert [given_number(x) for x in ("2.5", "true", " false ", "1k", "nan", "x", "2 m + 1 m", "")] == [
        *(2.5, True, False, 1000.0, None, None, None, None)
    ]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["translate", "m.mdl", "--show", "graf"], "unknown graf: did you mean graph?"),
        (["editor", "vi"], "unknown vi: write vscode, textmate, tree-sitter."),
        (["simulate", "m.mdl", "--stop", "10mss"], "10mss is not a number: did you mean 10ms?"),
        (["simulate", "m.mdl", "--stop", "5V"], "5V cannot be converted to s, the unit of --stop."),
        (["simulate", "m.mdl", "--tolerance", "1 ms"], "1 ms: a number without unit is required."),
        (["simulate", "m.mdl", "--set", "R=1kOm"], "did you mean 1kOhm?"),
    ],
)
def test_flags_that_do_not_fit(flags: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(flags) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_times_of_a_run_with_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(TEXT, encoding="utf-8")
    assert main(["simulate", str(path), "--set", "offset=1", "--stop", "20ms", "--interval", "10 ms"]) == 0
    assert "0 to 0.02 s, 3 rows" in capsys.readouterr().err
