"""Parts of models that the C target does not have."""

from acausal.ir.program import Program
from acausal.targets.unsupported import unsupported


def check_supported(program: Program) -> None:
    """ModelError F040 for a model that the C code could not run."""
    for slot in program.delays:
        hint = "approximate the delay by a chain of first-order elements"
        raise unsupported("c", "delays", slot.origin, hint)
