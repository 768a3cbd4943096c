"""Pages of error codes: one a stage, with the entry of `acausal explain` for each code."""

from acausal.codes import STAGES, all_codes
from acausal.codes.entry import CHECK, CodeEntry
from acausal.manual.markdown import ORPHAN, Pages, code, page, prose, section, table

TITLES = {
    "F": "Files and commands",
    "P": "Syntax",
    "N": "Names",
    "T": "Values, types and arrays",
    "C": "Cuts and connections",
    "U": "Units",
    "B": "Balance of equations and unknowns",
    "S": "Structure",
    "I": "Initialization",
    "E": "Events",
    "R": "Runs",
    "L": "Limits",
    "W": "Sweeps",
    "A": "Analyses",
    "M": "Mechanisms as functions",
}


def code_pages() -> Pages:
    """A page for each stage, and the list of all codes."""
    codes = all_codes()
    by_stage = {letter: {key: entry for key, entry in codes.items() if key[0] == letter} for letter in STAGES}
    pages = {f"codes/{letter}.md": _stage(letter, entries) for letter, entries in by_stage.items()}
    lists = [section(TITLES[letter], _titles(letter, entries)) for letter, entries in by_stage.items()]
    pages["codes/index.md"] = page(
        "# Errors, warnings and notes",
        "Every message has a code. `acausal explain C004` shows the same text in the terminal.",
        *lists,
    )
    return pages


def _titles(letter: str, entries: dict[str, CodeEntry]) -> str:
    rows = [(f"[{key}]({letter}.md#{key.lower()})", prose(entry.title)) for key, entry in entries.items()]
    return table(("code", "title"), rows)


def _stage(letter: str, entries: dict[str, CodeEntry]) -> str:
    shown = [_entry(key, entry) for key, entry in entries.items()]
    return page(ORPHAN, f"# {letter}: {TITLES[letter]}", "Stage of [all codes](index.md)", *shown)


def _entry(key: str, entry: CodeEntry) -> str:
    """Title, meaning, a faulty example, the command that reports it, and how to correct it."""
    shown = entry.command and (not entry.example or entry.command != CHECK)
    return page(
        f"({key.lower()})=\n## {key}: {prose(entry.title)}",
        prose(entry.meaning),
        code(entry.example) if entry.example else "",
        code(entry.command, "sh") if shown else "",
        f"**Fix:** {prose(entry.fix)}",
    ).rstrip("\n")
