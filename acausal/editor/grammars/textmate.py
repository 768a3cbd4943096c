"""A TextMate grammar, made from the words of the language and the terminals of its grammar."""

import json
import re

from acausal.codes.functions import FUNCTIONS
from acausal.syntax.keywords import CONSTANTS, DECLARATIONS, OPERATORS, STATEMENTS, TYPES, VALUES
from acausal.units.unit_table import PREFIXES, UNITS

SCOPE = "source.acausal"
NUMBER = r"(?<![\w.])((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
Rule = dict[str, object]


def textmate() -> str:
    """The grammar as JSON."""
    return json.dumps(grammar(), indent=2) + "\n"


def grammar() -> Rule:
    """Comments and strings first, then declarations with the names that they declare, words, numbers, calls, signs."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "acausal",
        "scopeName": SCOPE,
        "fileTypes": ["mdl", "lib", "inc"],
        "patterns": [{"include": f"#{name}"} for name in _rules()],
        "repository": _rules(),
    }


def _rules() -> dict[str, Rule]:
    prefixes = "".join([prefix for prefix in PREFIXES if len(prefix) == 1])
    names = "|".join(sorted(map(re.escape, UNITS), key=lambda name: (-len(name), name)))
    unit = rf"[{prefixes}]?(?:{names})(?:[.*/^][\w.*/^()+-]*)?"
    return {
        "comment": _between("comment.block", r"\{", r"\}"),
        "string": _between(
            "string.quoted.double", '"', r'"|$', [{"name": "constant.character.escape.acausal", "match": r'\\["\\]'}]
        ),
        "include": _match("(@)([^\\s;{}\"]+)", {"1": "keyword.control.import", "2": "string.unquoted.include"}),
        "class": _match(
            r"\b(model)(?:\s+(class|type))?\s+(?:(\()([^)]*)(\))\s*)?([A-Za-z_]\w*)",
            {"1": "storage.type.class", "2": "storage.type.class", "4": "entity.other.inherited-class",
             "6": "entity.name.type.class"},
        ),
        "function": _match(
            r"\b(function)\s+([A-Za-z_]\w*)", {"1": "storage.type.function", "2": "entity.name.function"}
        ),
        "submodel": _match(
            r"\b(submodel)\s*\(\s*([A-Za-z_][\w.]*)", {"1": "storage.type", "2": "entity.name.type.class"}
        ),
        "quantity": _match(
            rf"{NUMBER}([{prefixes}]?[ \t]*{unit}|[{prefixes}])(?![\w(])",
            {"1": "constant.numeric", "2": "keyword.other.unit"},
        ),
        "number": _match(NUMBER, {"0": "constant.numeric"}),
        "constant": _words(CONSTANTS, "constant.language"),
        "type": _words(TYPES, "storage.type"),
        "declaration": _words(DECLARATIONS, "storage.modifier"),
        "operator-word": _words(OPERATORS, "keyword.operator.logical"),
        "statement": _words(STATEMENTS, "keyword.control"),
        "value": _words(VALUES, "variable.language"),
        "builtin": _match(rf"\b({'|'.join(FUNCTIONS)})\s*(?=\()", {"1": "support.function"}),
        "call": _match(r"\b([A-Za-z_]\w*)\s*(?=\()", {"1": "entity.name.function"}),
        "operator": _match(r"<=|>=|==|<>|//|\.\*|[-+*/^=<>\\]", {"0": "keyword.operator"}),
        "punctuation": _match(r"[,;.:()\[\]]", {"0": "punctuation"}),
    }  # fmt: skip


def _words(words: list[str], scope: str) -> Rule:
    return _match(rf"\b(?:{'|'.join(words)})\b", {"0": scope})


def _match(pattern: str, scopes: dict[str, str]) -> Rule:
    if list(scopes) == ["0"]:
        return {"name": f"{scopes['0']}.acausal", "match": pattern}
    return {"match": pattern, "captures": {n: {"name": f"{scope}.acausal"} for n, scope in scopes.items()}}


def _between(scope: str, begin: str, end: str, patterns: list[Rule] | None = None) -> Rule:
    return {"name": f"{scope}.acausal", "begin": begin, "end": end, **({"patterns": patterns} if patterns else {})}
