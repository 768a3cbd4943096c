"""A tree-sitter grammar, translated rule by rule from the grammar of the language.

    ?sum: product ((PLUS | MINUS) product)*
                                         _sum: $ => choice($.sum, $._product),
                                         sum: $ => seq($._product, repeat1(seq(choice('+', '-'), $._product))),

A rule of `lark` that gives way to its only child is hidden and stands beside a visible one for the other cases. Ends of
statements are tokens where they are possible, and blanks elsewhere, as in the lexer of the language.
"""

import json
import re
from collections.abc import Iterator, Sequence

from acausal.base.files.paths import grammar_folder
from acausal.base.frozen import dataclass
from acausal.editor.grammars.highlights import highlights
from acausal.version import __version__

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|[A-Za-z_]\w*|[()\[\]|*+?]')
_RULE = re.compile(r"^([?!]*)([a-z_][a-z_0-9]*)\s*:", re.MULTILINE)
_TERMINALS = {
    "NAME": "$.identifier", "NUMBER": "$.number", "QUANTITY": "$.quantity", "STRING": "$.string",
    "INCLUDE": "$.include_name", "RELATION": "choice('<=', '>=', '==', '<>')", "LESS": "'<'", "GREATER": "'>'",
    "PLUS": "'+'", "MINUS": "'-'", "TIMES": "'*'", "DIVIDE": "'/'", "ELEMENTWISE": "'.*'", "MAIN": "'main'",
    "ROOT": "'root'", "_END": "$._end",
}  # fmt: skip
_OTHER_STARTS = ("statement", "lone_expression")
"""Rules that only other entries to the language use."""


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a rule: `kind` is seq, choice, optional, repeat, repeat1, name or text."""

    kind: str
    parts: "tuple[Node, ...]" = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its alternatives, each with its own name, if any; `inlined` if a single child replaces it."""

    name: str
    inlined: bool
    alternatives: tuple[tuple[Node, str | None], ...]


def tree_sitter() -> dict[str, bytes]:
    """The files of the grammar by name."""
    grammar = grammar_js()
    made = {
        "grammar.js": grammar,
        "queries/highlights.scm": highlights(grammar),
        "package.json": _json({
            "name": "tree-sitter-acausal", "version": __version__.partition("+")[0], "license": "BSD-3-Clause",
            "description": "tree-sitter grammar of acausal models", "main": "grammar.js",
        }),
        "tree-sitter.json": _json({
            "grammars": [{
                "name": "acausal", "scope": "source.acausal", "path": ".", "file-types": ["mdl", "lib", "inc"],
                "highlights": "queries/highlights.scm",
            }],
            "metadata": {
                "version": __version__.partition("+")[0], "license": "BSD-3-Clause",
                "description": "tree-sitter grammar of acausal models",
            },
        }),
    }  # fmt: skip
    return {name: text.encode() for name, text in made.items()}


def rules() -> dict[str, Rule]:
    """The rules of the language's grammar."""
    text = (grammar_folder() / "acausal.lark").read_text(encoding="utf-8")
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    heads = list(_RULE.finditer(text))
    found = {}
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() : following.start() if following else None]
        body = re.split(r"^(?:[A-Z_]+\s*:|%)", body, maxsplit=1, flags=re.MULTILINE)[0]
        if head[2] not in _OTHER_STARTS:
            found[head[2]] = Rule(head[2], "?" in head[1], tuple(_alternatives(_TOKEN.findall(body))))
    return found


def grammar_js() -> str:
    """The grammar in the form of tree-sitter."""
    known = rules()
    empty = {name for name, rule in known.items() if _is_empty(rule)}
    lines = [line for rule in known.values() for line in _shown(rule, known, empty)]
    body = "\n".join(lines)
    return _FRAME.replace("RULES", body)


def _alternatives(tokens: list[str]) -> Iterator[tuple[Node, str | None]]:
    """The alternatives of a rule, with the names behind `->`."""
    depth, start = 0, 0
    for number, token in enumerate([*tokens, "|"]):
        depth += (token in ("(", "[")) - (token in (")", "]"))
        if token == "|" and depth == 0:
            part = tokens[start:number]
            alias = part[-1] if len(part) > 1 and part[-2] == "->" else None
            yield _parsed(part[:-2] if alias else part), alias
            start = number + 1


