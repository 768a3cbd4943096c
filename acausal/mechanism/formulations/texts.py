"""Operations of formulations as text, as plain data; their functions as files."""

from acausal.analyses.text_tables import table
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.program.instructions import Operations
from acausal.mechanism.formulations.formulation import Formulation

SUFFIXES = (".c", ".py")
Counts = dict[str, Operations]


def operations_text(counts: Counts, chosen: str) -> str:
    """A row for each formulation; the chosen one is marked."""
    rows = [
        [f"{name}{' *' if name == chosen else ''}", *[str(n) for n in (o.mul, o.add, o.div, o.functions)]]
        for name, o in counts.items()
    ]
    head = "operations of the accelerations for given positions, velocities and efforts, parameters known"
    return "\n".join([head, *table(["formulation", "mul", "add, sub", "div", "functions"], rows)])


def operations_data(counts: Counts, chosen: str) -> dict[str, object]:
    """The counts by the names of the formulations."""
    found = {
        name: {"mul": o.mul, "add": o.add, "div": o.div, "neg": o.neg, "functions": o.functions}
        for name, o in counts.items()
    }
    return {"formulation": chosen, "operations": found}


def formulation_file(found: Formulation, suffix: str) -> str:
    """The accelerations in the language of the suffix; UsageError F006 for another one than .c and .py."""
    if suffix not in SUFFIXES:
        message = f"no language has files with the suffix {suffix!r}"
        raise UsageError(Diagnostic("F006", message, help=f"suffixes: {', '.join(SUFFIXES)}"))
    return found.accelerations.to_c() if suffix == ".c" else found.accelerations.to_python()
