"""Digest of a program with the values that its parameters have."""

import hashlib

from acausal.ir.program.program import Program
from acausal.ir.show.program import show_program


def program_digest(program: Program) -> str:
    """Digest of name, text and values of parameters, without the experiment."""
    slots = [(slot.name, slot.value) for slot in program.parameter_slots]
    whole = repr((program.name, show_program(program), slots))
    return hashlib.sha256(whole.encode()).hexdigest()
