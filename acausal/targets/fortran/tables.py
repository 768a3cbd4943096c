"""Tables of a model in Fortran: sizes, names, parameters, variables, texts of failures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from acausal.ir.names import show_derivative, show_name
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.targets.c.interface.texts import block_texts
from acausal.targets.fortran.memory import vector

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel

LONGEST = 64
"""Characters of names in tables."""
TEXT = 160
"""Characters of texts."""


def tables(model: "CompiledModel") -> Iterator[str]:
    """All of them."""
    program = model.program
    sizes = {
        "state_count": len(program.state_slots),
        "frozen_count": len(program.table.frozen),
        "input_count": len(program.input_slots),
        "crossing_count": program.table.crossings,
        "condition_count": len(program.conditions),
        "parameter_count": len(program.parameter_slots),
        "variable_count": len(program.variable_slots),
        "text_length": TEXT,
    }
    yield from [f"  integer, parameter :: {name} = {value}" for name, value in sizes.items()]
    slots, folded = program.parameter_slots, set(model.folded)
    yield from _names("state_names", [show_derivative(*s.symbol) for s in program.state_slots])
    yield from _names("input_names", [show_derivative(*s) for s in program.input_slots])
    yield from _names("parameter_names", [show_name(s.name) for s in slots])
    yield from vector("real(dp), parameter", "parameter_values", [literal_text(float(s.value)) for s in slots], 4)
    fixed = [s.constant or s.name in folded for s in slots]
    yield from vector("logical, parameter", "parameter_is_fixed", [".true." if f else ".false." for f in fixed])
    variables = program.variable_slots
    yield from _names("variable_names", [show_derivative(*v.symbol) for v in variables])
    kinds = ("stored", "parameter", "constant", "time")
    yield from vector("integer, parameter", "variable_kinds", [str(kinds.index(v.kind)) for v in variables])
    yield from vector("integer, parameter", "variable_places", [str(v.position) for v in variables])
    yield from vector("real(dp), parameter", "variable_signs", [literal_text(float(v.sign)) for v in variables], 4)
    yield from vector("real(dp), parameter", "variable_values", [literal_text(float(v.value)) for v in variables], 4)
    conditions = [slot.text for slot in program.conditions] + [slot.text for slot in program.table.announcements]
    yield from _names("block_texts", block_texts(program) or [""], TEXT)
    yield from _names("condition_texts", conditions or [""], TEXT)
    asserts = [str(int(slot.kind == "assert")) for slot in program.table.announcements] or ["0"]
    yield from vector("integer, parameter", "announcement_asserts", asserts)


def _names(name: str, texts: list[str], longest: int = LONGEST) -> Iterator[str]:
    """Texts of one length, each on lines of its own."""
    shown = [_plain(text)[:longest].ljust(longest) for text in texts]
    literals = [" // &\n    ".join([f'"{text[i : i + 100]}"' for i in range(0, longest, 100)]) for text in shown]
    yield from vector(f"character({longest}), parameter", name, literals, 1)


def _plain(text: str) -> str:
    return " ".join(text.replace('"', "'").split()).encode("ascii", "replace").decode("ascii")
