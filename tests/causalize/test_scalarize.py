"""Arrays as scalars: values against NumPy, structural zeros, folding, names and attributes."""

from dataclasses import replace

import numpy as np
import pytest

from acausal.base.source import SourceFile, Span
from acausal.causalize.arrays.scalarize import scalarize
from acausal.elaborate.expressions.expressions import equation
from acausal.elaborate.values.evaluate import evaluate
from acausal.ir.dae import Dae
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr, Shape
from acausal.ir.flat import Attributes, Equation, FlatModel, Parameter, Variable
from acausal.ir.names import show_name
from acausal.ir.origin import How, Origin
from acausal.ir.show.expressions import show_equation
from acausal.ir.walk import postorder
from tests.elaborate.random_arrays import SHAPES, Sampler
from tests.elaborate.scope import TextScope, written

SPAN = Span(SourceFile("t", " "), 0, 1)
ORIGIN = Origin(SPAN, ("m",))


def flat_of(
    text: str,
    shapes: dict[str, Shape],
    values: dict[str, object] | None = None,
    **flags: bool,
) -> tuple[FlatModel, TextScope]:
    """A flat model of equations `a = b; c = d`; all names in `shapes` are variables, those in `values` parameters."""
    scope = TextScope(shapes, values or {})  # type: ignore[arg-type]
    pool = scope.pool
    equations = []
    for line in filter(str.strip, text.split(";;")):
        left, right = line.split(" = ")
        equations.append(Equation(*equation(written(left), written(right), scope), ORIGIN))
    parameters = []
    for name, value in (values or {}).items():
        binding = scope(str(list(value)) if isinstance(value, tuple) else str(value))
        parameters.append(Parameter(scope.names[name], binding, value, "real", ORIGIN, **flags))  # type: ignore[arg-type]
    variables = tuple(
        Variable(scope.names[n], "input" if n.startswith("input") else "local", "real", ORIGIN) for n in shapes
    )
    return FlatModel("m", pool, tuple(parameters), variables, tuple(equations), (), (), (), Experiment()), scope


def lines(dae: Dae) -> list[str]:
    return [show_equation(e) for e in dae.equations]


def residuals(dae: Dae, values: dict[str, float]) -> list[float]:
    """left - right of every equation; leaves by their names as text."""
    at = {leaf: values[show_name(leaf.name)] for e in dae.equations for leaf in leaves(e)}
    return [float(evaluate(e.left, at, SPAN)) - float(evaluate(e.right, at, SPAN)) for e in dae.equations]  # type: ignore[arg-type]


def leaves(equation: Equation) -> list[Expr]:
    return [n for n in postorder((equation.left, equation.right)) if n.op in ("variable", "parameter")]


@pytest.mark.parametrize("seed", range(150))
def test_elements_agree_with_numpy(seed: int) -> None:
    sampler = Sampler(seed)
    shape = SHAPES[seed % len(SHAPES)]
    text, expected = sampler.draw(shape, 4)
    shapes = {name: x.shape for name, x in sampler.values.items()} | {"r": shape}
    flat, _ = flat_of(f"r = {text}", shapes)
    own = Attributes(nominal=flat.pool.one)  # so that r stays even where it only is another array
    dae = scalarize(replace(flat, variables=tuple(replace(v, attributes=own) for v in flat.variables)))
    symmetric = bool(dae.aliases)  # then the lower triangle is all there is
    if symmetric:
        np.testing.assert_allclose(expected, expected.T, rtol=1e-9)
        expected = expected[np.tril_indices(len(expected))]
    assert len(dae.equations) == expected.size
    assert not any(n.shape for e in dae.equations for n in postorder((e.left, e.right)))
    values = {
        show_name((name, *(i + 1 for i in at))): float(x)
        for name, a in sampler.values.items()
        for at, x in np.ndenumerate(a)
    }
    values |= {show_name(("r", *(i + 1 for i in at))): 0.0 for at in np.ndindex(shape)}
    assert residuals(dae, values) == pytest.approx(list(-expected.ravel()), rel=1e-9, abs=1e-9)


