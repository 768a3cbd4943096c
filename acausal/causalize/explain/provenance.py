"""The way of a variable from the text to its assignment.

y   declared        pendulum.mdl:10   local y (start=-L*cos(pi/3), unit="m")
    written         pendulum.mdl:13   x^2 + y^2 = L^2
    differentiated                    2*x*der(x) + 2*y*der(y) = 0
    solved                            der(y) = -(x*der(x))/y
"""

from collections.abc import Iterable, Iterator

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.excerpt import clean
from acausal.base.near_names import near_name
from acausal.base.source import Span
from acausal.causalize.explain.report import step_lines
from acausal.causalize.explain.way_text import Link, Way, show_leaf
from acausal.ir.dae import Alias, Dae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.graph import Block
from acausal.ir.names import show_name
from acausal.ir.origin import How, Origin
from acausal.ir.plan import Assign, BlockSummary, SolvePlan, Step
from acausal.ir.show.expressions import show_equation, show_expr
from acausal.ir.walk import variables_of

_JOINED = (How.CONNECTED, How.FLOW_SUM, How.LADDER)


class Why:
    """Answers for one translation."""

    def __init__(
        self, flat: FlatModel, dae: Dae, selection: StateSelection, run: SortedSystem, plan: SolvePlan
    ) -> None:
        self._flat, self._dae, self._selection, self._run, self._plan = flat, dae, selection, run, plan
        self._alias_of = {a.variable.symbol: a for a in dae.aliases}
        self._block_of = {x: i for i, b in enumerate(plan.blocks) for x in b.unknowns}
        self._step_of = dict(_by_target(plan.steps))

    def leaf(self, name: str) -> Expr:
        """The variable, derivative or parameter of that name; UsageError F005 where there is none."""
        declared = (*self._dae.inputs, *self._dae.variables, *(a.variable for a in self._dae.aliases))
        leaves = (*[v.symbol for v in declared], *self._run.unknowns, *[p.symbol for p in self._dae.parameters])
        table = {_compact(show_leaf(leaf)): leaf for leaf in leaves}
        found = table.get(_compact(name))
        if found is None:
            near = near_name(_compact(name), table)
            hint = f"did you mean {show_leaf(table[near])}?" if near else None
            raise UsageError(Diagnostic("F005", f"unknown variable {name}", help=hint))
        return found

    def ways(self, leaf: Expr) -> tuple[Way, ...]:
        """The way of a leaf, then of what it is read from, up to an equation that is solved for it."""
        ways: list[Way] = []
        following: Expr | None = leaf
        while following is not None and all(w.leaf is not following for w in ways):
            leaf = following
            alias = self._alias_of.get(leaf)
            declared = [Link("declared", _line(o.span), o.span) for o in self._declared(leaf)]
            if alias is not None:
                links, following = [*self._eliminated(alias)], self._kept(alias)
            elif leaf in self._plan.states:
                links, following = [*self._integrated(leaf)], self._plan.pool.derivative(leaf)
            else:
                links, following = [*self._computed(leaf)], None
            ways.append(Way(leaf, (*declared, *links)))
        return tuple(ways)

    # ------------------------------------------------------- kinds of leaves

    def _declared(self, leaf: Expr) -> Iterator[Origin]:
        if leaf.op == "variable" and leaf.order:
            return
        aliases = [a.variable for a in self._dae.aliases]
        variables = [(v.symbol, v.origin) for v in (*self._dae.inputs, *self._dae.variables, *aliases)]
        for symbol, origin in (*variables, *[(p.symbol, p.origin) for p in self._dae.parameters]):
            if symbol is leaf:
                yield origin

    def _eliminated(self, alias: Alias) -> Iterator[Link]:
        if alias.value.op == "frozen":
            yield from self._changes(alias.value)
            return
        for equation in alias.because:
            yield from _written(equation.origin, show_equation(equation))
            if alias.value.op != "variable" or len(variables_of((equation.left, equation.right))) > 2:
                yield from self._with(a for a in self._aliases_in(equation) if a is not alias)
        yield Link("alias", f"{show_leaf(alias.variable.symbol)} = {show_expr(alias.value)}")

    def _kept(self, alias: Alias) -> Expr | None:
        value = alias.value.args[0] if alias.value.op == "neg" else alias.value
        return value if value.op == "variable" else None

    def _integrated(self, leaf: Expr) -> Iterator[Link]:
        for target, step in _by_target(self._plan.initial_steps):
            if target is leaf and isinstance(step, Assign):
                at = base_origin(step.origin).span
                yield Link("start value", f"{show_leaf(leaf)} = {show_expr(step.value)}", at)
        yield Link("state", f"{show_leaf(leaf)} is integrated from {show_leaf(self._plan.pool.derivative(leaf))}")

    def _computed(self, leaf: Expr) -> Iterator[Link]:
        if leaf in self._block_of:
            yield from self._solved(leaf)
        elif leaf.op == "parameter":
            yield Link("parameter", "constant during a run")
        else:
            yield Link("input", "given from outside")

    def _changes(self, leaf: Expr) -> Iterator[Link]:
        """Of a discrete variable: what sets it."""
        for branch in (b for when in self._flat.whens for b in when.branches):
            for action in branch.actions:
                if action.target is not None and action.target.name == leaf.name[: len(action.target.name)]:
                    yield Link("set", _line(action.origin.span), action.origin.span)
        yield Link("discrete", f"{show_leaf(leaf)} changes at events only")

    # ------------------------------------------------------- solved equations

    def _solved(self, leaf: Expr) -> Iterator[Link]:
        number = self._block_of[leaf]
        block, summary = self._run.blocks[number], self._plan.blocks[number]
        equation = next((e for e, x in solved_equations(block, summary) if x is leaf), block.eqs[0])
        yield from self._reduced(equation)
        place = f"block {number + 1} of {len(self._plan.blocks)}"
        text = show_equation(self._run.equations[equation], None if leaf in summary.tears else leaf)
        yield Link("sorted", f"{place}: {text}")
        if summary.kind != "explicit":
            torn = ", ".join(map(show_leaf, summary.tears))
            yield Link("loop", f"{len(block.eqs)} equation{'s' * (len(block.eqs) > 1)}, {summary.kind}; tears {torn}")
        yield Link("solved", next(step_lines(self._step_of[leaf])))

    def _reduced(self, number: int) -> Iterator[Link]:
        """An equation as it is written, after elimination of aliases, and differentiated."""
        index, equations = self._selection.reduced.index, self._selection.reduced.equations
        first, order = index.eq_source[number]
        origin = equations[first].origin
        flat = self._flat_equation(origin)
        yield from _written(origin, "" if flat is None else show_equation(flat))
        yield from self._with(self._aliases_in(flat))
        text = show_equation(equations[first])
        if flat is None or text != show_equation(flat):
            yield Link("becomes", text)
        for e in index.eq_chain(first)[1 : order + 1]:
            yield Link("differentiated", show_equation(equations[e]))

    def _flat_equation(self, origin: Origin) -> Equation | None:
        """The flat equation with this origin, if it is scalar and the only one."""
        found = [e for e in self._flat.equations if e.origin is origin]
        return found[0] if len(found) == 1 else None

    @staticmethod
    def _with(aliases: Iterable[Alias]) -> Iterator[Link]:
        for alias in aliases:
            yield Link("with", f"{show_leaf(alias.variable.symbol)} = {show_expr(alias.value)}")

    def _aliases_in(self, flat: Equation | None) -> Iterable[Alias]:
        leaves = () if flat is None else variables_of((flat.left, flat.right))
        bases = dict.fromkeys([self._plan.pool.variable(x.name) for x in leaves])
        found = [self._alias_of[base] for base in bases if base in self._alias_of]
        return [alias for alias in found if alias.value.op != "frozen"]


