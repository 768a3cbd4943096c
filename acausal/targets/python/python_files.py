"""The files of the Python target: one module, the model first, behind it the run time.

The run time is our own: kernels and the run with SciPy, as far as the model needs them (`run_time_text`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from acausal.ir.names import Name, Symbol, show_derivative, show_name
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.simulate.solver.event_tables import context_sizes, slot_tables
from acausal.targets.divisor_routine import divisor_routine
from acausal.targets.python.inline import HEADER
from acausal.targets.python.model_fields import model_fields, set_fields
from acausal.targets.python.routine import ARGUMENTS, number, routine_function
from acausal.targets.python.run_time_text import imports_text, run_time_of
from acausal.targets.readable_routine import slot_names
from acausal.targets.source_lines import one_line, source_line, source_lines
from acausal.targets.state_sets import state_sets
from acausal.targets.target_options import TargetOptions
from acausal.targets.unsupported import unsupported
from acausal.version import __version__

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_table import Files

_DOCS = {
    "setup": "Complete p: values that are computed from others where u is 0, then what the routines need of all.",
    "initial": "States of the first instant at time t (s) into out, and start values of blocks into m.",
    "derivatives": "Rates of the states y (`STATES`) at time t (s) into out, in their units per second.",
    "variables": "All stored variables (`VARIABLES`) into out, then the conditions of `assert` and `terminate`.",
    "events": "New values of what only events change, restarts and announcements (`EVENT_TABLES`) into out.",
    "crossings": "Root functions into out: a change of sign is an event.",
    "choices": "Matrices by which the choice of states is judged, into out.",
    "delayed": "Delayed expressions and their delay times (s) into out.",
    "divisors": "Divisors of the derivatives that may pass zero, into out.",
}


def python_files(model: "CompiledModel", name: str, options: TargetOptions) -> "Files":  # noqa: ARG001 - of all targets
    """The module."""
    sets = state_sets(model, "Python")
    program = sets[0]
    _check(program)
    routines = list(_routines(program, source_lines(model.stages)))
    for place, other in enumerate(sets[1:], 1):
        routines += _routines(other, {}, f"_{place}")
    run_time = run_time_of(sets)
    imports = imports_text(run_time, "".join(routines))
    sections = [_opening(program, name), imports, "", *_tables(program), *routines, HEADER, run_time.text()]
    return {".py": "\n".join([*sections, *_ending(sets, model.folded)])}


def _check(program: Program) -> None:
    """ModelError F040 for what the module cannot do."""
    delays = {slot.name: slot for slot in program.delays}
    for symbol, order in program.input_slots:
        if symbol in delays and order > 1:
            raise unsupported("Python", "the second derivative of a delayed expression", delays[symbol].origin)


def _opening(program: Program, name: str) -> str:
    title = one_line(program.name)
    return f'''\
"""The model {title}, made by acausal {__version__}.

    python {name}.py --stop 2 --set P=1 -o {name}.csv       simulates (needs SciPy)

    import {name}
    found = {name}.simulate(stop=2, parameters={{"P": 1}})   columns of all variables by name
    p = {name}.parameters(P=1)                               complete parameters, as the routines take them
    dydt = {name}.derivative(t, y, p)                        dy/dt