def test_names_origins_and_attributes_of_elements() -> None:
    flat, scope = flat_of("x = inputs;;q = 2", {"x": (2,), "inputs": (2,), "q": (1,)})
    x, *others = flat.variables
    attributes = Attributes(start=scope("[3, 4]"), nominal=flat.pool.const(10), fixed=True, unit="m")
    dae = scalarize(replace(flat, variables=(replace(x, attributes=attributes), *others)))
    assert [show_name(v.symbol.name) for v in dae.variables] == ["x[1]", "x[2]", "q[1]"]
    assert [show_name(v.symbol.name) for v in dae.inputs] == ["inputs[1]", "inputs[2]"]
    assert [repr(v.attributes.start) for v in dae.variables] == ["3", "4", "None"]
    assert [repr(v.attributes.nominal) for v in dae.variables[:2]] == ["10", "10"]
    assert dae.variables[0].attributes.fixed
    assert dae.equations[0].origin == ORIGIN.become(How.ELEMENT)
    assert lines(dae) == ["x[1] = inputs[1]", "x[2] = inputs[2]", "q[1] = 2"]


def test_constant_elements_are_known_before_products_are_made() -> None:
    """The order of the text is against the flow: the product comes first."""
    flat, _ = flat_of(
        "T2 = T1*R;;T1 = T0;;T0 = identity(2);;R = [cos(q), -sin(q); sin(q), cos(q)];;q = time",
        {"T0": (2, 2), "T1": (2, 2), "T2": (2, 2), "R": (2, 2), "q": ()},
    )
    assert lines(scalarize(flat))[:4] == [
        "T2[1,1] = R[1,1]",
        "T2[1,2] = R[1,2]",
        "T2[2,1] = R[2,1]",
        "T2[2,2] = R[2,2]",
    ]
    size = len(flat.pool)
    assert not any("T1[1,1]*" in repr(e) for e in map(show_equation, scalarize(flat).equations))
    assert len(flat.pool) == size


def test_elements_defined_one_by_one_and_in_sums() -> None:
    flat, _ = flat_of(
        "y = f*M;;M[1,1] = 0;;M[2,:] = [0, 1];;M[1,2] = 0;;f + g = zeros(2);;g[1] = 5;;g[2] = x",
        {"y": (2,), "M": (2, 2), "f": (2,), "g": (2,), "x": ()},
    )
    assert lines(scalarize(flat))[:2] == ["y[1] = 0", "y[2] = f[2]"]


def test_circles_are_broken_and_stay_right() -> None:
    flat, _ = flat_of("a = A*b;;b = A*a + [1, 0];;A = [0, 1; 0, 0]", {"a": (2,), "b": (2,), "A": (2, 2)})
    assert lines(scalarize(flat))[:4] == ["a[1] = 0", "a[2] = 0", "b[1] = a[2] + 1", "b[2] = 0"]


def test_derivatives_of_arrays() -> None:
    flat, _ = flat_of(
        "v = der(r);;a = der(r, 2);;e = der(v*v);;C = der(outer(c, r));;c = [0, 1]",
        {"r": (2,), "v": (2,), "a": (2,), "e": (), "C": (2, 2), "c": (2,)},
    )
    assert lines(scalarize(flat))[:9] == [
        "v[1] = der(r[1])",
        "v[2] = der(r[2])",
        "a[1] = der(r[1], 2)",
        "a[2] = der(r[2], 2)",
        "e = 2*v[1]*der(v[1]) + 2*v[2]*der(v[2])",
        "C[1,1] = 0",
        "C[1,2] = 0",
        "C[2,1] = der(r[1])",
        "C[2,2] = der(r[2])",
    ]


def test_inverse_is_a_linear_system() -> None:
    sampler = np.random.default_rng(3)
    a, b = sampler.uniform(1, 2, (3, 3)) + np.eye(3), sampler.uniform(1, 2, 3)
    flat, _ = flat_of("x = inverse(A)*b;;y = b*inverse(A)", {"x": (3,), "y": (3,), "A": (3, 3), "b": (3,)})
    dae = scalarize(flat)
    x, y = np.linalg.solve(a, b), np.linalg.solve(a.T, b)
    values = {show_name(("A", i + 1, j + 1)): v for (i, j), v in np.ndenumerate(a)}
    for i in range(3):
        values |= {f"x[{i + 1}]": x[i], f"y[{i + 1}]": y[i], f"b[{i + 1}]": b[i]}
        values |= {f"m.inverse$1[{i + 1}]": x[i], f"m.inverse$4[{i + 1}]": y[i]}
    assert len(dae.equations) == 12
    assert len(dae.variables) == 3 + 3 + 9 + 3 + 6
    assert residuals(dae, values) == pytest.approx([0] * 12, abs=1e-12)


def test_inverse_of_numbers_is_numbers() -> None:
    flat, _ = flat_of("x = inverse([2, 1; 1, 1])*b", {"x": (2,), "b": (2,)})
    assert lines(scalarize(flat)) == ["x[1] = b[1] - b[2]", "x[2] = -(b[1] - 2*b[2])"]