def _parsed(tokens: Sequence[str]) -> Node:
    """A sequence of parts; the grammar's own nesting is a few levels deep."""
    parts: list[Node] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token in ("(", "["):
            end = _matching(tokens, at)
            inside = [node for node, _ in _alternatives(list(tokens[at + 1 : end]))]
            made = inside[0] if len(inside) == 1 else Node("choice", tuple(inside))
            parts.append(Node("optional", (made,)) if token == "[" else made)
            at = end
        elif token in ("*", "+", "?"):
            kind = {"*": "repeat", "+": "repeat1", "?": "optional"}[token]
            parts[-1] = Node(kind, (parts[-1],))
        else:
            parts.append(Node("text" if token.startswith('"') else "name", (), token))
        at += 1
    return parts[0] if len(parts) == 1 else Node("seq", tuple(parts))


def _matching(tokens: Sequence[str], at: int) -> int:
    depth = 0
    for number in range(at, len(tokens)):
        depth += (tokens[number] in ("(", "[")) - (tokens[number] in (")", "]"))
        if not depth:
            return number
    raise ValueError(tokens[at])


def _is_empty(rule: Rule) -> bool:
    """True for a rule that may be nothing, which tree-sitter does not allow."""
    return rule.name != "file" and any(node.kind in ("optional", "repeat") for node, _ in rule.alternatives)


def _shown(rule: Rule, known: dict[str, Rule], empty: set[str]) -> Iterator[str]:
    """The lines of a rule, and of those that its alternatives become."""
    named: dict[str, list[str]] = {}
    passed: list[str] = []
    for node, alias in rule.alternatives:
        if node.kind == "name" and alias is not None and _TERMINALS.get(node.text) == f"$.{alias}":
            passed.append(f"$.{alias}")
            continue
        if rule.name in empty and node.kind == "optional":
            node = node.parts[0]
        if not rule.inlined and alias is None:
            named.setdefault(rule.name, []).append(_text(node, known, empty))
        elif alias is not None:
            named.setdefault(alias, []).append(_text(node, known, empty))
        elif node.kind in ("name", "text"):
            passed.append(_text(node, known, empty))
        elif node.kind == "seq" and node.parts[-1].kind == "repeat":
            first = Node("seq", node.parts[:-1])
            passed.append(_text(first, known, empty))
            more = Node("seq", (*node.parts[:-1], Node("repeat1", node.parts[-1].parts)))
            named.setdefault(rule.name, []).append(_text(more, known, empty))
        else:
            passed.append(_text(node, known, empty))
    if rule.inlined:
        choices = [*[f"$.{name}" for name in named], *passed]
        yield f"    _{rule.name}: $ => {_choice(choices)},"
    elif list(named) != [rule.name]:
        yield f"    _{rule.name}: $ => {_choice([f'$.{name}' for name in named])},"
    for name, texts in named.items():
        yield f"    {name}: $ => {_choice(texts)},"


def _choice(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"choice({', '.join(texts)})"


def _text(node: Node, known: dict[str, Rule], empty: set[str]) -> str:
    if node.kind == "text":
        word: str = json.loads(node.text)
        return "'" + word.replace("\\", "\\\\") + "'"
    if node.kind == "name":
        if node.text in _TERMINALS:
            return _TERMINALS[node.text]
        shown = f"$.{'_' if _is_hidden(known[node.text]) and not node.text.startswith('_') else ''}{node.text}"
        return f"optional({shown})" if node.text in empty else shown
    parts = [_text(part, known, empty) for part in node.parts]
    if len(parts) == 1 and node.kind in ("seq", "choice"):
        return parts[0]
    if node.kind == "optional" and parts[0].startswith("optional("):
        return parts[0]
    return f"{node.kind}({', '.join(parts)})"


def _is_hidden(rule: Rule) -> bool:
    return rule.inlined or [alias for _, alias in rule.alternatives if alias] != []


_FRAME = """// Made by `acausal editor tree-sitter` from the grammar of the language.

module.exports = grammar({
  name: 'acausal',

  extras: $ => [/[ \\t]/, /\\r?\\n/, $.comment],

  word: $ => $.identifier,

  rules: {
RULES

    identifier: $ => /[A-Za-z_][A-Za-z0-9_]*/,
    number: $ => /([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?/,
    quantity: $ => seq($.number, $.unit),
    unit: $ => seq(choice($.identifier, '%'), optional(token.immediate(/[.*\\/^][A-Za-z0-9.*\\/^()+-]*/))),
    string: $ => /"[^"\\\\\\r\\n]*(\\\\["\\\\][^"\\\\\\r\\n]*)*"/,
    include_name: $ => /@[^\\s;{}"]+/,
    comment: $ => /\\{[^}]*\\}/,
    _end: $ => choice(token(prec(1, /(\\r?\\n|;)([ \\t]|\\r?\\n|;)*/)), '\\0'),
  },
});
"""


def _json(data: dict[str, object]) -> str:
    return json.dumps(data, indent=2) + "\n"
