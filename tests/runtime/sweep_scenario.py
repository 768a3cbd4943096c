"""Runs of a sweep in Python, with parameters that are good, beyond limits, folded, or make rows end the run."""

from array import array
from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from acausal.ir.names import show_derivative
from acausal.runtime.divisor_bounds import CONSTANT, DIFFERENCE, NEGATIVE, PRODUCT, SUM, WAVE, DivisorBounds
from acausal.runtime.divisor_bounds import PARAMETER as GIVEN
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.runtime.limits import SHORTEST
from acausal.runtime.sweep.sweep import acausal_runs
from acausal.runtime.sweep.sweep_context import FINAL, FIXED, LARGEST, PARAMETER, SMALLEST, STORED, TIME, SweepContext
from acausal.simulate.system.system import System

ROWS = 60
FOLDED = 2.0
VALUES = ((1.3, FOLDED), (0.7, FOLDED), (-0.5, FOLDED), (0.9, 3.0), (2.5, FOLDED), (1.1, FOLDED), (1.7, FOLDED))
"""Of the parameters a and b, run by run: the third is below its limit, the fourth folded, the fifth ends the run."""
MODELS = {
    "sweep": """model M
  parameter a=1, b=2
  local x (start=1, fixed=true), y
  der(x) = -a*x + b*sin(a*time)
  y = x*(if a > 2 then 0 else 1)
end
""",
    "sweep with events": """model M
  parameter a=1, b=2
  local x (start=1, fixed=true), v (start=0, fixed=true), y
  der(x) = v
  der(v) = -a*b
  y = x*(if a > 2 then 0 else 1)
  when x < 0 then
    init(v) = -0.8*v
  endwhen
end
""",
}
NOMINAL_SHARE = 1e-6
DIVISORS = (
    ((GIVEN, 1), (GIVEN, 0), (WAVE,), (PRODUCT, 2, 2), (PRODUCT, 3, 1), (SUM, 0, 4)),
    ((CONSTANT, 0.0), (CONSTANT, 3.0), (SUM, 0, 1), (SUM, 2, 0), (NEGATIVE, 3), (DIFFERENCE, 4, 1)),
    ((GIVEN, 0), (CONSTANT, 1.1), (DIFFERENCE, 0, 1)),
)
"""b + a*sin()^2, -(3 + 0) - 3 and a - 1.1, which may be zero in the sixth run."""

COLUMNS = [
    *((STORED, 0, kind, 1.0) for kind in (FINAL, SMALLEST, LARGEST)),
    (TIME, 0, LARGEST, -1.0),
    (PARAMETER, 0, FINAL, 2.0),
    (FIXED, 4, FINAL, 1.0),
]


def sweep(loop: LoopContext, system: System, routine: Callable[[System, str], Callable[..., int]]) -> None:
    """All of these runs; what is left to Python is passed over."""
    c = sweep_context(loop, system, routine)
    while c.done < c.run_count:
        c.most_steps = c.steps_made + 3
        is_left = acausal_runs(c) != 0
        c.done += is_left
    c.most_steps = c.steps_made + 10_000
    c.done, c.input_count = c.run_count - 1, 1
    acausal_runs(c)
    c.input_count = 0
    c.done, c.stop = c.run_count - 1, inf  # no solver gets so far
    c.absolute[:] = 0.0
    acausal_runs(c)


