"""Expressions of SPICE as those of the language, in one pass.

    {2*v(a,b)**2 + (x > 0 ? 1 : 0)}    ->    2*(R1.Va - R2.Va)^2 + (if x > 0 then 1 else 0)

A comparison is a number in SPICE, 1 or 0; here it is a condition, and becomes a number where one is required.
"""

import re
from collections.abc import Callable

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.imports.spice.expression_parts import (
    AND,
    ATOM,
    CHOICE,
    COMPARISON,
    OR,
    POWER,
    PRODUCT,
    SIGN,
    SUM,
    Names,
    Part,
    chosen,
)
from acausal.imports.spice.tokens import LARGEST, Token
from acausal.imports.text.numbers import number
from acausal.spice_cards import NUMBER, scaled

LONGEST = 20_000
"""Characters of one expression."""
DEEPEST = 100
"""Nesting of one expression."""

_WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[A-Za-z]*)|(?P<name>[A-Za-z_][\w.#]*)"
    r"|(?P<sign>\*\*|&&|\|\||[<>=!]=|<>|[-+*/^(),?:<>!&|=]))"
)
_SAME = "sqrt sin cos tan asin acos atan atan2 sinh cosh tanh exp abs floor ceil min max log10".split()
_RENAMED = {"ln": "log", "log": "log", "arctan": "atan", "sgn": "sign"}
_CORNERS = ("abs", "min", "max", "uramp", "limit", "pwr")
_JUMPS = ("if", "ternary_fcn", "u", "stp", "int", "nint", "floor", "ceil", "sgn")
_COMPARED = {"<": "<", ">": ">", "<=": "<=", ">=": ">=", "==": "==", "=": "==", "!=": "<>", "<>": "<>"}
_LEFT = {"||": OR, "|": OR, "&&": AND, "&": AND, **dict.fromkeys(_COMPARED, COMPARISON)}
_LEFT |= {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER, "**": POWER, "?": CHOICE}


def expression(token: Token, names: Names) -> str:
    """The text of an expression in braces or quotes, or of a single word.

    Corners of abs, min and max are no events, as in SPICE; conditions are.
    """
    text = token.text
    if text[0] in "{'\"" and text[-1] in "}'\"":
        text = text[1:-1]
    if len(text) > LONGEST:
        raise token.fault(f"the expression has more than {LONGEST} characters")
    parser = _Parser(text, token, names)
    made = parser.part(CHOICE).as_number()
    if parser.word:
        raise parser.fault(f"{parser.word} does not belong to the expression")
    return f"noevent({made.text})" if parser.corners and not parser.jumps else made.text


class _Parser:
    """Operator precedence; the word ahead is `word`, its kind `kind`."""

    def __init__(self, text: str, token: Token, names: Names) -> None:
        self.text, self.token, self.names = text, token, names
        self.place = self.depth = 0
        self.word = self.kind = ""
        self.corners = self.jumps = False
        self.advance()

    def fault(self, message: str) -> Exception:
        return self.token.fault(message, f"in the expression {self.token.text[:60]}")

    def advance(self) -> str:
        before = self.word
        rest = self.text[self.place :]
        found = _WORD.match(rest)
        if found is None:
            if rest.strip():
                raise self.fault(f"{rest.strip()[0]} is not part of an expression")
            self.word = self.kind = ""
            return before
        self.place += found.end()
        self.kind, self.word = str(found.lastgroup), found[0].strip()
        return before

    def expect(self, sign: str) -> None:
        if self.word != sign:
            raise self.fault(f"{sign} is missing")
        self.advance()

    def part(self, least: int) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            message = f"the expression is nested more than {DEEPEST} deep"
            raise LimitError(Diagnostic("L002", message, Label(self.token.span), help="introduce a parameter"))
        left = self.first()
        while self.kind == "sign" and _LEFT.get(self.word, -1) >= least:
            left = self.combined(left, self.advance())
        self.depth -= 1
        return left

    def combined(self, left: Part, sign: str) -> Part:
        """The left side with an operator and its right side."""
        binding = _LEFT[sign]
        if binding == CHOICE:
            self.jumps = True
            yes = self.part(CHOICE)
            self.expect(":")
            return chosen(left, yes, self.part(CHOICE))
        if binding == POWER:
            right = self.part(SIGN)
            return self.power(left, right)
        right = self.part(binding + 1)
        if binding in (OR, AND):
            word = "or" if binding == OR else "and"
            text = f"{left.condition_at_least(binding)} {word} {right.condition_at_least(binding + 1)}"
            return Part(text, binding, True)
        if binding == COMPARISON:
            return Part(f"{left.at_least(SUM)} {_COMPARED[sign]} {right.at_least(SUM)}", COMPARISON, True)
        blank = " " if binding == SUM else ""
        second = right.at_least(binding + 1)
        second = f"({second})" if second.startswith("-") else second
        return Part(f"{left.at_least(binding)}{blank}{sign}{blank}{second}", binding)

    def power(self, left: Part, right: Part) -> Part:
        if not (right.text.isdigit() and int(right.text) % 2 == 0):
            self.names.remark(
                "x^y with a negative x: ngspice takes the absolute value of x, this model does not", self.token
            )
        return Part(f"{left.at_least(ATOM)}^{right.at_least(ATOM)}", POWER)

    def first(self) -> Part:
        kind, word = self.kind, self.advance()
        if kind == "number":
            found = NUMBER.fullmatch(word)
            if found is None:
                raise self.fault(f"{word} is not a number")
            value = scaled(found)
            if value > LARGEST:
                raise self.fault(f"{word} is too large")
            return Part(number(value))
        if kind == "name":
            return self.named(word)
        if word == "(":
            inner = self.part(CHOICE)
            self.expect(")")
            return inner
        if word in ("-", "+"):
            inner = self.part(SIGN)
            return Part(f"-{inner.at_least(SIGN)}", SIGN) if word == "-" else inner
        if word == "!":
            return Part(f"not {self.part(SIGN).condition_at_least(ATOM)}", AND, True)
        raise self.fault(f"a value is missing before {word}" if word else "the expression ends too early")

    def named(self, word: str) -> Part:
        low = word.lower()
        if self.word != "(":
            return Part("time" if low == "time" else self.names.parameter(low, self.token))
        if low in ("v", "i"):
            return self.probed(low)
        self.advance()
        arguments: list[Part] = []
        while self.word != ")":
            arguments.append(self.part(CHOICE))
            if self.word == ",":
                self.advance()
            elif self.word != ")":
                raise self.fault(f") is missing after the arguments of {word}")
        self.advance()
        return self.call(low, arguments)

    def probed(self, low: str) -> Part:
        """v(node), v(node, node), i(element); names of nodes have any characters."""
        end = self.text.find(")", self.place)
        if end < 0:
            raise self.fault(") is missing")
        items = [item.strip().lower() for item in self.text[self.place : end].split(",")]
        self.place = end + 1
        self.word = ""
        self.advance()
        if low == "i":
            return _signed(self.names.current(items[0], self.token))
        texts = [self.names.potential(item, self.token) for item in items[:2]]
        if len(texts) == 1 or texts[1] == "0":
            return Part(texts[0])
        return Part(f"-{texts[1]}", SIGN) if texts[0] == "0" else Part(f"{texts[0]} - {texts[1]}", SUM)

    def call(self, name: str, parts: list[Part]) -> Part:
        texts = [part.as_number().text for part in parts]
        own = self.names.is_function(name)
        self.corners |= name in _CORNERS
        self.jumps |= name in _JUMPS
        if own is not None:
            return Part(f"{own}({', '.join(texts)})")
        if name in _SAME or name in _RENAMED:
            return Part(f"{_RENAMED.get(name, name)}({', '.join(texts)})")
        form = _FORMS.get((name, len(parts)))
        if form is None:
            raise self.fault(f"the function {name} of {len(parts)} arguments is not supported")
        return form(self, parts)


def _signed(text: str) -> Part:
    return Part(text, SIGN if text.startswith("-") else ATOM)


def _form(text: str) -> "Callable[[_Parser, list[Part]], Part]":
    """A form of a function with its arguments in brackets where they need them."""
    return lambda _, parts: Part(text.format(*[part.at_least(ATOM) for part in parts]))


_FORMS: "dict[tuple[str, int], Callable[[_Parser, list[Part]], Part]]" = {
    ("pow", 2): lambda parser, parts: parser.power(*parts),
    ("pwr", 2): _form("(sign({0})*abs({0})^{1})"),
    ("if", 3): lambda _, parts: chosen(*parts),
    ("ternary_fcn", 3): lambda _, parts: chosen(*parts),
    ("u", 1): _form("(if {0} > 0 then 1 else 0)"),
    ("stp", 1): _form("(if {0} > 0 then 1 else 0)"),
    ("ddt", 1): lambda _, parts: Part(f"der({parts[0].as_number().text})"),
    ("uramp", 1): _form("max({0}, 0)"),
    ("limit", 3): _form("min(max({0}, {1}), {2})"),
    ("int", 1): _form("(sign({0})*floor(abs({0})))"),
    ("nint", 1): _form("floor({0} + 0.5)"),
}
"""Functions without a counterpart of the same form."""
