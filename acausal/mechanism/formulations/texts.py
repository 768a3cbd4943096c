"""Operations of formulations as text, as plain data; their functions as files."""

from collections.abc import Sequence
from pathlib import Path

from acausal.analyses.linear_systems.text_tables import table
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import listed
from acausal.ir.program.instructions import Operations
from acausal.mechanism.formulations.formulation import Formulation

SUFFIXES, SHOWN = (".c", ".py"), 6
Counts = dict[str, Operations]


def operations_text(counts: Counts, chosen: str, forces: Sequence[str] = ()) -> str:
    """A row for each formulation; the chosen one is marked. `forces` are force elements, which they do not have."""
    rows = [
        [f"{name}{' *' if name == chosen else ''}", *[str(n) for n in (o.mul, o.add, o.div, o.functions)]]
        for name, o in counts.items()
    ]
    head = "operations of the accelerations for given positions, velocities and efforts, parameters known"
    lines = [head, *table(["formulation", "mul", "add, sub", "div", "functions"], rows)]
    if forces:
        lines.append(f"without {listed(forces, SHOWN)}: the equations contain efforts of joints, not force elements")
    return "\n".join(lines)


def operations_data(counts: Counts, chosen: str, forces: Sequence[str] = ()) -> dict[str, object]:
    """The counts by the names of the formulations, and the force elements that these do not have."""
    found = {
        name: {"mul": o.mul, "add": o.add, "div": o.div, "neg": o.neg, "functions": o.functions}
        for name, o in counts.items()
    }
    return {"formulation": chosen, "operations": found, "without": list(forces)}


def formulation_file(found: Formulation, suffix: str) -> str:
    """The accelerations in the language of the suffix .c or .py."""
    return found.accelerations.to_c() if suffix == ".c" else found.accelerations.to_python()


def need_suffix(code: Path | None) -> None:
    """UsageError F006 for a file with another suffix than .c and .py."""
    if code is not None and code.suffix not in SUFFIXES:
        message = f"no language has files with the suffix {code.suffix!r}"
        raise UsageError(Diagnostic("F006", message, help=f"suffixes: {', '.join(SUFFIXES)}"))
