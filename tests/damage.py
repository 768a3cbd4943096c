"""Damaged models through the whole of `check`: mistakes are told, whatever is wrong."""

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from time import process_time

from acausal.base.diagnostics import ModelError, Report
from acausal.checking import check
from acausal.render import render
from tests.collection import EXAMPLES, correct_models
from tests.syntax.damage import SECONDS, mutated, token_pieces

KEYWORDS = frozenset("model class end submodel cut main path node connect to at parameter local experiment".split())


def check_changed(random: Random) -> None:
    """One model of the repository: mostly names exchanged and lines left out, else any damage."""
    name, text = random.choice(_models())
    change = random.choice([_words_exchanged, _words_exchanged, _lines_missing, _damaged])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(change(random, text), encoding="utf-8", newline="")
        report, taken = _checked(path)
        if taken > SECONDS:  # what was left of other models may have been collected meanwhile
            report, taken = _checked(path)
        assert taken < SECONDS
        assert isinstance(render(report), str)


def _checked(path: Path) -> tuple[Report, float]:
    """The report, and the processor time it took."""
    begin = process_time()
    try:
        report = check(path)
    except ModelError as error:
        report = error.report
    return report, process_time() - begin


@cache
def _models() -> list[tuple[str, str]]:
    """Models that are one file."""
    found = [next(iter(m.files.items())) for m in correct_models() if len(m.files) == 1]
    return found + [(e.name, e.read_text(encoding="utf-8")) for e in EXAMPLES]


def _words_exchanged(random: Random, text: str) -> str:
    """Up to three names, numbers or operators become others of the same kind: most such texts can be parsed."""
    pieces = token_pieces(text)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(pieces))
        kind = _kind(pieces[at])
        pieces[at] = random.choice([piece for piece in pieces if _kind(piece) == kind])
    return "".join(pieces)


def _kind(piece: str) -> str:
    if piece in KEYWORDS or piece.isspace() or not piece:
        return "fixed"
    return "word" if piece[0].isalpha() else "number" if piece[0].isdigit() else "sign"


def _lines_missing(random: Random, text: str) -> str:
    """A line or two left out, doubled, or put elsewhere."""
    lines = text.splitlines(keepends=True)
    for _ in range(random.randint(1, 2)):
        line = lines.pop(random.randrange(len(lines)))
        for _ in range(random.choice([0, 0, 1, 2])):
            lines.insert(random.randrange(len(lines) + 1), line)
    return "".join(lines)


def _damaged(random: Random, text: str) -> str:
    pieces = token_pieces(text)
    return mutated(random, pieces, len(pieces))
