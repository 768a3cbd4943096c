"""A result as a mapping, arguments of wrong types, and pictures for notebooks."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import acausal
from acausal.ir.names import Name, show_derivative
from acausal.ir.program.slots import VariableSlot
from acausal.pipeline import translate
from acausal.results.drawing.figure import Plot
from acausal.results.formats.columns import ParameterColumns, VariableColumns
from tests.collection import ROOT
from tests.results.made import made

RC = ROOT / "examples" / "rc.mdl"


def test_result_is_a_mapping() -> None:
    r = made()
    assert isinstance(r, Mapping)
    assert list(r) == ["time", *r.names]
    assert len(r) == len(list(r)) == 7
    whole = dict(r)
    assert list(whole) == list(r)
    assert all(np.array_equal(whole[name], r[name]) for name in r)
    assert np.array_equal(r.get("x"), r["x"])
    assert r.get("nothing") is None
    assert [name for name, _ in r.items()] == list(r)
    assert r == r
    assert r != made()
    assert hash(r)


def test_public_names() -> None:
    assert acausal.__version__.count(".") == 2
    for name in acausal.__all__:
        assert getattr(acausal, name) is not None
    assert issubclass(acausal.RunError, acausal.SimulationError)


def test_text_of_an_error_is_that_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from acausal.cli import main

    path = tmp_path / "m.mdl"
    path.write_text("model M\n  local x\n  x = 1\n  x = 2\nend\n")
    with pytest.raises(acausal.ModelError) as caught:
        acausal.translate(path)
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().err == f"{caught.value}\n"
    assert "-->" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: acausal.translate(5), "file must be a file path, not an int"),
        (lambda: acausal.translate(None), "file must be a file path, not None"),
        (lambda: acausal.translate(RC, model=3), "model must be a string, not an int"),
        (lambda: acausal.translate(RC, outputs=5), "outputs must be a list of names, not an int"),
        (lambda: acausal.translate(RC, outputs=["C.u", 3]), "outputs must be a list of names, not an int"),
        (
            lambda: acausal.translate(RC, parameters=[1.0]),
            "parameters must be a mapping from names to values, not a list",
        ),
        (lambda: acausal.translate(RC, parameters={1: 2.0}), "a name in parameters must be a string, not an int"),
        (lambda: acausal.translate(RC, path=3), "path must be a list of folders, not an int"),
        (lambda: acausal.translate(RC, limits=3), "limits must be an acausal.base.options.Limits, not an int"),
        (lambda: acausal.check(b"rc.mdl"), "file must be a file path, not a bytes"),
        (lambda: acausal.read(["r.csv"]), "path must be a file path, not a list"),
        (lambda: rc().simulate(stop="2"), "stop must be a number, not a str"),
        (lambda: rc().simulate(tolerance=1j), "tolerance must be a number, not a complex"),
        (lambda: rc().simulate(interval=True), "interval must be a number, not a bool"),
        (lambda: rc().simulate(stop=10**400), "stop is too large"),
        (lambda: rc().simulate(solver=5), "solver must be a string, not an int"),
        (lambda: rc().simulate(parameters="R.R=5"), "parameters must be a mapping from names to values, not a str"),
        (lambda: rc().simulate(inputs=3), "inputs must be a mapping from names to values, not an int"),
        (lambda: rc().sweep([1, 2]), "parameters must be a mapping from names to values, not a list"),
        (lambda: rc().sweep({"R.R": "1,2"}, final=7), "final must be a list of names, not an int"),
        (lambda: made().write(7), "path must be a file path, not an int"),
        (lambda: made().write("r.csv", 7), "names must be a list of names, not an int"),
        (lambda: made().plot("x", figure=7), "figure must be a file path, not an int"),
        (lambda: made().plot(7), "names must be a list of names, not an int"),
        (lambda: made().plot(["x", 7]), "names must be a list of names, not an int"),
        (lambda: made().at("x"), "t must be a number, not a str"),
        (lambda: made().at(None), "t must be a number, not None"),
        (lambda: made()[3], "a variable must be addressed by its name, not an int"),
        (lambda: made()["x", "a.y"], "a variable must be addressed by its name, not a tuple"),
    ],
)
def test_arguments_of_wrong_types(call: Callable[[], object], words: str) -> None:
    with pytest.raises(acausal.UsageError) as caught:
        call()
    told = caught.value.report.diagnostics[0]
    assert (told.code, told.message) == ("F006", words)


def rc() -> acausal.Translation:
    return acausal.translate(RC)


def test_numbers_of_numpy_and_single_names_are_fine(tmp_path: Path) -> None:
    r = acausal.translate(str(RC), outputs="C.u").simulate(stop=np.float32(0.001), tolerance=np.float64(1e-5))
    assert r.names == ("C.u",)
    assert r.at(np.float64(0.0005))["C.u"] > 0
    r.write(str(tmp_path / "r.csv"), "C.*")
    assert acausal.read(tmp_path / "r.csv").names == ("C.u",)


def test_plots_are_pictures_in_notebooks() -> None:
    """IPython shows an object by `_repr_png_` unless a formatter is registered for its class."""
    figure = made().plot("x", "g")
    assert isinstance(figure, Plot)
    picture = figure._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 3000
    listed = made().plot(["x", "g"])
    assert isinstance(listed, Plot)
    assert listed._repr_png_() == picture


@pytest.mark.parametrize("model", ["dc_motor", "double_pendulum", "robot_brakes", "pendulum"])
def test_a_name_is_found_as_in_the_list_of_all(model: str) -> None:
    program = translate(ROOT / "examples" / f"{model}.mdl").program
    p = np.arange(program.parameter_size, dtype=float)
    for kind in (VariableColumns, ParameterColumns):
        every = kind(program, p)
        listed = {name: every[name] for name in every}
        alone = kind(program, p)
        assert {name: alone[name] for name in reversed(listed)} == listed
        assert len(listed) == (len(program.variable_slots) if kind is VariableColumns else len(program.parameter_slots))


def test_one_name_is_found_without_the_names_of_other_instances() -> None:
    program = translate(ROOT / "examples" / "double_pendulum.mdl").program
    rendered = []

    def show(name: Name, order: int) -> str:
        rendered.append(name)
        return show_derivative(name, order)

    with patch("acausal.results.formats.columns.show_derivative", show):
        columns = VariableColumns(program, np.zeros(program.parameter_size))
        assert columns["j1.q"].unit == "rad"
        assert "der(j1.q, 2)" in columns
        assert "j1.nothing" not in columns
    assert {name[0] for name in rendered} == {"j1"}


def test_names_with_unusual_characters_are_found() -> None:
    program = translate(ROOT / "examples" / "pendulum.mdl").program
    odd: list[Name] = [("a b", "x"), ("der(x", 1), ("[", "."), (")",), ("a",), ("a", "b"), ("der",), ("delay(x)",)]
    symbols = [(name, order) for name in odd for order in (0, 1, 2)]
    slots = tuple([VariableSlot(s, "constant", value=float(i)) for i, s in enumerate(symbols)])
    columns = VariableColumns(replace(program, variable_slots=slots), np.zeros(program.parameter_size))
    for i, symbol in enumerate(symbols):
        assert columns[show_derivative(*symbol)].value == i
    with pytest.raises(KeyError):
        columns["c"]
