"""The verifiers of stages: they accept what passes make, and reject what is made wrong by hand."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from acausal.base.diagnostics import InternalError
from acausal.base.timing import StageTimer
from acausal.ir.check.expressions import expression_faults
from acausal.ir.check.plan import targets_of
from acausal.ir.check.stage import check_stage, need_sound, stages_in
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear
from acausal.ir.pool import Pool
from acausal.pipeline import translate
from acausal.stages import Stages

MODEL = """model M
  parameter k=2, integer n=3
  local x (start=1, fixed=true), y, z, a, b, c, w[2]
  discrete d
  der(x) = -k*x + z
  y = 3*x
  z + y = sin(z) + d
  a + b + c = x
  a - 2*b + y*c = 1
  k*a + b - 3*c = z
  w = [x; y]
  when x < 0.5 then
    new(d) = d + 1
  endwhen
end
"""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Stages:
    path = tmp_path_factory.mktemp("check") / "m.mdl"
    path.write_text(MODEL, encoding="utf-8")
    return translate(path).stages


def symbol(s: Stages, name: str) -> Expr:
    return s.flat.pool.variable((name,))


def other_block(s: Stages, change: Callable[[tuple[Block, ...]], tuple[Block, ...]]) -> object:
    return replace(s.run, blocks=change(s.run.blocks))


def first_of(s: Stages, kind: type) -> int:
    return next(i for i, step in enumerate(s.plan.steps) if isinstance(step, kind))


def with_step(s: Stages, kind: type, **changes: object) -> object:
    number, steps = first_of(s, kind), list(s.plan.steps)
    steps[number] = replace(steps[number], **changes)
    return replace(s.plan, steps=tuple(steps))


def equation(s: Stages, left: Expr, right: Expr) -> Equation:
    return replace(s.dae.equations[0], left=left, right=right)


FAULTS: dict[str, tuple[Callable[[Stages], object], str]] = {
    "flat: a name twice": (lambda s: replace(s.flat, variables=(*s.flat.variables, s.flat.variables[0])), "twice"),
    "flat: undeclared": (lambda s: replace(s.flat, variables=s.flat.variables[1:]), "no variable x is declared"),
    "flat: undeclared parameter": (lambda s: replace(s.flat, parameters=()), "no parameter k is declared"),
    "flat: shapes": (
        lambda s: replace(
            s.flat, equations=(replace(s.flat.equations[0], right=s.flat.pool.variable(("w",), 0, (2,))),)
        ),
        "shape () = shape (2,)",
    ),
    "flat: binding varies": (
        lambda s: replace(s.flat, parameters=(replace(s.flat.parameters[0], binding=s.flat.pool.time),)),
        "which varies",
    ),
    "flat: action without target": (
        lambda s: replace(
            s.flat,
            whens=(
                replace(
                    s.flat.whens[0],
                    branches=(
                        replace(
                            s.flat.whens[0].branches[0],
                            actions=(replace(s.flat.whens[0].branches[0].actions[0], target=None),),
                        ),
                    ),
                ),
            ),
        ),
        "new of None",
    ),
    "dae: undeclared": (lambda s: replace(s.dae, variables=s.dae.variables[1:]), "is declared"),
    "dae: an array": (
        lambda s: replace(s.dae, equations=(equation(s, *[s.flat.pool.variable(("w",), 0, (2,))] * 2),)),
        "an array is left",
    ),
    "dae: frozen value": (lambda s: replace(s.dae, events=replace(s.dae.events, frozen=())), "no frozen value"),
    "dae: alias and unknown": (
        lambda s: replace(s.dae, variables=(*s.dae.variables, s.dae.aliases[0].variable)),
        "is an unknown",
    ),
    "dae: another pool": (
        lambda s: replace(s.dae, equations=(equation(s, Pool().call("sin", Pool().time), s.flat.pool.zero),)),
        "another pool",
    ),
    "reduced: unknowns": (
        lambda s: replace(s.selection.reduced, unknowns=s.selection.reduced.unknowns[:-1]),
        "other sizes",
    ),
    "reduced: order": (
        lambda s: replace(s.selection.reduced, equations=s.selection.reduced.equations[::-1]),
        "do not begin",
    ),
    "reduced: incidence": (
        lambda s: replace(
            s.selection.reduced,
            incidence=replace(
                s.selection.reduced.incidence,
                vars_of_eq=((0,), *s.selection.reduced.incidence.vars_of_eq[1:]),
            ),
        ),
        "incidence differs",
    ),
    "reduced: derivative": (
        lambda s: replace(
            s.selection.reduced,
            index=replace(
                s.selection.reduced.index,
                var_derivative=tuple([0 if d is not None else d for d in s.selection.reduced.index.var_derivative]),
            ),
        ),
        "is not the derivative of",
    ),
    "selection: missing": (lambda s: replace(s.selection, unknowns=s.selection.unknowns[1:]), "neither state nor"),
    "selection: both": (
        lambda s: replace(s.selection, states=(*s.selection.states, s.selection.unknowns[0])),
        "is a state and an unknown",
    ),
    "selection: dummy": (lambda s: replace(s.selection, dummies=(symbol(s, "x"),)), "dummy x is not an unknown"),
    "sorted: missing block": (lambda s: other_block(s, lambda b: b[1:]), "no block determines"),
    "sorted: order": (lambda s: other_block(s, lambda b: b[::-1]), "which a later block determines"),
    "sorted: twice": (lambda s: other_block(s, lambda b: (*b, b[0])), "is there twice"),
    "sorted: not square": (
        lambda s: other_block(s, lambda b: (*b[:-1], Block(b[-1].eqs, b[-1].vars[1:]))),
        "equations for",
    ),
    "sorted: matching": (
        lambda s: other_block(s, lambda b: (Block(b[1].eqs, b[0].vars), Block(b[0].eqs, b[1].vars), *b[2:])),
        "does not have the unknown",
    ),
    "plan: order": (lambda s: replace(s.plan, steps=s.plan.steps[::-1]), "which is not known yet"),
    "plan: twice": (lambda s: replace(s.plan, steps=(*s.plan.steps, s.plan.steps[0])), "is determined twice"),
    "plan: missing": (lambda s: replace(s.plan, steps=()), "is not determined"),
    "plan: states at the start": (lambda s: replace(s.plan, initial_steps=()), "initial steps: x is not determined"),
    "plan: matrix": (
        lambda s: replace(s.plan, steps=(SolveLinear(targets_of(s.plan.steps[0]), (), (), 1, ()), *s.plan.steps[1:])),
        "a matrix of 0 rows for 1 unknowns",
    ),
    "plan: Jacobian": (lambda s: with_step(s, SolveNonlinear, guesses=()), "guesses and nominals of sizes"),
    "plan: reads what comes later": (
        lambda s: with_step(s, Assign, value=s.flat.pool.variable(("x",), 1)),
        "which is not known yet",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_made_by_hand(stages: Stages, name: str) -> None:
    make, says = FAULTS[name]
    assert any(says in fault for fault in check_stage(make(stages))), check_stage(make(stages))


def test_all_stages_of_a_model_are_sound(stages: Stages) -> None:
    for stage in (stages.flat, stages.dae, stages.selection.reduced, stages.selection, stages.run, stages.plan):
        assert check_stage(stage) == ()


NODES: dict[str, tuple[Callable[[Pool], Expr], str]] = {
    "unknown operator": (lambda p: p.node("sine", (p.time,)), "no operator sine"),
    "arguments": (lambda p: p.node("atan2", (p.time,)), "atan2 with 1 arguments"),
    "a condition as a number": (lambda p: p.node("add", (p.time, p.call("<", p.time, p.one))), "add of a condition"),
    "a number as a condition": (lambda p: p.node("if", (p.time, p.one, p.zero)), "a condition that is a number"),
    "and of numbers": (lambda p: p.node("and", (p.time, p.true)), "and of a number"),
    "an array in a scalar operator": (
        lambda p: p.node("sin", (p.variable(("v",), 0, (2,)),)),
        "an operator on scalars, with arrays",
    ),
    "index: several positions for a scalar": (
        lambda p: p.node("index", (p.variable(("A",), 0, (2, 2)),), (1, 0), ()),
        "index of shape",
    ),
    "index out of range": (lambda p: p.node("index", (p.variable(("v",), 0, (2,)),), (2,), ()), "index of shape"),
    "matmul": (
        lambda p: p.node("matmul", (p.variable(("A",), 0, (2, 3)), p.variable(("v",), 0, (2,))), None, (2,)),
        "matmul of shape",
    ),
    "array": (lambda p: p.node("array", (p.time, p.one), None, (3,)), "array of shape"),
    "another pool": (lambda p: p.node("neg", (Pool().call("sin", Pool().time),)), "another pool"),
}


@pytest.mark.parametrize("name", NODES)
def test_nodes_made_by_hand(name: str) -> None:
    pool = Pool()
    pool.call("sin", pool.time)
    assert list(expression_faults(pool)) == []
    make, says = NODES[name]
    make(pool)
    assert any(says in fault for fault in expression_faults(pool))
    assert list(expression_faults(pool)) == [], "each node is looked at once"


def test_a_fault_is_shown_with_its_surroundings(stages: Stages) -> None:
    (fault, *_) = check_stage(replace(stages.dae, parameters=()))
    first, *lines = fault.splitlines()
    assert first == "equation 0: no parameter k is declared"
    assert lines[0].startswith("  > 0: der(x) = ")
    assert lines[1].startswith("    1: ")


def test_every_pass_of_a_translation_is_checked(
    stages: Stages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all tests, by `tests/conftest.py`: the verifier sees what each pass makes; a fault ends the translation."""
    assert StageTimer.verify is need_sound
    seen: set[str] = set()

    def verify(_: str, made: object) -> None:
        seen.update(type(stage).__name__ for stage in stages_in(made))

    monkeypatch.setattr(StageTimer, "verify", staticmethod(verify))
    path = tmp_path / "m.mdl"
    path.write_text(MODEL, encoding="utf-8")
    translation = translate(path)
    assert translation.program
    assert {"FlatModel", "Dae", "ReducedDae", "StateSelection", "SortedSystem", "SolvePlan", "Program"} <= seen
    with pytest.raises(InternalError, match="2 faults after this pass"):
        need_sound("sort", replace(stages.run, blocks=stages.run.blocks[1:]))
