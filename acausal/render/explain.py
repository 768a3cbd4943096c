"""Text of `acausal explain CODE`."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from textwrap import fill, indent

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.codes import STAGES, all_codes
from acausal.codes.entry import CHECK
from acausal.codes.words import WORDS

WIDTH = 88


_LIKE_A_CODE = re.compile(r"[A-Z][-_ ]?[0-9O]{1,4}")
NO_HABITS: Mapping[str, str] = {}


def explain(code: str, habits: Mapping[str, str] = NO_HABITS, width: int = WIDTH) -> str:
    """Title, meaning, a faulty example and how to correct it; of a word of the language its meaning and form.

    `habits` are hints for words of other languages. UsageError F009 for anything else.
    """
    codes = all_codes()
    entry = codes.get(code.strip().upper())
    word = code.strip()
    if entry is None and word in WORDS:
        meaning, form = WORDS[word]
        return "\n\n".join([fill(f"{word}: {meaning}", width), "For example:", indent(form, "    ")])
    if entry is None and word in habits:
        return fill(f"`{word}` is not a keyword of the language: {habits[word]}", width)
    if entry is None:
        raise UsageError(Diagnostic("F009", f"unknown code {code}", help=_nearest(code, list(codes))))
    example = [entry.example.strip("\n")] if entry.example else []
    if entry.command and (not entry.example or entry.command != CHECK):
        example.append(f"$ {entry.command}")
    return "\n\n".join(
        [
            f"{code.strip().upper()}: {entry.title}",
            fill(entry.meaning, width),
            "For example:",
            *[indent(part, "    ") for part in example],
            fill(f"Fix: {entry.fix}", width),
        ]
    )


def all_titles() -> dict[str, str]:
    """The title of every code."""
    return {code: entry.title for code, entry in all_codes().items()}


def _nearest(code: str, codes: list[str]) -> str:
    """A hint: codes spelled alike, else those of the same stage, else the form of a code."""
    wanted = code.strip().upper()
    if not _LIKE_A_CODE.fullmatch(wanted):
        return f"a code is a letter and three digits, as in {codes[0]}; `acausal docs {code}` knows other names"
    near = get_close_matches(wanted, codes, n=3, cutoff=0.6) or [c for c in codes if c[0] == wanted[:1]]
    if near:
        return f"did you mean {' or '.join(near[:3])}"
    return f"a code is one of the letters {' '.join(STAGES)} and three digits, as in {codes[0]}"
