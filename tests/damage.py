"""Damaged models through the whole of `check`: mistakes are told, whatever is wrong."""

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from time import process_time

from acausal.diagnostics import ModelError
from acausal.pipeline import check
from acausal.render import render
from tests.collection import EXAMPLES, correct_models
from tests.syntax.damage import mutated, token_pieces

SECONDS = 2.0
"""Processor time that one check may take."""


def check_changed(random: Random) -> None:
    """One model of the repository with tokens changed or lines left out, doubled and exchanged."""
    name, text = random.choice(_models())
    pieces = random.choice([token_pieces, _lines])(text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(mutated(random, pieces, len(pieces)), encoding="utf-8", newline="")
        begin = process_time()
        try:
            report = check(path)
        except ModelError as error:
            report = error.report
        assert process_time() - begin < SECONDS
        assert isinstance(render(report), str)


@cache
def _models() -> list[tuple[str, str]]:
    """Models that are one file."""
    found = [next(iter(m.files.items())) for m in correct_models() if len(m.files) == 1]
    return found + [(e.name, e.read_text(encoding="utf-8")) for e in EXAMPLES]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
