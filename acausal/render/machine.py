"""Diagnostics for programs: JSON, SARIF 2.1.0 and GitHub workflow commands.

Lines and columns count from 1, in characters; the end column is the one after the last character.
"""

import json
from urllib.parse import quote

from acausal.base.diagnostics import Diagnostic, Edit, Label, Report
from acausal.base.source import SourceFile, Span
from acausal.codes import all_codes

Json = dict[str, object]


def as_json(data: object) -> str:
    """The text of data; numbers that are not finite, which JSON does not have, are null."""
    try:
        return json.dumps(data, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(data), parse_constant=lambda _: None))


def report_data(report: Report) -> list[Json]:
    """The diagnostics as plain data, the form that `--json` shows."""
    return [_diagnostic_data(d) for d in report.diagnostics]


def json_text(report: Report) -> str:
    """One JSON object with the list `diagnostics`."""
    return json.dumps({"diagnostics": report_data(report)}, indent=2)


def sarif(report: Report) -> str:
    """A SARIF log of one run; its rules are the codes that occur."""
    codes = sorted({d.code for d in report.diagnostics})
    titles = all_codes()
    rules: list[Json] = [
        {"id": code, "shortDescription": {"text": titles[code].title}} if code in titles else {"id": code}
        for code in codes
    ]
    run = {
        "tool": {"driver": {"name": "acausal", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(d, codes.index(d.code)) for d in report.diagnostics],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2)


def github(report: Report) -> str:
    """A workflow command a diagnostic, which GitHub shows beside the line."""
    return "\n".join(_github_command(d) for d in report.diagnostics)


def _position(span: Span) -> dict[str, int]:
    file, start, end = span.file, span.start, span.end
    line, column = file.position(start)
    end_line, end_column = file.position(end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _diagnostic_data(diagnostic: Diagnostic) -> Json:
    labels = [(label, False) for label in diagnostic.secondary]
    if diagnostic.primary is not None:
        labels.insert(0, (diagnostic.primary, True))
    spans = [
        {"file": label.span.file.name, **_position(label.span), "text": label.text, "primary": primary}
        for label, primary in labels
    ]
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "spans": spans,
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "fix": [{"file": edit.span.file.name, **_position(edit.span), "text": edit.text} for edit in diagnostic.fix],
    }


def _sarif_result(diagnostic: Diagnostic, rule: int) -> Json:
    result: Json = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": "\n".join([diagnostic.message, *_remarks(diagnostic)])},
    }
    if diagnostic.primary is not None:
        result["locations"] = [_sarif_location(diagnostic.primary)]
    if diagnostic.secondary:
        related = enumerate(diagnostic.secondary)
        result["relatedLocations"] = [{"id": number, **_sarif_location(label)} for number, label in related]
    if diagnostic.fix:
        result["fixes"] = [_sarif_fix(diagnostic)]
    return result


def _sarif_fix(diagnostic: Diagnostic) -> Json:
    """The correction: a change for each file, with a replacement for each edit."""
    files: dict[SourceFile, list[Edit]] = {}
    for edit in diagnostic.fix:
        files.setdefault(edit.span.file, []).append(edit)
    changes = [
        {
            "artifactLocation": {"uri": _uri(file)},
            "replacements": [{"deletedRegion": _region(e.span), "insertedContent": {"text": e.text}} for e in edits],
        }
        for file, edits in files.items()
    ]
    return {"description": {"text": diagnostic.help or diagnostic.message}, "artifactChanges": changes}


def _sarif_location(label: Label) -> Json:
    place = {"uri": _uri(label.span.file)}
    location: Json = {"physicalLocation": {"artifactLocation": place, "region": _region(label.span)}}
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _region(span: Span) -> Json:
    at = _position(span)
    return {
        "startLine": at["line"],
        "startColumn": at["column"],
        "endLine": at["end_line"],
        "endColumn": at["end_column"],
    }


def _uri(file: SourceFile) -> str:
    return quote(file.name.replace("\\", "/"))


def _github_command(diagnostic: Diagnostic) -> str:
    properties: dict[str, object] = {}
    text = diagnostic.message
    if diagnostic.primary is not None:
        at = _position(diagnostic.primary.span)
        properties = {"file": diagnostic.primary.span.file.name, "line": at["line"], "endLine": at["end_line"]}
        if at["line"] == at["end_line"]:
            properties |= {"col": at["column"], "endColumn": max(at["end_column"] - 1, at["column"])}
        if diagnostic.primary.text:
            text += f": {diagnostic.primary.text}"
    properties["title"] = diagnostic.code
    text = "\n".join([text, *_remarks(diagnostic)])
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    kind = "notice" if diagnostic.severity.value == "note" else diagnostic.severity.value
    return f"::{kind} {listed}::{_escaped(text)}"


def _remarks(diagnostic: Diagnostic) -> list[str]:
    """The notes and the hint, a text each."""
    return [*diagnostic.notes, *([] if diagnostic.help is None else [f"help: {diagnostic.help}"])]


def _escaped(text: str, also: str = "") -> str:
    """The text with the characters that end or split a workflow command as %XX."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" or c in also else c for c in text)