# -------------------------------------------------------------------- folding


def test_zeros_and_ones_are_folded_and_listed() -> None:
    values = {"a": 0.0, "b": 1.0, "c": -1.0, "d": 2.0, "n": (0.0, 3.0, 1.0)}
    flat, _ = flat_of("x = a*y + b*y + c*d*time + n*[y, y, y]", {"x": (), "y": ()}, values)
    dae = scalarize(flat)
    y, d, n2 = 2.0, 2.0, 3.0
    assert [repr(leaf) for leaf in dae.folded] == ["a", "b", "c", "n[1]", "n[3]"]
    assert {repr(leaf) for e in dae.equations for leaf in leaves(e)} == {"x", "y", "d", "n[2]"}
    assert [show_name(p.symbol.name) for p in dae.parameters] == ["a", "b", "c", "d", "n[1]", "n[2]", "n[3]"]
    assert [p.value for p in dae.parameters][-3:] == [0.0, 3.0, 1.0]
    by_hand = y - d * 0.5 + n2 * y + y
    found = dae.equations[0].right
    pool = flat.pool
    at = {pool.variable(("y",)): y, pool.parameter(("d",)): d, pool.parameter(("n", 2)): n2, pool.time: 0.5}
    assert evaluate(found, at, SPAN) == pytest.approx(by_hand)


def test_tunable_parameters_and_what_depends_on_them_stay() -> None:
    flat, scope = flat_of("x = a*b*c*time", {"x": ()}, {"a": 1.0, "b": 1.0, "c": 0.5})
    a, b, c = flat.parameters
    bound = (
        Parameter(a.symbol, a.binding, 1.0, "real", ORIGIN, tunable=True),
        Parameter(b.symbol, scope("a"), 1.0, "real", ORIGIN),
        c,
    )
    dae = scalarize(replace(flat, parameters=bound))
    assert dae.folded == ()
    assert lines(dae)[0].count("*") == 3


def test_what_a_folded_parameter_depends_on_is_free_to_change() -> None:
    """A run computes b from a, and compares b alone."""
    flat, scope = flat_of("x = b*time", {"x": ()}, {"a": 0.5, "b": 1.0})
    a, b = flat.parameters
    dae = scalarize(replace(flat, parameters=(a, Parameter(b.symbol, scope("2*a"), 1.0, "real", ORIGIN))))
    assert [repr(p) for p in dae.folded] == ["b"]
    assert lines(dae) == ["x = time"]


def test_only_structural_parameters_where_folding_is_forbidden() -> None:
    flat, _ = flat_of("x = a*b", {"x": ()}, {"a": 1.0, "b": 7.0}, structural=True)
    assert lines(scalarize(flat, foldable=False)) == ["x = 7"]
    flat, _ = flat_of("x = a*b", {"x": ()}, {"a": 1.0, "b": 7.0})
    assert lines(scalarize(flat, foldable=False)) == ["x = a*b"]


def test_scalar_models_are_taken_as_they_are() -> None:
    flat, _ = flat_of("x = a*y;;y = sin(time)", {"x": (), "y": ()}, {"a": 2.0})
    dae = scalarize(flat)
    assert all(a is b for a, b in zip(dae.equations, flat.equations, strict=True))
    assert all(a is b for a, b in zip(dae.variables, flat.variables, strict=True))


def test_array_parameters_with_inverse_keep_their_value() -> None:
    scope = TextScope({"x": (2,), "y": (2,)}, {"k": 2.0})
    pool = scope.pool
    matrix = pool.parameter(("P",), (2, 2))
    flat = FlatModel(
        "m",
        pool,
        (
            Parameter(scope.names["k"], pool.const(2), 2.0, "real", ORIGIN),
            Parameter(matrix, scope("inverse([k, 0; 0, 4])"), (0.5, 0.0, 0.0, 0.25), "real", ORIGIN),
        ),
        tuple(Variable(scope.names[n], "local", "real", ORIGIN) for n in "xy"),
        (Equation(scope.names["x"], pool.node("matmul", (matrix, scope.names["y"]), None, (2,)), ORIGIN),),
        (),
        (),
        (),
        Experiment(),
    )
    dae = scalarize(flat)
    assert lines(dae) == ["x[1] = P[1,1]*y[1]", "x[2] = P[2,2]*y[2]"]
    assert pool.parameter(("k",)) in dae.folded
    assert [repr(p.binding) for p in dae.parameters] == ["2", "0.5", "0", "0", "0.25"]
