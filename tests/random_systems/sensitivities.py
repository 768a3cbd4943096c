"""Random hybrid systems with parameters: sensitivities against extrapolated differences of runs.

Smooth couplings, relations that switch a rate, restarts, discrete variables and samples; parameters are everywhere.
"""

from random import Random

import numpy as np
from numpy.typing import NDArray

import acausal
from acausal.runs import RunError

STOP, WITHIN = 2.0, 1e-6
CODES = ("A021", "A022")
Values = NDArray[np.float64]


def text(rng: Random) -> tuple[str, dict[str, float]]:
    """A model with two to four states, and its parameters."""
    n = rng.randint(2, 4)
    values = {f"p{i}": rng.uniform(0.3, 2.0) for i in range(6)}

    def p() -> str:
        return rng.choice(list(values))

    def x() -> str:
        return f"x{rng.randrange(n)}"

    lines = [f"discrete real d (start={p()})", "discrete real k (start=0)"]
    for i in range(n):
        lines.append(f"local x{i} (start={p()})")
        terms = [f"-{p()}*x{i}", f"{p()}*sin({x()})", f"0.3*d*cos({p()}*time)"]
        if rng.random() < 0.6:
            terms.append(f"(if {x()} > {rng.uniform(0.1, 0.9)}*{p()} then {p()} else -{x()})")
        lines.append(f"der(x{i}) = {' + '.join(terms)}")
    i = rng.randrange(n)
    lines += [f"when x{i} < {rng.uniform(0.1, 0.6)}*{p()} then", f"init(x{i}) = x{i} + {p()}", "endwhen"]
    lines += [f"when sample({p()}, {p()}) then", f"new(d) = 0.5*d + {x()}", "new(k) = k + time", "endwhen"]
    declared = ", ".join([f"{name} (tunable=true) = {value!r}" for name, value in values.items()])
    return "\n".join(["model M", f"parameter {declared}", *lines, "end", ""]), values


def sensitivities_of_random_systems(rng: Random) -> None:
    """All derivatives at three times, where runs beside have as many events; or a code that says why there are none."""
    model, values = text(rng)
    t = acausal.translate(model, cache=False)
    names, times = list(values), [0.7, 1.3, STOP]
    variables = [name for name in (*[f"x{i}" for i in range(4)], "d", "k") if f" {name} (start" in model]
    try:
        s = t.sensitivities(names, variables, times=times, tolerance=1e-12)
    except RunError as error:
        if error.report.diagnostics[0].code in CODES:
            return
        raise
    rows = [i for i, at in enumerate(times) if abs(s.events.times - at).min(initial=1.0) > 1e-2]
    for k, name in enumerate(names):
        found = [_moved(t, values, name, h, (variables, times, _order(s.result))) for h in (2e-3, 1e-3, 5e-4)]
        if any(one is None for one in found):
            continue
        a, b, c = [one for one in found if one is not None]
        first, second = (4 * b - a) / 3, (4 * c - b) / 3
        expected = (16 * second - first) / 15
        error = abs(s.derivatives[rows, :, k] - expected[rows])
        allowed = WITHIN * (1 + abs(expected[rows])) + 3 * abs(second - first)[rows]
        assert (error <= allowed).all(), f"{model}\n{name}: {error.max()}"


def _order(run: acausal.Result) -> list[str]:
    """What changes at the events, one after the other."""
    return [change.partition(" = ")[0] for event in run.events for change in event.changes]


def _moved(
    t: acausal.Translation,
    values: dict[str, float],
    name: str,
    h: float,
    asked: tuple[list[str], list[float], list[str]],
) -> Values | None:
    """The central difference; None where runs have other events, or another order of them."""
    variables, times, order = asked
    found = []
    for sign in (1, -1):
        moved = {name: values[name] * (1 + sign * h)}
        run = t.simulate(stop=STOP, interval=0.1, tolerance=1e-12, parameters=moved)
        if _order(run) != order:
            return None
        rows = np.searchsorted(run.time, np.array(times) + 1e-9) - 1
        found.append(np.array([run[v][rows] for v in variables]).T)
    difference: Values = (found[0] - found[1]) / (2 * h * values[name])
    return difference
