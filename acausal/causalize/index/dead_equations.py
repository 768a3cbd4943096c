"""Dead equations: what the outputs do not need goes, before states are chosen (language page, section 8).

    der(a) = -a, der(b) = -b*a, c = b^2     --outputs a     ->     der(a) = -a

Each equation determines one variable, itself or differentiated, by the matching of index reduction. What an output
needs is the variable, its equation, the variables in this, and so on. Conditions, events and `initial` equations
are kept, with what they need.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.events import map_events
from acausal.ir.expr import Expr
from acausal.ir.names import Name
from acausal.ir.walk import variables_of


def prune(reduced: ReducedDae, outputs: Sequence[Expr]) -> Dae:
    """The equations and variables that the outputs need."""
    dae = reduced.dae
    value_of = {a.variable.symbol.name: a.value for a in dae.aliases}
    equation_of = _equation_of(reduced)
    kept: set[int] = set()
    needed: set[Name] = set()
    open_ = [x.name for x in (*outputs, *_always(dae))]
    while open_:
        name = open_.pop()
        if name in needed:
            continue
        needed.add(name)
        value = value_of.get(name)
        if value is not None:
            open_ += _names(value)
        e = equation_of.get(name)
        if e is not None and e not in kept:
            kept.add(e)
            open_ += [x.name for x in dae.equations[e].all_variables]
    variables = tuple([v for v in dae.variables if v.symbol.name in needed])
    if len(variables) == len(dae.variables):
        return dae
    return replace(
        dae,
        variables=variables,
        equations=tuple([e for i, e in enumerate(dae.equations) if i in kept]),
        aliases=tuple([a for a in dae.aliases if needed.issuperset(_names(a.value))]),
    )


def _names(value: Expr) -> list[Name]:
    """The names of the variables in the value of an alias, mostly one alone."""
    return [value.name] if value.op == "variable" else [x.name for x in variables_of([value])]


def _equation_of(reduced: ReducedDae) -> dict[Name, int]:
    """The equation that determines each variable or one of its derivatives."""
    index = reduced.index
    sources = index.eq_source
    eq_of_var = enumerate(index.matching.eq_of_var)
    return {reduced.unknowns[v].name: sources[e][0] for v, e in eq_of_var if e is not None}


def _always(dae: Dae) -> Iterator[Expr]:
    """The variables of conditions, events and initial equations."""
    sides = [side for e in dae.initial_equations for side in (e.left, e.right)]
    sides += [c.condition for c in dae.conditions]
    sides += [d.value for d in dae.delays]

    def gather(expr: Expr) -> Expr:
        sides.append(expr)
        return expr

    map_events(dae.events, gather)
    yield from variables_of(sides)
