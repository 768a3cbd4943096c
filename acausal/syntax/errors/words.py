"""Expected tokens in the user's terms: never the name of a terminal."""

from collections.abc import Mapping

from acausal.syntax.automaton.symbols import END_OF_TEXT, QUANTITY

_SOFT = frozenset("LOOP JOIN BRANCH CLOSE CLOSING ROOT IC FROM AS DER".split())
_EXPRESSION = frozenset("NAME NUMBER STRING TRUE FALSE LPAR LSQB MINUS PLUS NOT IF INITIAL".split())
_ITEM = frozenset(
    """CONNECT CUT PATH MAIN NODE SUBMODEL PARAMETER CONSTANT LOCAL TERMINAL DEFAULT INPUT OUTPUT INTERNAL EXTERNAL
    DISCRETE EXPERIMENT INITIAL WHEN IF FOR ASSERT TERMINATE""".split()
)
_UNITS = frozenset(["INCLUDE", "MODEL", "FUNCTION"])
_OPERATORS = frozenset("PLUS MINUS TIMES DIVIDE ELEMENTWISE CIRCUMFLEX RELATION LESS GREATER AND OR".split())
_TYPES = frozenset("REAL INTEGER BOOLEAN".split())
_NAMED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a string in "..."',
    "INCLUDE": "`@file`",
    "_END": "the end of the line",
    END_OF_TEXT: "the end of the file",
    "MAIN": "`main`",
    "ROOT": "`root`",
    "MINUS": "`-`",
    "PLUS": "`+`",
    "LESS": "`<`",
    "GREATER": "`>`",
}
_MOST = 5


def expectation(expected: frozenset[str], patterns: Mapping[str, tuple[str, str]]) -> str:
    """The terminals `expected` as one phrase, such as "a name, `(` or the end of the line"."""
    rest = set(expected) - {QUANTITY}  # wherever a number is expected
    phrases = []
    for phrase, group, sign in (
        ("a declaration, an equation or a connection", _ITEM | _EXPRESSION | _UNITS, "CONNECT"),
        ("an expression", _EXPRESSION, "NUMBER"),
        ("an operator", _OPERATORS | {"LPAR", "LSQB", "DOT"}, "TIMES"),
        ("a name", _TYPES | {"STRING", "NAME"}, "REAL"),
    ):
        if sign in rest and not (sign == "NUMBER" and "NAME" not in rest):
            phrases.append(phrase)
            rest -= group
    if "NAME" in expected:
        rest -= _SOFT
    if "END" in rest and phrases:
        rest -= {"ENDIF", "ENDWHEN", "ENDFOR"}
    literal = sorted(kind for kind in rest if kind not in ("NAME", "_END", END_OF_TEXT))
    order = [*(["NAME"] if "NAME" in rest else []), *literal, *(k for k in ("_END", END_OF_TEXT) if k in rest)]
    phrases += [_NAMED.get(kind) or f"`{patterns[kind][1]}`" for kind in order]
    if len(phrases) > _MOST:
        phrases = [*phrases[: _MOST - 1], phrases[-1]]
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " or " + phrases[-1]


def shortened(text: str) -> str:
    """Text of a token for a message, at most 40 characters."""
    return text if len(text) <= 40 else text[:37] + "..."