def solved_equations(block: Block, summary: BlockSummary) -> Iterator[tuple[int, Expr]]:
    """The equations of a block, each with the unknown it is solved for; residuals with the tearing variables."""
    if len(block.eqs) == 1:
        yield block.eqs[0], summary.unknowns[0]
        return
    yield from ((block.eqs[e], x) for e, x in summary.inner)
    yield from ((block.eqs[e], x) for e, x in zip(summary.residuals, summary.tears, strict=True))


def _by_target(steps: Iterable[Step]) -> Iterator[tuple[Expr, Step]]:
    for step in steps:
        for target in (step.target,) if isinstance(step, Assign) else step.targets:
            yield target, step


def _written(origin: Origin, text: str) -> Iterator[Link]:
    """Links for the user's text, and the equation made from it if it differs."""
    base = base_origin(origin)
    if base.how is How.COMBINED:
        for part in base.of:
            yield from _written(part, "")
        return
    if base.how in _JOINED:
        for span in dict.fromkeys([statement.span for statement in base.of]):
            yield Link("connect", clean(" ".join(span.text.split())), span)
        if text:
            yield Link(base.how.value, text)
        return
    line = _line(base.span)
    inside = f"  in {show_name(base.path)}" if base.path else ""
    yield Link(base.how.value, f"{line}{inside}", base.span)
    if text and _compact(text) not in _compact(line):
        yield Link("equation", text)


def base_origin(origin: Origin) -> Origin:
    """Origin in the text or a connection, before elements, derivatives and start values were derived from it."""
    while origin.of and origin.how not in (*_JOINED, How.COMBINED):
        origin = origin.of[0]
    return origin


def _line(span: Span) -> str:
    """The line of the text on which something begins."""
    line = span.file.line(span.line).strip()
    return clean(f"{line} ..." if "\n" in span.text else line)


def _compact(text: str) -> str:
    return "".join(text.split())
