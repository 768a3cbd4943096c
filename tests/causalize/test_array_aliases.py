"""Arrays that are another one as a whole: which, with which sign, and what the equations become."""

from dataclasses import replace

from acausal.causalize.aliases.eliminate_aliases import eliminate_aliases
from acausal.causalize.arrays.array_aliases import merge_arrays
from acausal.causalize.arrays.scalarize import scalarize
from acausal.ir.expr import Shape
from acausal.ir.flat import Attributes, FlatModel
from acausal.ir.names import show_name
from acausal.ir.show.expressions import show_equation, show_expr
from tests.causalize.test_scalarize import flat_of

SHAPES: dict[str, Shape] = dict.fromkeys("abcdx", (2,))


def merged(text: str, shapes: dict[str, Shape] = SHAPES) -> tuple[dict[str, str], list[str]]:
    """By name what an array is, and the equations that are left."""
    found = merge_arrays(flat_of(text, shapes)[0])
    signs = {1: "", -1: "-"}
    aliases = {show_name(a.name): signs[x.sign] + show_name(x.keeper.name) for a, x in found.aliases.items()}
    return aliases, [show_equation(e) for e in found.flat.equations]


def with_attributes(flat: FlatModel, name: str, attributes: Attributes) -> FlatModel:
    return replace(
        flat,
        variables=tuple(replace(v, attributes=attributes) if v.symbol.name == (name,) else v for v in flat.variables),
    )


def test_signs_chain_and_are_substituted() -> None:
    text = "b = a;;b + c = zeros(2);;-c = d;;x = 2*d + der(c)"
    aliases, left = merged(text)
    assert aliases == {"b": "a", "c": "-a", "d": "a"}
    assert left == ["x = 2*d + der(c)"]
    found = [show_equation(e) for e in scalarize(flat_of(text, SHAPES)[0]).equations]
    assert found == ["x[1] = 2*a[1] - der(a[1])", "x[2] = 2*a[2] - der(a[2])"]


def test_what_elements_become_known_by_one_name_is_known_by_all() -> None:
    dae = scalarize(flat_of("b = a;;c = -b;;b[1] = 0;;c[2] = a[1];;x = outer(a, b)*c", SHAPES)[0])
    found = [show_equation(e) for e in dae.equations]
    assert found == ["a[1] = 0", "-a[2] = 0", "x[1] = 0", "x[2] = 0"]


def test_sums_of_three_and_elements_say_more() -> None:
    aliases, left = merged("a + b + c = zeros(2);;a[1] = b[1];;a[2] = d[2];;c = 2*d;;d = x + [0, 1]")
    assert aliases == {}
    assert len(left) == 5


def test_what_is_said_twice_is_left_for_structural_analysis() -> None:
    aliases, left = merged("a = b;;b = a")
    assert aliases == {"b": "a"}
    assert left == ["b = a"]


def test_x_is_its_own_negative_is_no_alias() -> None:
    assert merged("a = b;;a = -b") == ({"b": "a"}, ["a = -b"])


def test_start_values_and_known_arrays_stay() -> None:
    flat, scope = flat_of("a = b;;c = d", SHAPES)
    flat = with_attributes(flat, "b", Attributes(start=scope("[3, 4]")))
    assert {a.name for a in merge_arrays(flat).aliases} == {("d",)}
    assert not merge_arrays(replace(flat, known=(("c", 1), ("d",)))).aliases


def test_the_unit_of_an_alias_is_that_of_what_stays() -> None:
    flat = with_attributes(flat_of("a = b", SHAPES)[0], "b", Attributes(unit="m"))
    kept = {v.symbol.name: v.attributes.unit for v in merge_arrays(flat).flat.variables}
    assert kept == {("a",): "m", ("c",): None, ("d",): None, ("x",): None}


def test_elements_are_aliases_with_their_reasons() -> None:
    dae = scalarize(flat_of("b = a;;b + c = zeros(2);;a = [time, 2]", SHAPES)[0])
    found = {show_name(a.variable.symbol.name): show_expr(a.value) for a in dae.aliases}
    assert found == {"b[1]": "a[1]", "b[2]": "a[2]", "c[1]": "-a[1]", "c[2]": "-a[2]"}
    reasons = {show_name(a.variable.symbol.name): [show_equation(e) for e in a.because] for a in dae.aliases}
    assert reasons["b[1]"] == ["b = a"]
    assert reasons["c[2]"] == ["b + c = [0, 0]"]


def test_aliases_of_aliases_end_at_what_is_kept() -> None:
    dae = eliminate_aliases(scalarize(flat_of("b = a;;a[1] = x[1];;a[2] = 5;;x = [time, 1]", SHAPES)[0]))
    found = {show_name(a.variable.symbol.name): a for a in dae.aliases}
    gone = {a.variable.symbol for a in dae.aliases}
    assert show_expr(found["b[2]"].value) == "5"
    assert all(a.value not in gone for a in dae.aliases)
    assert show_equation(found["b[2]"].because[0]) == "b = a"


def test_matrices_stay_symmetric_through_connections() -> None:
    flat, _ = flat_of(
        "N = S - outer(u, u);;S - M = zeros(2, 2);;M = A*transpose(A)",
        {"N": (2, 2), "S": (2, 2), "M": (2, 2), "A": (2, 2), "u": (2,)},
    )
    dae = scalarize(flat)
    assert len(dae.equations) == 6
    found = {show_name(a.variable.symbol.name): show_expr(a.value) for a in dae.aliases}
    assert found["M[1,2]"] == "S[2,1]"
