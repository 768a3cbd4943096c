"""From a name to pages: classes, libraries, words and functions of the language, commands, codes.

A name may mean several things (`stop`, `new`): all their pages are found, in this order.
"""

import re
from collections.abc import Mapping

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.near_names import did_you_mean
from acausal.codes import all_codes
from acausal.codes.functions import FUNCTIONS
from acausal.codes.words import WORDS
from acausal.elaborate.foreign_habits import all_habits
from acausal.reference.class_page import class_page
from acausal.reference.classes import class_entry
from acausal.reference.libraries import classes, libraries
from acausal.reference.library_page import library_page
from acausal.reference.page import WIDTH, Code, Page, Section
from acausal.render.explain import explain

_CODE = re.compile(r"[A-Za-z]\d{3}")
Commands = Mapping[str, str]
"""Names of commands with the text of their help."""
NO_COMMANDS: Mapping[str, str] = {}


def find(name: str, commands: Commands = NO_COMMANDS, width: int = WIDTH) -> tuple[Page, ...]:
    """The pages of a name; UsageError F018 or F009 with a suggestion where there is none."""
    wanted = name.strip()
    found = [*_of_libraries(wanted), *_of_language(wanted, width)]
    if wanted in commands:
        found.append(_page(wanted, "command", commands[wanted]))
    if wanted.upper() in all_codes():
        found.append(_page(wanted.upper(), "code", explain(wanted, width=width)))
    if not found and wanted in (habits := all_habits()):
        found.append(_page(wanted, "word of another language", explain(wanted, habits, width)))
    if not found and _CODE.fullmatch(wanted):
        explain(wanted)  # tells the codes that are near
    if not found:
        raise UsageError(Diagnostic("F018", f"the reference has no page {wanted}", help=_near(wanted, names(commands))))
    return tuple(found)


def _near(wanted: str, known: tuple[str, ...]) -> str:
    """A suggestion: the class after a prefix, a name spelled alike, else how to search."""
    last = wanted.rpartition(".")[2]
    if last in known:
        return f"did you mean {last}?"
    return did_you_mean(wanted, known) or "`acausal list WORD` searches in names and descriptions"


def names(commands: Commands = NO_COMMANDS) -> tuple[str, ...]:
    """All names that have a page."""
    libraries_named = [library.name for library in libraries()]
    return tuple(dict.fromkeys([*classes(), *libraries_named, *WORDS, *commands, *all_codes()]))


def _of_libraries(wanted: str) -> list[Page]:
    found = [class_page(class_entry(classes()[wanted]))] if wanted in classes() else []
    file = wanted.removesuffix(".lib") + ".lib"
    return found + [library_page(library) for library in libraries() if library.name == file]


def _of_language(wanted: str, width: int) -> list[Page]:
    if wanted not in WORDS:
        return []
    return [_page(wanted, "function" if wanted in FUNCTIONS else "word of the language", explain(wanted, width=width))]


def _page(title: str, place: str, text: str) -> Page:
    return Page(title, place, (Section("", (Code(text),)),))
