"""Results of the last check of a document, and where they are in the present texts."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import cast

from acausal.base.frozen import dataclass
from acausal.editor.checks.facts import Json, Solved
from acausal.editor.text.document import Document, Range
from acausal.editor.text.edits import Change, change


@dataclass(frozen=True)
class ModelFacts:
    """Facts of one model: units and values by name, the instances in whose text something stands, solved equations."""

    name: str
    values: Mapping[str, tuple[str | None, str | None]]
    instances: tuple[tuple[str, int, str], ...]
    solved: tuple[Solved, ...]
    equations: int
    states: tuple[str, ...]

    @cached_property
    def by_file(self) -> dict[str, list[tuple[int, str]]]:
        """Offsets and instances by the real path of the file."""
        found: dict[str, list[tuple[int, str]]] = {}
        for file, start, instance in self.instances:
            found.setdefault(os.path.realpath(file), []).append((start, instance))
        return found

    def instances_in(self, path: str, place: Range) -> list[str]:
        """The instances of the class whose text is at a place of a file."""
        known = self.by_file.get(path, ())
        return list(dict.fromkeys([name for start, name in known if place[0] <= start < place[1]]))


@dataclass(frozen=True)
class Findings:
    """Diagnostics as data and facts of models; `texts` are those of the open documents that were checked."""

    diagnostics: tuple[Json, ...]
    models: tuple[ModelFacts, ...]
    texts: Mapping[str, str]

    def since(self, document: Document) -> Change:
        """The change of a document since."""
        return change(self.texts.get(document.real_path, document.text), document.text)


def findings_of(answer: Json, texts: Mapping[str, str]) -> Findings:
    """The findings in an answer of the worker."""
    models = [_model(cast("Json", model)) for model in cast("list[object]", answer.get("models", []))]
    return Findings(tuple(cast("list[Json]", answer.get("diagnostics", []))), tuple(models), texts)


def _model(data: Json) -> ModelFacts:
    values = cast("dict[str, list[str | None]]", data["values"])
    return ModelFacts(
        str(data["model"]),
        {name: (unit, value) for name, (unit, value) in values.items()},
        tuple([(file, start, name) for file, start, name in cast("list[tuple[str, int, str]]", data["instances"])]),
        tuple([Solved(*item) for item in cast("list[tuple[str, int, int, str, str, str]]", data["solved"])]),
        cast("int", data["equations"]),
        tuple(cast("list[str]", data["states"])),
    )


def solved_in(findings: Findings, document: Document) -> Iterator[tuple[Range, list[Solved]]]:
    """The equations of a document, at their present places, with what each is solved for in its instances."""
    since = findings.since(document)
    places: dict[Range, list[Solved]] = {}
    files = {item.file for model in findings.models for item in model.solved}
    ours = {file for file in files if os.path.realpath(file) == document.real_path}
    for model in findings.models:
        for item in model.solved:
            if item.file in ours:
                places.setdefault((item.start, item.end), []).append(item)
    for (start, end), items in sorted(places.items()):
        now = since.forward(start, end)
        if now is not None:
            yield now, items
