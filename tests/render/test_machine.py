"""Diagnostics for programs: the positions, and the forms that editors and build servers expect."""

import json

import pytest

from acausal.base.diagnostics import Diagnostic, Edit, Label, Report, Severity, UsageError
from acausal.base.source import SourceFile, Span
from acausal.cli import main
from acausal.codes import STAGES, all_codes
from acausal.render import explain, render

FILE = SourceFile("my models/a.mdl", "model M\n  速度 = (b +\n c)\nend\n")
START = FILE.text.index("(")
STOP = FILE.text.index(")") + 1
ERROR = Diagnostic(
    "F001",
    "100% wrong",
    Label(Span(FILE, START, STOP), "this"),
    (Label(Span(FILE, 6, 7), "model"),),
    notes=("one", "two"),
    help="mend it",
    fix=(Edit(Span(FILE, START, START + 1), "["),),
)
WARNING = Diagnostic("U999", "odd", Label(Span(FILE, 6, 7)), severity=Severity.WARNING)
NOTE = Diagnostic("F002", "nowhere", severity=Severity.NOTE)


def test_json() -> None:
    first, second, third = json.loads(render(Report((ERROR, WARNING, NOTE)), format="json"))["diagnostics"]
    assert first == {
        "code": "F001",
        "severity": "error",
        "message": "100% wrong",
        "spans": [
            {
                "file": "my models/a.mdl",
                "line": 2,
                "column": 8,
                "end_line": 3,
                "end_column": 4,
                "text": "this",
                "primary": True,
            },
            {
                "file": "my models/a.mdl",
                "line": 1,
                "column": 7,
                "end_line": 1,
                "end_column": 8,
                "text": "model",
                "primary": False,
            },
        ],
        "notes": ["one", "two"],
        "help": "mend it",
        "fix": [{"file": "my models/a.mdl", "line": 2, "column": 8, "end_line": 2, "end_column": 9, "text": "["}],
    }
    assert (second["severity"], second["help"]) == ("warning", None)
    assert (third["severity"], third["spans"]) == ("note", [])


def test_sarif_has_what_the_standard_requires() -> None:
    log = json.loads(render(Report((ERROR, WARNING, NOTE)), format="sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["F001", "F002", "U999"]
    assert [rules[r["ruleIndex"]]["id"] for r in run["results"]] == ["F001", "U999", "F002"]
    assert [r["level"] for r in run["results"]] == ["error", "warning", "note"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20models/a.mdl"
    assert place["region"] == {"startLine": 2, "startColumn": 8, "endLine": 3, "endColumn": 4}
    assert run["results"][0]["relatedLocations"][0]["message"]["text"] == "model"
    assert "locations" not in run["results"][2]
    assert run["results"][0]["fixes"] == [
        {
            "description": {"text": "mend it"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "my%20models/a.mdl"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 9},
                            "insertedContent": {"text": "["},
                        }
                    ],
                }
            ],
        }
    ]
    assert "fixes" not in run["results"][1]


def test_github_commands_are_escaped() -> None:
    lines = render(Report((ERROR, WARNING, NOTE)), format="github").split("\n")
    assert lines == [
        "::error file=my models/a.mdl,line=2,endLine=3,title=F001::100%25 wrong: this%0Aone%0Atwo%0Ahelp: mend it",
        "::warning file=my models/a.mdl,line=1,endLine=1,col=7,endColumn=7,title=U999::odd",
        "::notice title=F002::nowhere",
    ]


@pytest.mark.parametrize("code", list(all_codes()))
def test_every_code_is_explained(code: str) -> None:
    entry = all_codes()[code]
    assert code[0] in STAGES
    assert len(code) == 4
    assert code[1:].isdigit()
    assert all([entry.title, entry.meaning, entry.example or entry.command, entry.fix])
    assert explain(code.lower()).startswith(f"{code}: {entry.title}\n\n")


def test_code_stands_in_a_table_of_its_stage() -> None:
    from importlib import import_module

    for subject in {subject for subjects in STAGES.values() for subject in subjects}:
        found = import_module(f"acausal.codes.{subject}").CODES
        assert all(subject in STAGES[code[0]] for code in found)


@pytest.mark.parametrize(
    ("code", "hint"),
    [("F0091", "did you mean F009"), ("F99", "F00"), ("?", "three digits"), ("resistor", "acausal docs resistor")],
)
def test_unknown_code_gives_the_nearest(code: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        explain(code)
    (diagnostic,) = caught.value.report.diagnostics
    assert diagnostic.code == "F009"
    assert hint in (diagnostic.help or "")


RESERVED = """model class type end function submodel cut main path node connect at to par reversed parameter constant
local terminal default input output internal external discrete real integer boolean string experiment initial derivative
when then elsewhen endwhen if else elseif endif for endfor assert terminate and or not true false"""
"""The language page, section 1."""


@pytest.mark.parametrize("word", RESERVED.split())
def test_words_of_the_language_are_explained(word: str) -> None:
    assert explain(word).startswith(f"{word}: ")
    assert "For example" in explain(word)


@pytest.mark.parametrize(
    ("word", "form"),
    [("flow", "cut A (v / i)"), ("while", "for i = 1 to N"), ("pow", "x^y"), ("stateSelect", "state=")],
)
def test_words_of_other_languages_are_explained(word: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0
    assert form in capsys.readouterr().out.replace("\n", " ")
