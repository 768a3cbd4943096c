"""Time constants that no solver resolves: an ideal diode that leaks 1e-15 S beside an inductor of 10 mH has 1e-17 s.

i = if s < 0 then Goff*s else s; L*der(i) = u - s      when the diode blocks, s = i/Goff follows within L*Goff
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.ir.names import show_derivative, show_name
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHORT = 1e-12
"""Time constants below this share of the time of a run are named where a solver is stuck."""
MOST, FLIPPED, SHOWN = 200, 20, 3
"""So many parameters and states are examined, relations are changed one by one, and parameters are named."""


def with_time_constant(found: Diagnostic, system: System, t: float, y: "Array", span: float) -> Diagnostic:
    """The diagnostic of a solver that is stuck, with the shortest time constant and what it is proportional to."""
    frozen, p, m = system.frozen.copy(), system.arrays[1].copy(), system.arrays[2].copy()
    modes, fastest = list(_modes(system)), (0.0, 0, 0)
    try:
        for number, mode in enumerate(modes):
            system.frozen[:] = mode
            rates = [(_rate(system, t, y, k), k, number) for k in range(min(len(y), MOST))]
            fastest = max(fastest, *rates)
        rate, state, number = fastest
        if not SHORT * span * rate > 1.0:
            return found
        system.frozen[:] = modes[number]
        return _named(found, system, (rate, state), list(_proportional(system, t, y, rate, state)))
    finally:
        system.frozen[:], system.arrays[1][:], system.arrays[2][:] = frozen, p, m


def _modes(system: System) -> "Iterator[Array]":
    """Frozen values as they are, with all relations false, all true, and each of some the other way."""
    relations = [i for i, slot in enumerate(system.program.table.frozen) if slot.kind == "relation"]
    here = system.frozen.copy()
    yield here
    for value in (0.0, 1.0):
        mode = here.copy()
        mode[relations] = value
        yield mode
    for i in relations[:FLIPPED]:
        mode = here.copy()
        mode[i] = 1.0 - mode[i]
        yield mode


def _named(found: Diagnostic, system: System, fastest: tuple[float, int], names: list[str]) -> Diagnostic:
    rate, state = fastest
    name = show_derivative(*system.program.state_slots[state].symbol)
    note = f"{name} has a time constant of {1.0 / rate:.2g} s, which no step resolves"
    hint = f"increase {' or '.join(names[:SHOWN])}, to which the time constant of {name} is proportional"
    return replace(found, notes=(note, *found.notes), help=hint if names else found.help)


def _rate(system: System, t: float, y: "Array", state: int) -> float:
    """Rate at which a state decays, by changes of its derivative with it on both sides; 0 where it does not."""
    import numpy as np

    here, rates = system.rates_beside(t, y), [0.0]
    for sign in (1.0, -1.0):
        moved = y.copy()
        moved[state] += sign * max(1e-6 * abs(y[state]), 1e-9)
        there = system.rates_beside(t, moved)
        if here is not None and there is not None:
            rates.append(float((here[state] - there[state]) / (moved[state] - y[state])))
    return max(rate for rate in rates if np.isfinite(rate))


def _proportional(system: System, t: float, y: "Array", rate: float, state: int) -> Iterator[str]:
    """Parameters that make this time constant twice as long where they are twice as large, the smallest first."""
    import numpy as np

    p, slots = system.arrays[1], system.program.parameter_slots
    before, given = p.copy(), np.ones(len(slots))
    places = [i for i, slot in enumerate(slots) if slot.type == "real" and before[i] != 0.0][:MOST]
    for i in sorted(places, key=lambda i: abs(float(before[i]))):
        p[:] = before
        p[i] *= 2.0
        if system.executable.setup(p, given) == 0 and abs(2.0 * _rate(system, t, y, state) / rate - 1.0) < 0.1:
            yield show_name(slots[i].name)
    p[:] = before