All values are in the units of the tables. Routines take arrays: states y, discrete values and behind them inputs u,
parameters and values computed from them p, memory of nonlinear blocks m, results out; they return 0, or the number of a
block of equations that could not be solved.
"""

from __future__ import annotations

'''


def _tables(program: Program) -> Iterator[str]:
    yield "STATES = {"
    units = {slot.symbol: slot.unit for slot in program.variable_slots}
    for slot in program.state_slots:
        yield f"    {show_derivative(*slot.symbol)!r}: {units.get(slot.symbol) or ''!r},"
    yield '}\n"""States y and their units."""\n'
    yield "PARAMETERS = {"
    for p in program.parameter_slots:
        about = one_line(" ".join(filter(None, [p.unit, p.description])))
        yield f"    {show_name(p.name)!r}: {number(float(p.value))}," + (f"  # {about}" if about else "")
    yield '}\n"""Parameters p, their units and what they are."""\n'
    yield "VARIABLES = ["
    for v in program.variable_slots:
        value = number(float(v.value))
        about = f"  # {one_line(v.unit)}" if v.unit else ""
        yield f"    ({show_derivative(*v.symbol)!r}, {v.kind!r}, {v.position}, {v.sign!r}, {value}),{about}"
    yield '''\
]
"""Variables: where each stands (results of `variables`, p, time, constant), its sign, its value if it is constant."""
'''


def _routines(program: Program, lines: Mapping[Symbol, str], suffix: str = "") -> Iterator[str]:
    slots = slot_names(program)
    empty = [name for name in ROUTINES if not routine_of(program, name).code]
    for name in ROUTINES:
        if name not in empty:
            routine = routine_of(program, name)
            yield "\n" + routine_function(f"{name}{suffix}", routine, _DOCS[name], slots, lines, program.work)
    divisors = divisor_routine(program)
    if divisors is not None:
        yield "\n" + routine_function(f"divisors{suffix}", divisors, _DOCS["divisors"], slots, {}, program.work)
    if empty and not suffix:
        doc = "In the place of routines that this model does not need."
        yield f'\ndef nothing({ARGUMENTS}):\n    """{doc}"""\n    return 0\n\n'
    if empty:
        yield f"\n{' = '.join([f'{name}{suffix}' for name in empty])} = nothing\n\n"


def _ending(sets: Sequence[Program], folded: Collection[Name]) -> Iterator[str]:
    program, table = sets[0], sets[0].table
    sizes = context_sizes(program)
    tables = {name: value.tolist() for name, value in slot_tables(program).items()}
    yield "\n\nEVENT_SIZES = {"
    yield from [f'    "{name}": {value},' for name, value in sizes.items()]
    yield "}\n\nEVENT_TABLES = {"
    yield from [f'    "{name}": {value},' for name, value in tables.items()]
    yield "}\n"
    yield from [f"# frozen value {i}: {source_line(f.origin)}" for i, f in enumerate(table.frozen)]
    yield "\nMODEL = SimpleNamespace("
    fields = model_fields(program, folded, ("STATES", "EVENT_SIZES", "EVENT_TABLES"))
    fields |= set_fields(sets) if len(sets) > 1 else {}
    yield from [f"    {name}={value}," for name, value in fields.items()]
    yield ")"
    yield from _other_sets(sets, fields, folded)
    yield _INTERFACE


def _other_sets(sets: Sequence[Program], fields: Mapping[str, str], folded: Collection[Name]) -> Iterator[str]:
    """`MODEL` for each set of states, by what differs from the first."""
    names = ["MODEL", *[f"MODEL_{place}" for place in range(1, len(sets))]]
    for place, (name, program) in enumerate(zip(names[1:], sets[1:], strict=True), 1):
        own = _set_tables(program)
        made = model_fields(program, folded, own, f"_{place}") | {"number": str(place)}
        yield f"{name} = SimpleNamespace(**{{**vars(MODEL), **dict("
        yield from [f"    {field}={value}," for field, value in made.items() if value != fields.get(field)]
        yield ")})"
    yield f"MODEL.sets = ({', '.join(names)},)\n"


def _set_tables(program: Program) -> tuple[str, str, str]:
    """States with their units, sizes and tables of events."""
    units = {slot.symbol: slot.unit for slot in program.variable_slots}
    states = {show_derivative(*slot.symbol): units.get(slot.symbol) or "" for slot in program.state_slots}
    tables = {name: value.tolist() for name, value in slot_tables(program).items()}
    return repr(states), repr(context_sizes(program)), repr(tables)


_INTERFACE = '''

def parameters(**given):
    """Complete p for these values; names with points as `parameters(**{"load.J": 2})`."""
    return complete_parameters(MODEL, given)


def derivative(t, y, p, u=None, m=None):
    """dy/dt at time t (s), states y and complete parameters p; u are discrete values and inputs, m memory of blocks."""
    import numpy as np

    y, out = np.asarray(y, dtype=float), np.zeros(len(STATES))
    u = np.zeros(MODEL.input_size) if u is None else u
    m = np.zeros(MODEL.memory_size) if m is None else m
    with np.errstate(all="ignore"):
        status = derivatives(np.float64(t), y, u, p, m, out)
    if status:
        raise SimulationError(f"{MODEL.blocks[status - 1]} cannot be solved")
    return out


def simulate(parameters=None, inputs=None, stop=None, interval=None, tolerance=None, method="LSODA"):
    """A run with a solver of SciPy: `columns` of all variables by name, `events`, and how it ended."""
    return run_model(MODEL, parameters, inputs, stop, interval, tolerance, method)


if __name__ == "__main__":
    main(MODEL)
'''
"""Functions that users call."""
