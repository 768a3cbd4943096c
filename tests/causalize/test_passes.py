"""Alias elimination, index reduction, state selection, sorting and the first instant on small systems."""

import pytest

from acausal.base.diagnostics import ModelError
from acausal.causalize.aliases.eliminate_aliases import eliminate_aliases
from acausal.causalize.blocks.sort import sort
from acausal.causalize.explain.report import show_solved, show_sorted
from acausal.causalize.index.reduce_index import StructuralFaultError, reduce_index
from acausal.causalize.index.select_states import select_states
from acausal.causalize.initial.initial_system import initial_system
from acausal.causalize.plan.make_plan import make_plan
from acausal.causalize.solve.coefficient_sampling import trial_values
from acausal.causalize.solve.solve import solve
from acausal.ir.dae import Dae, StateSelection
from acausal.ir.flat import Attributes
from acausal.ir.pool import Pool
from tests.causalize.dae_text import dae_of


def aliases(dae: Dae) -> dict[str, str]:
    return {repr(a.variable.symbol): repr(a.value) for a in dae.aliases}


def selection(dae: Dae) -> StateSelection:
    return select_states(reduce_index(eliminate_aliases(dae)))


def solved(dae: Dae) -> str:
    chosen = selection(dae)
    run = sort(dae.pool, chosen.reduced.equations, chosen.unknowns)
    return show_solved(make_plan(chosen, run, initial_system(chosen).system))


def test_aliases_carry_signs_through_chains() -> None:
    reduced = eliminate_aliases(dae_of("a = b; b + c = 0; c = -d; a' = -a"))
    assert aliases(reduced) == {"b": "a", "c": "-a", "d": "a"}
    assert len(reduced.equations) == 1


def test_constants_open_further_aliases() -> None:
    reduced = eliminate_aliases(dae_of("g = 0; a = b + g; c*g = h; a' = k*a", {"k": 3.0}))
    assert aliases(reduced) == {"g": "0", "b": "a", "h": "0"}


def test_an_alias_of_a_derivative_follows_its_variable() -> None:
    reduced = eliminate_aliases(dae_of("x = -y; y' = v; v = 5*time"))
    assert repr(reduced.equations[0].left) in ("-der(x)", "der(y)")


def test_a_derivative_stays_until_its_variable_is_constant() -> None:
    """What a constant leaves of an equation is an alias; with a derivative in it, it is none."""
    assert aliases(eliminate_aliases(dae_of("2*x' + a = b; x = 5; b' = -b"))) == {"x": "5", "b": "a"}
    assert aliases(eliminate_aliases(dae_of("2*x' + a = b; x = y; y' = x; b' = -b"))) == {"y": "x"}


def test_a_repeated_equation_is_kept_and_told() -> None:
    with pytest.raises(StructuralFaultError) as error:
        selection(dae_of("a = b; b = a; c' = a"))
    assert [len(part.eqs) - len(part.vars) for part in error.value.singular.over] == [1]


def test_fixed_start_values_that_disagree() -> None:
    pool_free = Pool()
    one, two = Attributes(start=pool_free.const(1), fixed=True), Attributes(start=pool_free.const(2), fixed=True)
    with pytest.raises(ModelError) as error:
        eliminate_aliases(dae_of("a = b; a' = -a", a=one, b=two))
    assert error.value.report.diagnostics[0].code == "I001"


def test_the_pendulum_has_two_states() -> None:
    chosen = selection(dae_of("x^2 + y^2 = 1; x' = u; y' = w; u' = l*x; w' = l*y - 9.81"))
    assert [repr(s) for s in chosen.states] == ["x", "u"]
    assert len(chosen.reduced.equations) == 9


def test_the_angle_stays_state_where_its_factor_varies() -> None:
    chosen = selection(dae_of("x = 2*sin(p); p'' = f; f = -x"))
    assert [repr(s) for s in chosen.states] == ["p", "der(p)"]


def test_attributes_choose_states() -> None:
    text = "x^2 + y^2 = 1; x' = u; y' = w; u' = l*x; w' = l*y - 9.81"
    wanted = Attributes(state="prefer")
    assert [repr(s) for s in selection(dae_of(text, y=wanted, w=wanted)).states] == ["y", "w"]
    unwanted = Attributes(state="avoid")
    assert [repr(s) for s in selection(dae_of(text, x=unwanted, u=unwanted)).states] == ["y", "w"]


def test_sorting_marks_loops() -> None:
    dae = dae_of("a + b = time; a - 2*b = 1; c = a*b")
    system = sort(dae.pool, dae.equations, tuple(v.symbol for v in dae.variables))
    assert show_sorted(system, solve(system, {}, lambda _: 1.0)[1]).splitlines() == [
        "loop of 2 equations, linear; tearing variable a",
        "  a - 2*[b] = 1",
        "  residual: a + b = time",
        "end loop",
        "[c] = a*b",
    ]


def test_a_resistive_divider_is_solved_by_formula() -> None:
    text = solved(dae_of("u = 10; u = r*i + v; v = s*i", {"r": 2.0, "s": 3.0}))
    assert "solve" not in text
    assert "u = 10" in text


def test_nonlinear_loop_becomes_newton() -> None:
    text = solved(dae_of("i = exp(v) - 1; v + 2*i = 3"))
    assert text.startswith("solve nonlinear 1 for v\n  i = ")


@pytest.mark.parametrize(("factor", "torn"), [(0.5, 1), (0.01, 2)])
def test_a_nonlinear_chain_that_magnifies_is_cut(factor: float, torn: int) -> None:
    """a gives b, b gives c, c gives d: for k = 0.01 what is a little off in a is magnified a million times in d."""
    dae = dae_of("sin(a) + k*b = 1; sin(b) + k*c = 2; exp(c) + k*d = 3; d*d*d + d + a = 4", {"k": factor})
    system = sort(dae.pool, dae.equations, tuple(v.symbol for v in dae.variables))
    (summary,) = solve(system, {}, trial_values(dae.parameters))[1]
    assert (summary.kind, len(summary.unknowns), len(summary.tears)) == ("nonlinear", 4, torn)


def test_a_known_input_is_differentiated() -> None:
    chosen = selection(dae_of("x = u; x' = v", inputs="u"))
    assert chosen.states == ()
    text = solved(dae_of("x = 2*u; x' = v", inputs="u"))
    assert "der(x) = 2*der(u)" in text


def test_too_few_equations() -> None:
    with pytest.raises(StructuralFaultError) as error:
        selection(dae_of("a + b = 1; c' = -c"))
    assert [repr(error.value.unknowns[v]) for v in error.value.singular.under[0].vars] == ["a", "b"]


def test_start_values_are_used_as_far_as_needed() -> None:
    pool = Pool()
    start = Attributes(start=pool.const(2))
    chosen = selection(dae_of("x' = -x; y' = x; y = 3*z", z=start))
    first = initial_system(chosen)
    assert [note.message for note in first.notes] == [
        "2 states start from their start values: x = 0, y = 0",
    ]


def test_too_many_conditions() -> None:
    fixed = Attributes(start=Pool().const(2), fixed=True)
    chosen = selection(dae_of("x' = -x; y = 3*x", x=fixed, y=fixed))
    with pytest.raises(ModelError) as error:
        initial_system(chosen)
    assert error.value.report.diagnostics[0].code == "I002"
