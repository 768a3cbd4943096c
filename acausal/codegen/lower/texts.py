"""String parameters for results: programs compute with numbers only."""

from dataclasses import replace
from pathlib import Path

from acausal.ir.flat import FlatModel
from acausal.ir.program.program import Program
from acausal.ir.program.slots import TextSlot


def with_texts(program: Program, flat: FlatModel) -> Program:
    """The program with the string parameters of submodels, where the flat model has any."""
    texts = [p for p in flat.parameters if p.type == "string" and isinstance(p.value, str) and len(p.symbol.name) > 1]
    if not texts:
        return program
    folders = {c.path: str(Path(c.span.file.name).parent) for c in flat.components}
    slots = [TextSlot(p.symbol.name, str(p.value), folders.get(p.symbol.name[:-1], ".")) for p in texts]
    return replace(program, texts=tuple(slots))


def with_texts_of(program: Program, first: Program) -> Program:
    """A program of the same model for other states, with the string parameters of the first one."""
    return replace(program, texts=first.texts) if first.texts else program
