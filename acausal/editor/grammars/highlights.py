"""Highlighting for tree-sitter: captures of the words and names of a grammar."""

import json

from acausal.syntax.keywords import CONSTANTS, DECLARATIONS, OPERATORS, STATEMENTS, TYPES, VALUES


def highlights(grammar: str) -> str:
    """Captures for a grammar's text: words by what they do, names by the rule that they stand in."""
    groups = {
        "keyword.type": DECLARATIONS,
        "type.builtin": TYPES,
        "keyword": STATEMENTS,
        "keyword.operator": OPERATORS,
    }
    lines = []
    for capture, words in groups.items():
        used = [word for word in words if f"'{word}'" in grammar]
        lines.append(f"[{' '.join(json.dumps(word) for word in used)}] @{capture}")
    lines += ["[(true) (false)] @constant.builtin"] if CONSTANTS else []
    lines.append(f'((reference (name) @variable.builtin) (#match? @variable.builtin "^({"|".join(VALUES)})$"))')
    return "\n".join([*lines, *_CAPTURES, ""])


_CAPTURES = (
    "(comment) @comment",
    "(string) @string",
    "(number) @number",
    "(unit) @type.builtin",
    "(include_name) @module",
    "(class_head (name) @type.definition)",
    "(class_reference (name) @type)",
    "(function (name) @function)",
    "(call (name) @function.call)",
    "(argument (name) @variable.parameter)",
    "(declarator (name) @variable)",
    "(submodel_item (name) @variable)",
)
