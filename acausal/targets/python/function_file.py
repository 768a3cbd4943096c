"""A program that stands for a function, as one Python module that needs NumPy only."""

from collections.abc import Sequence

from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.targets.identifiers import identifier_of
from acausal.targets.python.inline import HEADER, Inlined
from acausal.targets.python.routine import NUMPY, number, routine_function
from acausal.targets.python.run_time_text import imports_text, solvers_of
from acausal.targets.readable_routine import slot_names
from acausal.targets.source_lines import one_line

_ROUTINES = ("setup", "derivatives")


def python_function(program: Program, name: str, arguments: Sequence[tuple[str, int]], shape: tuple[int, ...]) -> str:
    """The module: a function of arrays with the name of the function, and `PARAMETERS` with their values."""
    slots = slot_names(program)
    routines = [
        "\n" + routine_function("setup", program.setup, "Complete p: what parameters alone determine.", slots, {}, 0),
        "\n" + routine_function("derivatives", program.derivatives, "The results into out.", slots, {}, 0),
    ]
    solvers = solvers_of(program, _ROUTINES)
    run_time = Inlined(solvers, (), (*_ROUTINES, *NUMPY))
    function = identifier_of(((name,), 0))
    given = ", ".join([a for a, _ in arguments])
    sizes = ", ".join([f"{a} ({n},)" for a, n in arguments])
    values = [f"    {show_name(s.name)!r}: {number(float(s.value))}," for s in program.parameter_slots]
    return "\n".join(
        [
            f'"""{one_line(program.name)}: {function} of {sizes}, in SI units."""',
            "",
            "from __future__ import annotations",
            "",
            imports_text(run_time, "".join(routines)),
            *(["from types import SimpleNamespace", ""] if solvers else []),
            "import numpy as np",
            "",
            "PARAMETERS = {",
            *values,
            "}",
            *routines,
            *([HEADER, run_time.text()] if solvers else []),
            f"\ndef {function}({given}, parameters=PARAMETERS):",
            f'    """The result, shape {shape}; other values of parameters in the order of `PARAMETERS`."""',
            f"    u = np.concatenate([np.asarray(x, dtype=float) for x in ({given},)])",
            f"    p, out = np.zeros({program.parameter_size}), np.zeros({len(program.state_slots)})",
            f"    p[:{len(program.parameter_slots)}] = list(parameters.values())",
            f"    setup(0.0, None, np.ones({len(program.parameter_slots)}), p, None, p)",
            f"    if derivatives(0.0, None, u, p, np.zeros({program.memory_size}), out):",
            '        raise ArithmeticError("equations cannot be solved")',
            f"    return out.reshape({shape})" if shape else "    return float(out[0])",
            "",
        ]
    )
