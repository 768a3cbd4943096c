"""The form of a text case (`tests/cases/**/*.case`).

A case is one text. Up to the first line `--- NAME` it is the model file that is translated; then follow

    --- NAME.lib, --- NAME.mdl    a further file beside it
    --- options                   lines `NAME = VALUE`, the names as in `acausal.base.options.TranslateOptions`
    --- run                       lines `NAME = VALUE`, as in `SimulateOptions`: the model is simulated as well
    --- mistakes                  lines `PLACE CODE part of the text`, PLACE as FILE:LINE or `nowhere`
    --- flat, --- sorted, ...     the canonical text expected of that stage: flat, sorted, solved, code

A mistake is expected by a comment on its line, `{! CODE part of the text}`, as often as there are mistakes;
where no comment can stand, by a line of `mistakes`.
Without any such expectation and without dumps the case must give no diagnostic at all.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Report

SEPARATOR = re.compile(r"^--- (\S+)\n", re.MULTILINE)
EXPECTATION = re.compile(r"\{!\s*([A-Z]\d{3})\s*([^}]*?)\s*\}")


@dataclass(frozen=True, slots=True)
class Case:
    """The parts of a case: files (the first is translated), options, and expected dumps, each by name.

    `run` holds the options of a run, None if there is none; `mistakes` those that are expected.
    """

    files: dict[str, str]
    options: dict[str, str]
    dumps: dict[str, str]
    run: dict[str, str] | None = None
    mistakes: tuple["Expected", ...] = ()


@dataclass(frozen=True, slots=True)
class Expected:
    """A diagnostic that must be given: where (FILE:LINE, or `nowhere`), which, and words that it has."""

    place: str
    code: str
    words: str


def read_case(path: Path) -> Case:
    """The case in a file; its first part is named after it."""
    head, *rest = SEPARATOR.split(path.read_text(encoding="utf-8"))
    case = Case({f"{path.stem}.mdl": head}, {}, {})
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        if name == "options":
            case.options.update(_pairs(text))
        elif name == "run":
            case = replace(case, run=_pairs(text))
        elif name == "mistakes":
            case = replace(case, mistakes=tuple([Expected(*line.split(" ", 2)) for line in text.splitlines() if line]))
        elif "." in name:
            case.files[name] = text
        else:
            case.dumps[name] = text
    return case


def _pairs(text: str) -> dict[str, str]:
    pairs = (line.split("=", 1) for line in text.splitlines() if line.strip())
    return {name.strip(): value.strip() for name, value in pairs}


def write_files(case: Case, folder: Path) -> Path:
    """Write the files of a case into a folder; the path of the one to translate."""
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder / next(iter(case.files))


def update_dumps(path: Path, dumps: dict[str, str]) -> None:
    """Put `dumps` in place of the expected ones in the case file; everything else stays byte for byte."""
    head, *rest = SEPARATOR.split(path.read_text(encoding="utf-8"))
    parts = [f"--- {name}\n{dumps.get(name, text)}" for name, text in zip(rest[::2], rest[1::2], strict=True)]
    path.write_text("".join([head, *parts]), encoding="utf-8", newline="")


def expectations(case: Case) -> list[Expected]:
    """The `{! ...}` comments of all files, in order, and the lines of `mistakes`."""
    return [
        Expected(f"{name}:{number}", found[1], found[2])
        for name, text in case.files.items()
        for number, line in enumerate(text.split("\n"), start=1)
        for found in EXPECTATION.finditer(line)
    ] + list(case.mistakes)


def differences(case: Case, report: Report) -> list[str]:
    """A line for each expected diagnostic that is missing and each given one that is not expected."""
    open_ = expectations(case)
    surplus = []
    for diagnostic in report.diagnostics:
        match = next((e for e in open_ if _is_expected(e, diagnostic)), None)
        if match is None:
            surplus.append(f"not expected: {_place(diagnostic)} {diagnostic.code} {diagnostic.message}")
        else:
            open_.remove(match)
    return [f"missing: {e.place} {e.code} {e.words}" for e in open_] + surplus


def _is_expected(expected: Expected, given: Diagnostic) -> bool:
    labels = [given.primary, *given.secondary] if given.primary else list(given.secondary)
    said = "\n".join([given.message, *(label.text for label in labels), *given.notes, given.help or ""])
    return _place(given) == expected.place and expected.code == given.code and expected.words in said


def _place(diagnostic: Diagnostic) -> str:
    if diagnostic.primary is None:
        return "nowhere"
    return f"{Path(diagnostic.primary.span.file.name).name}:{diagnostic.primary.span.line}"
