"""State selection by dummy derivatives, from the attributes of the variables.

A derivative chosen as dummy is an unknown like any other; what remains
differentiated are the states. The choice here is static.
"""

from acausal.causalize.incidence import incidence_of, numbering
from acausal.causalize.prefer import STATE_RANK
from acausal.ir.dae import ReducedDae, StateSelection
from acausal.structure import dummy

_WANTED = {name: dummy.ALWAYS - rank for name, rank in STATE_RANK.items()}


def select_states(reduced: ReducedDae) -> StateSelection:
    """States and dummy derivatives of the reduced system."""
    unknowns, index = reduced.unknowns, reduced.index
    order = dummy.order_by_preference(index, _wanted(reduced))
    chosen = dummy.select_states(incidence_of(reduced.equations, numbering(unknowns)), index, order)
    states = tuple([unknowns[s] for s in chosen.states])
    held = set(chosen.states)
    return StateSelection(
        reduced,
        states,
        tuple([unknowns[d] for d in chosen.dummies]),
        tuple([x for number, x in enumerate(unknowns) if number not in held]),
    )


def _wanted(reduced: ReducedDae) -> list[float]:
    """How much each unknown is wanted as a state; a derivative less than a variable that has a name."""
    by_name = {v.symbol.name: _WANTED[v.attributes.state] for v in reduced.dae.variables}
    return [min(by_name[x.name], dummy.DEFAULT - 0.5) if x.order else by_name[x.name] for x in reduced.unknowns]
