"""Digest of a program with the values that its parameters have."""

import hashlib

from acausal.ir.program.program import Program
from acausal.ir.show.program import show_program


def program_digest(program: Program) -> str:
    """The same for programs that compute the same from the same inputs, parameters and settings."""
    slots = [(slot.name, slot.value) for slot in program.parameter_slots]
    whole = repr((program.name, show_program(program), slots))
    return hashlib.sha256(whole.encode()).hexdigest()
