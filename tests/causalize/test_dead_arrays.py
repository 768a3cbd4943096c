"""Arrays that nothing needs: out with the equation that defines them, and nothing else."""

from dataclasses import replace

import pytest

from acausal.causalize.arrays.dead_arrays import prune_arrays
from acausal.causalize.arrays.output_names import named_outputs
from acausal.causalize.arrays.scalarize import scalarize
from acausal.ir.expr import Shape
from acausal.ir.flat import Attributes, FlatModel, RunCondition
from acausal.ir.names import show_name
from acausal.ir.show.expressions import show_equation
from tests.causalize.test_scalarize import ORIGIN, flat_of

SHAPES: dict[str, Shape] = {**dict.fromkeys("abcdf", (2,)), "x": (), "y": ()}
TEXT = "x = time;;a = [x, 2*x];;b = 2*a;;f = b + der(b);;y = a*a"


def left(flat: FlatModel) -> list[str]:
    return [show_equation(e) for e in flat.equations]


def pruned(outputs: list[str], text: str) -> list[str]:
    return left(prune_arrays(flat_of(text, SHAPES)[0], outputs))


def test_variables_go_with_their_equations() -> None:
    flat = prune_arrays(flat_of(TEXT, SHAPES)[0], ["y"])
    assert left(flat) == ["x = time", "a = [x, 2*x]", "y = a*a"]
    assert "".join(show_name(v.symbol.name) for v in flat.variables) == "acdxy"


@pytest.mark.parametrize(
    ("outputs", "kept"),
    [
        (["f"], ["x = time", "a = [x, 2*x]", "b = 2*a", "f = b + der(b)", "y = a*a"]),
        (["f[2]"], ["x = time", "a = [x, 2*x]", "b = 2*a", "f = b + der(b)", "y = a*a"]),
        (["b[1]", "x"], ["x = time", "a = [x, 2*x]", "b = 2*a", "y = a*a"]),
    ],
)
def test_outputs_stay(outputs: list[str], kept: list[str]) -> None:
    assert pruned(outputs, TEXT) == kept


def test_an_array_that_an_equation_does_not_give_alone_stays() -> None:
    """Not given alone: in a sum of two, on both sides, as elements."""
    text = "x = time;;a + b = [x, 1];;d = a - d;;c[1] = x;;c[2] = y;;y = x"
    assert len(pruned(["y"], text)) == 6


def test_conditions_known_values_and_start_values_keep_an_array() -> None:
    flat, scope = flat_of("x = time;;a = [x, x];;b = a;;c = b;;d = [1, x]", SHAPES)
    assert len(left(prune_arrays(flat, ["x"]))) == 1
    condition = RunCondition("assert", flat.pool.call(">", scope("b[1]"), flat.pool.zero), "b", ORIGIN)
    assert left(prune_arrays(replace(flat, conditions=(condition,)), ["x"]))[1:] == ["a = [x, x]", "b = a"]
    assert left(prune_arrays(replace(flat, known=(("d", 2),)), ["x"]))[1:] == ["d = [1, x]"]
    started = tuple(
        replace(v, attributes=Attributes(start=scope("[1, 2]"), fixed=True)) if v.symbol.name == ("c",) else v
        for v in flat.variables
    )
    assert left(prune_arrays(replace(flat, variables=started), ["x"]))[1:] == ["a = [x, x]", "b = a", "c = b"]


def test_two_arrays_of_one_equation_stay() -> None:
    """One of them has no equation: that is for structural analysis to say."""
    assert pruned(["x"], "x = time;;c = d;;a = 2*b + x*f;;f = a") == ["x = time", "c = d", "a = 2*b + x*f", "f = a"]


def test_an_unknown_output_wants_all() -> None:
    """So that its message can name what there is."""
    flat = flat_of(TEXT, SHAPES)[0]
    assert named_outputs(flat, ["x", "f[2]", "a"]) == ("x", "f[2]", "a")
    assert named_outputs(flat, ["x", "typo"]) == ()


def test_only_wanted_arrays_are_aliases() -> None:
    flat = flat_of("x = time;;a = [x, 2*x];;b = a;;c + a = zeros(2);;y = b*c", SHAPES)[0]
    assert {a.variable.symbol.name[0] for a in scalarize(flat).aliases} == {"b", "c"}
    assert {a.variable.symbol.name for a in scalarize(flat, outputs=["c[2]", "y"]).aliases} == {("c", 1), ("c", 2)}
