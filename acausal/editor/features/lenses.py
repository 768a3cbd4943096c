"""Code lenses: above a model its size and a run of it, above a class the number of its uses."""

from collections.abc import Iterable
from typing import Literal

from acausal.base.frozen import dataclass
from acausal.editor.text.document import Document, Range
from acausal.editor.text.findings import Findings
from acausal.ir import ast


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above a name: `simulate` and `uses` are made to commands by the server."""

    range: Range
    kind: Literal["text", "simulate", "uses"]
    text: str


def lenses(document: Document, findings: Iterable[Findings]) -> list[Lens]:
    """The lenses of the classes at the top of a document."""
    models = {model.name: model for found in findings for model in found.models}
    made: list[Lens] = []
    for unit in document.units:
        place = document.place(unit.name_span) if isinstance(unit, ast.Class) else None
        if not isinstance(unit, ast.Class) or place is None:
            continue
        if unit.kind != "model":
            made.append(Lens(place, "uses", unit.name))
            continue
        made.append(Lens(place, "simulate", unit.name))
        if unit.name in models:
            facts = models[unit.name]
            states = f"{len(facts.states)} state{'s' * (len(facts.states) != 1)}"
            made.append(Lens(place, "text", f"{facts.equations} equations, {states}"))
    return made
