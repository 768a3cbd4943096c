"""Diagnostics of a document with places in the present texts, and the corrections that belong to them."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from acausal.base.frozen import dataclass
from acausal.editor.checks.facts import Json, diagnostic_data
from acausal.editor.text.document import Document
from acausal.editor.text.findings import Findings
from acausal.editor.text.project import Location, Project, is_standard
from acausal.ir import ast

_Place = tuple[str, int, int, str]


@dataclass(frozen=True, slots=True)
class Correction:
    """A change that is certain: the texts for places, and the hint that says so."""

    title: str
    edits: tuple[tuple[Location, str], ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A diagnostic at a place."""

    location: Location
    code: str
    severity: str
    message: str
    related: tuple[tuple[Location, str], ...] = ()
    correction: Correction | None = None


def syntax_problems(document: Document) -> list[Problem]:
    """Mistakes of syntax, known as soon as the text is."""
    found = []
    for mistake, piece in document.mistakes:

        def place(written: tuple[str, int, int], start: int = piece.start) -> Location:
            return Location(document.path, written[1] + start, written[2] + start)

        made = _problem(diagnostic_data(mistake), place, document.path)
        if made is not None:
            found.append(made)
    return found


def checked_problems(findings: Findings, document: Document, project: Project) -> Iterator[Problem]:
    """Findings of the check; without mistakes of syntax while the present text has others.

    Those in the standard library are shown at the model that uses it.
    """
    typing = any(True for _ in document.mistakes)
    for found in findings.diagnostics:
        if typing and str(found["code"]).startswith("P"):
            continue
        made = _problem(found, lambda place: _now(findings, project, place), document.path)
        if made is not None and is_standard(made.location.path):
            said = made.message.partition("\n")[0]
            made = replace(made, location=_model(document), related=((made.location, said), *made.related))
        if made is not None:
            yield made


def _model(document: Document) -> Location:
    """The name of the last model."""
    places = [document.place(u.name_span) for u in document.units if isinstance(u, ast.Class) and u.kind == "model"]
    found = [place for place in places if place is not None]
    return Location(document.path, *(found[-1] if found else (0, 0)))


def _now(findings: Findings, project: Project, place: tuple[str, int, int]) -> Location | None:
    """Where a place of a checked text is now; None where the text has changed."""
    file, start, end = place
    path = Path(file)
    opened = project.document(path) if os.path.realpath(path) in findings.texts else None
    if opened is None:
        return Location(path, start, end)
    now = findings.since(opened).forward(start, end)
    return None if now is None else Location(opened.path, *now)


def _problem(found: Json, locate: Callable[[tuple[str, int, int]], Location | None], path: Path) -> Problem | None:
    """A diagnostic as data with its places; None where its own place has gone."""
    primary = cast("_Place | None", found["primary"])
    location = Location(path, 0, 0) if primary is None else locate(primary[:3])
    if location is None:
        return None
    said = f": {primary[3]}" if primary is not None and primary[3] else ""
    help_ = cast("str | None", found["help"])
    notes = [f"note: {note}" for note in cast("list[str]", found["notes"])]
    hint = [] if help_ is None else [f"help: {help_}"]
    related = [
        (locate((file, start, end)), text) for file, start, end, text in cast("list[_Place]", found["secondary"])
    ]
    edits = [(locate((file, start, end)), text) for file, start, end, text in cast("list[_Place]", found["fix"])]
    sure = tuple([(place, text) for place, text in edits if place is not None])
    return Problem(
        location,
        str(found["code"]),
        str(found["severity"]),
        "\n".join([f"{found['message']}{said}", *notes, *hint]),
        tuple([(place, text) for place, text in related if place is not None]),
        Correction(help_ or str(found["message"]), sure) if sure and len(sure) == len(edits) else None,
    )