def sweep_context(
    loop: LoopContext, system: System, routine: Callable[[System, str], Callable[..., int]]
) -> SweepContext:
    """All fields, in arrays of NumPy, which have parts."""
    program, known = system.program, {}

    def wide(value: Any) -> Any:
        if not isinstance(value, array):
            return value
        return known.setdefault(id(value), np.frombuffer(value, value.typecode) if len(value) else np.zeros(0))

    states, memory, frozen = loop.states, loop.memory, loop.frozen_count
    grid = np.asarray(loop.times, dtype=np.float64)
    lengths = {"row_times": ROWS, "row_states": ROWS * states, "row_frozen": ROWS * frozen, "row_memory": ROWS * memory}
    lengths |= {
        "row_inputs": ROWS * (frozen + 1),
        "stored": ROWS * program.stored_size,
        "slope": states,
        "wanted": states,
        "absolute": states,
    }
    lengths |= {"row_inputs": ROWS * (frozen + 1)}
    lengths |= {"first_states": program.result_size("initial"), "setup_room": program.memory_size}
    real = {name: np.zeros(length) for name, length in lengths.items()}
    real |= {"times": grid[1:].copy(), "given": np.array(VALUES).reshape(-1), "low": np.zeros(1)}
    real |= {"high": np.array([inf]), "expected": np.array([FOLDED]), "defaults": wide(loop.p).copy()}
    real |= {"is_given": np.ones(len(program.parameter_slots)), "fixed": np.full(5, 7.5)}
    real |= {"column_sign": np.array([c[3] for c in COLUMNS]), "system_numbers": np.zeros(2)}
    real |= {"table": np.zeros(len(VALUES) * len(COLUMNS))}
    whole: dict[str, Any] = {"places": [0, 1], "limited": [0], "folded": [1], "rates": [0], "ready_rows": [0]}
    whole |= {"wave_first": [0, 2], "wave_conditions": [0, 1, 1, 0], "wave_decays": [0, 1]}
    whole |= {"halted": [0], "most_run_steps": 0}
    whole |= {"condition_at": [_position(system, "y")], "condition_asserts": [1]}
    for number, name in enumerate(("source", "position", "kind")):
        whole[f"column_{name}"] = [c[number] for c in COLUMNS]
    counts = dict.fromkeys(("limited_count", "folded_count", "rate_count", "condition_count"), 1)
    counts |= dict.fromkeys(("done", "steps_made", "input_count", "has_differences", "root_function"), 0)
    sizes = {"run_count": len(VALUES), "parameters": len(real["defaults"]), "system_size": 2, "count": len(grid) - 1}
    sizes["row_count"] = sizes["count"]
    sizes |= {"found_count": lengths["first_states"], "stored_size": program.stored_size}
    sizes |= {"column_count": len(COLUMNS), "names": 2, "row_room": ROWS, "most_steps": 1, "tolerances": 1}
    numbers = {"start_time": 0.0, "shortest": SHORTEST, "relative": 1e-6, "nominal_share": NOMINAL_SHARE}
    numbers |= {"longest": 0.0}
    found = {name: wide(getattr(loop, name)) for name in fields(LoopContext)} | real | counts | sizes | numbers
    found |= {name: np.array(values, dtype=np.int64) for name, values in whole.items()}
    found |= {name: routine(system, name) for name in ("setup", "variables")}
    found |= dict.fromkeys(("set_tolerances", "set_longest", "set_roots"), lambda *_: 0)
    solver = loop.solve.__self__  # type: ignore[attr-defined]  # the method of an Integrator
    found["inputs"] = _apart(loop.inputs)
    c = SweepContext(**found, has_events=int(frozen > 0), passes_over=1, bounds=_bounds())
    solver.context = c
    return c


def _bounds() -> DivisorBounds:
    """The instructions of `DIVISORS`."""
    rows = [row for divisor in DIVISORS for row in divisor]
    width = max(len(divisor) for divisor in DIVISORS)
    arguments = [[row[i] if len(row) > i and row[0] != CONSTANT else -1 for row in rows] for i in (1, 2)]
    begins = np.cumsum([0, *(len(divisor) for divisor in DIVISORS)])
    return DivisorBounds(
        count=len(DIVISORS),
        begins=begins,
        operations=np.array([row[0] for row in rows]),
        first=np.array(arguments[0], dtype=np.int64),
        second=np.array(arguments[1], dtype=np.int64),
        constants=np.array([row[1] if row[0] == CONSTANT else 0.0 for row in rows]),
        width=width,
        low=np.zeros(width),
        high=np.zeros(width),
        is_product=np.zeros(width, dtype=np.int64),
        root=np.zeros(width, dtype=np.int64),
        powers=np.zeros(width * width, dtype=np.int64),
        interval=np.zeros(2),
    )


def _apart(struct: Struct) -> Struct:
    """A structure with arrays of its own."""

    def copy(value: Any) -> Any:
        if isinstance(value, Struct):
            return _apart(value)
        return value[:] if isinstance(value, array) else value

    return type(struct)(**{name: copy(getattr(struct, name)) for name in fields(type(struct))})


def _position(system: System, name: str) -> int:
    """Position of a stored variable."""
    found = {show_derivative(*slot.symbol): slot for slot in system.program.variable_slots}
    assert found[name].kind == "stored"
    return found[name].position
