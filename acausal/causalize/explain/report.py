"""Report of a translation, as text and as numbers: sorted and solved equations, statistics."""

from collections.abc import Iterator, Mapping, Sequence

from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block
from acausal.ir.names import show_derivative, show_name
from acausal.ir.plan import Assign, BlockSummary, SolveLinear, SolvePlan, Step
from acausal.ir.show.shared_parts import show_parts, written


def statistics(dae: Dae, selection: StateSelection, plan: SolvePlan) -> dict[str, object]:
    """Sizes, as `translate --show statistics` prints them; block sizes are [before, after] tearing."""
    sizes = [(b.kind, [len(b.unknowns), len(b.tears)]) for b in plan.blocks]
    by_kind = {kind: [size for k, size in sizes if k == kind] for kind in ("linear", "nonlinear")}
    return {
        "equations": len(dae.equations) + len(dae.aliases),
        "unknowns": len(dae.variables) + len(dae.aliases),
        "parameters": len(dae.parameters),
        "states": len(selection.states),
        "state_names": [show_derivative(x.name, x.order) for x in selection.states],
        "dummy_derivatives": [show_derivative(x.name, x.order) for x in selection.dummies],
        "aliases": len(dae.aliases),
        "differentiated": len(selection.reduced.equations) - len(dae.equations),
        "blocks": len(plan.blocks),
        "linear_blocks": by_kind["linear"],
        "nonlinear_blocks": by_kind["nonlinear"],
    }


def statistics_table(numbers: Mapping[str, object]) -> dict[str, object]:
    """Statistics as people read them: sizes of systems before and after tearing, names behind their numbers."""
    rows: dict[str, object] = {}
    for name, value in numbers.items():
        if name.endswith("_blocks") and isinstance(value, list):
            kind = name.removesuffix("_blocks")
            rows[f"{kind} systems"] = _sizes([before for before, _ in value])
            if value:
                rows[f"  after tearing, {kind}"] = _sizes([after for _, after in value])
        else:
            rows[name.replace("_", " ")] = value
    return rows


def _sizes(sizes: Sequence[int]) -> str:
    return f"{{{', '.join(map(str, sizes))}}}" if sizes else "none"


def show_sorted(system: SortedSystem, blocks: Sequence[BlockSummary]) -> str:
    """The equations in solvable order; the variable that each is solved for stands in brackets.

    Equations of an algebraic loop stand between `loop` and `end loop`: those that give an unknown once the
    tearing variables are known, then the residual equations that are left for these.
    """
    pairs = zip(system.blocks, blocks, strict=True)
    return "\n".join([line for block, summary in pairs for line in _block_lines(system, block, summary)]) + "\n"


def _block_lines(system: SortedSystem, block: Block, summary: BlockSummary) -> list[str]:
    equations = [system.equations[e] for e in block.eqs]
    if len(equations) == 1:
        iterated = "  { by iteration }" if summary.kind == "nonlinear" else ""
        return _written(equations[0], "{} = {}" + iterated.replace("{", "{{").replace("}", "}}"), summary.unknowns[0])
    torn = ", ".join(map(_leaf, summary.tears))
    return [
        f"loop of {len(equations)} equations, {summary.kind}; tearing variable{'s' * (len(summary.tears) > 1)} {torn}",
        *[line for e, x in summary.inner for line in _written(equations[e], "  {} = {}", x)],
        *[line for e in summary.residuals for line in _written(equations[e], "  residual: {} = {}")],
        "end loop",
    ]


def _written(equation: Equation, form: str, marked: Expr | None = None) -> list[str]:
    return written([equation.left, equation.right], form, marked)


def show_solved(plan: SolvePlan) -> str:
    """The assignments of the run in order, systems solved by number in place; aliases behind them."""
    lines = [line for step in plan.steps for line in step_lines(step)]
    lines += [line for a in plan.aliases for line in written([a.value], show_name(a.variable.symbol.name) + " = {}")]
    return "\n".join(lines) + "\n"


def show_aliases(dae: Dae) -> str:
    """The variables that were eliminated as equal to another one, with sign, or to a parameter expression."""
    return "".join([f"{line}\n" for a in dae.aliases for line in written([a.variable.symbol, a.value], "{} = {}")])


def show_differentiated(dae: Dae, selection: StateSelection) -> str:
    """The equations that index reduction has added, and the derivatives that are no states by them."""
    added = selection.reduced.equations[len(dae.equations) :]
    lines = [line for e in added for line in written([e.left, e.right], "{} = {}")]
    dummies = [show_derivative(x.name, x.order) for x in selection.dummies]
    lines += [f"{{ no states: {', '.join(dummies)} }}"] if dummies else []
    return "".join([f"{line}\n" for line in lines])


def step_lines(step: Step) -> Iterator[str]:
    """The assignment, or the head of a system solved by number and its rows; behind it what its texts share."""
    parts, texts = show_parts(_expressions(step))
    if isinstance(step, Assign):
        yield f"{_leaf(step.target)} = {texts[0]}"
    elif isinstance(step, SolveLinear):
        yield f"solve linear {len(step.targets)} for {', '.join(map(_leaf, step.targets))}"
        given = iter(texts)
        for row in step.matrix:
            terms = [f"({next(given)})*{_leaf(x)}" for c, x in zip(row, step.targets, strict=True) if not _is_zero(c)]
            yield f"  {' + '.join(terms)} = {next(given)}"
    else:
        yield f"solve nonlinear {len(step.targets)} for {', '.join(map(_leaf, step.targets))}"
        lefts = [*[_leaf(a.target) for a in step.inner], *["0"] * len(step.residuals)]
        yield from [f"  {left} = {text}" for left, text in zip(lefts, texts, strict=True)]
    yield from [f"    where {part}" for part in parts]


def _expressions(step: Step) -> list[Expr]:
    """Expressions shown for a step, in order."""
    if isinstance(step, Assign):
        return [step.value]
    if isinstance(step, SolveLinear):
        rows = [
            (*[c for c in row if not _is_zero(c)], right) for row, right in zip(step.matrix, step.right, strict=True)
        ]
        return [expr for row in rows for expr in row]
    return [*[a.value for a in step.inner], *step.residuals]


def _is_zero(expr: Expr) -> bool:
    return expr.op == "const" and expr.number == 0.0


def _leaf(leaf: Expr) -> str:
    return show_derivative(leaf.name, leaf.order)
