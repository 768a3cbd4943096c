"""Events: what changes at single moments becomes leaves that the equations see as known.

    i = if u > 0 then u/R else 0     ->     i = if $1 then u/R else 0,   frozen $1: u > 0
    when h < 0 then                         frozen $2: h < 0
      init(v) = -e*v                 ->     frozen $3: $2 at the end of the event before
    endwhen                                 restart v = -e*v where $2 and not $3

Elmqvist, Cellier, Otter: Object-oriented modeling of hybrid systems, ESS 1993.
"""

from dataclasses import replace

from acausal.causalize.events.discrete_values import NewValues
from acausal.causalize.events.lift_relations import Relations
from acausal.causalize.events.time_events import need_no_instants, need_positive_interval, need_set_once, need_state
from acausal.ir.dae import Alias, Dae
from acausal.ir.events import Action, Announcement, Branch, Events, Frozen, Restart, When, map_events
from acausal.ir.expr import EVENT, Expr
from acausal.ir.flat import Equation, Variable, flags_of
from acausal.ir.origin import How, Origin


def hold(dae: Dae) -> Dae:
    """The system with frozen values in place of relations and discrete variables; E... for what no event can do."""
    return _Holding(dae).run() if _has_events(dae) else dae


def _has_events(dae: Dae) -> bool:
    if dae.pool.has_flag(EVENT) and (flags_of(dae.equations) | flags_of(dae.initial_equations)) & EVENT:
        return True
    if dae.whens or any(c.condition.flags & EVENT for c in dae.conditions):
        return True
    return "discrete" in [v.kind for v in dae.variables]


class _Holding:
    def __init__(self, dae: Dae) -> None:
        self.dae = dae
        self.pool = dae.pool
        self.relations = Relations(dae.pool)
        self.news = NewValues(dae)
        self.variables = {v.symbol.name: v for v in (*dae.variables, *dae.inputs)} if dae.whens else {}
        self.restarts: list[Restart] = []
        self.announcements: list[Announcement] = []

    def run(self) -> Dae:
        dae, news, relations = self.dae, self.news, self.relations
        plain = not news.symbol_of
        equations = [e if plain and not e.has(EVENT) else self._equation(e) for e in dae.equations]
        conditions = [
            replace(c, condition=self._frozen(news.substitute(c.condition), c.origin)) for c in dae.conditions
        ]
        for number, when in enumerate(dae.whens):
            for branch in when.branches:
                need_set_once(branch)
            self._when(number, when)
        values = {p.symbol: p.value for p in dae.parameters}
        for frozen in relations.frozen.values():
            if frozen.kind == "sample":
                need_positive_interval(frozen, values)
        discrete = [self._discrete(v) for v in news.variables]
        events = Events((*relations.frozen.values(), *discrete), tuple(self.restarts), tuple(self.announcements))
        aliases = [Alias(v, news.symbol_of[v.symbol], v.origin.become(How.ALIAS)) for v in news.variables]
        return replace(
            dae,
            variables=(*[v for v in dae.variables if v.symbol not in news.symbol_of], *relations.variables),
            equations=(*equations, *relations.equations),
            initial_equations=tuple([self._initial(e) for e in dae.initial_equations]),
            conditions=tuple(conditions),
            aliases=(*dae.aliases, *aliases),
            whens=(),
            events=map_events(events, news.finish()),
        )

    def _equation(self, equation: Equation) -> Equation:
        equation = self._known(equation)
        return equation.map(lambda side: self._frozen(side, equation.origin)) if equation.has(EVENT) else equation

    def _frozen(self, expr: Expr, origin: Origin) -> Expr:
        """Expression valid at all times; E008 for `new` in it."""
        found = self.relations.hold(expr, origin)
        if found.flags & EVENT:
            need_no_instants(found, origin)
        return found

    def _initial(self, equation: Equation) -> Equation:
        """Relations are taken as they are in the first instant; E008 for what only later instants know."""
        equation = self._known(equation)
        if not equation.has(EVENT):
            return equation
        equation = equation.map(self.relations.at_start)
        for side in equation.sides:
            need_no_instants(side, equation.origin)
        return equation

    def _known(self, equation: Equation) -> Equation:
        """Discrete variables become leaves that are known."""
        if not self.news.symbol_of:
            return equation
        return equation.map(self.news.substitute)

    def _when(self, number: int, when: When) -> None:
        none_before = self.pool.true
        for branch in when.branches:
            fired = self._fired(branch, none_before)
            if branch.condition is not None:
                none_before = self.pool.and_(none_before, self.pool.not_(fired))
            for action in branch.actions:
                self._act(number, action, fired, branch.condition is None)

    def _fired(self, branch: Branch, none_before: Expr) -> Expr:
        """True in the pass in which the branch acts: the condition has become true, and no earlier one has."""
        pool = self.pool
        if branch.condition is None:
            return pool.true
        now = self.relations.hold(self.news.substitute(branch.condition), branch.origin)
        before = self.relations.before(now, branch.condition, branch.origin)
        return pool.and_(now, pool.not_(before), none_before)

    def _act(self, number: int, action: Action, fired: Expr, always: bool) -> None:
        value = self.news.substitute(action.value)
        relations = self.relations
        value = relations.hold(value, action.origin) if always else relations.hold_instants(value, action.origin)
        if action.kind in ("new", "init"):
            value = relations.available_leaves(value, action.origin)
        if action.kind == "new":
            self.news.set(number, action, fired, value)
        elif action.kind == "init":
            assert action.target is not None
            need_state(action, self.variables)
            target = relations.available(self.news.substitute(action.target), action.origin)
            self.restarts.append(Restart(target, value, fired, action.origin, action.target))
        else:
            self.announcements.append(Announcement(action.kind, fired, value, action.text, action.origin))

    def _discrete(self, variable: Variable) -> Frozen:
        pool = self.pool
        start = variable.attributes.start
        if start is None:
            start = pool.false if variable.type == "boolean" else pool.zero
        symbol, value = self.news.symbol_of[variable.symbol], self.news.value_of(variable.symbol)
        return Frozen(symbol, "discrete", variable.type, (value,), variable.origin, start=start)
