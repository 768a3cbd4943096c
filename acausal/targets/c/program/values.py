"""Values of registers as expressions of C, with the parentheses that they need."""

import math
from typing import NamedTuple

from acausal.base.diagnostics import InternalError
from acausal.ir.ops import OPS

CHOICE, OR, AND, RELATION, SUM, PRODUCT, UNARY, PRIMARY = range(8)
"""Levels of precedence of expressions."""
_BINARY = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT)}
_FUNCTIONS = {"abs": "fabs", "min": "fmin", "max": "fmax"}
_RELATIONS = {"==": "==", "<>": "!="}
SIGN = """\
/* 1, 0 or -1. */
static double sign_of(double x)
{
    return (double)((x > 0.0) - (x < 0.0));
}
"""


class Value(NamedTuple):
    """The text of a value, how tightly it binds, and whether it is a truth value."""

    text: str
    level: int = PRIMARY
    is_truth: bool = False

    def at(self, level: int) -> str:
        """The text where what is around it binds as tightly as this."""
        return f"({self.text})" if self.level < level else self.text

    @property
    def number(self) -> str:
        """The text as a number: truth values are 1 and 0."""
        return f"({self.text}) ? 1.0 : 0.0" if self.is_truth else self.text


def constant(value: float) -> Value:
    """A number to the bit."""
    if math.isnan(value):
        return Value("NAN")
    if math.isinf(value):
        return Value("INFINITY") if value > 0 else Value("-INFINITY", UNARY)
    text = repr(value)
    return Value(text, UNARY if text.startswith("-") else PRIMARY)


def numeric(value: Value) -> Value:
    """A truth value as a number."""
    return Value(value.number, CHOICE) if value.is_truth else value


def operator(op: str, given: list[Value]) -> Value:
    """An operator of the rule table, or `sub` and `div`."""
    if op in _BINARY:
        sign, level = _BINARY[op]
        first, *others = [numeric(value) for value in given]
        return Value(f" {sign} ".join([first.at(level), *[value.at(level + 1) for value in others]]), level)
    row = OPS[op]
    if op in ("and", "or"):
        level = AND if op == "and" else OR
        return Value(f" {'&&' if op == 'and' else '||'} ".join([v.at(RELATION) for v in given]), level, True)
    if op == "not":
        return Value(f"!{given[0].at(PRIMARY)}", UNARY, True)
    if row.boolean:
        left, right = [numeric(value).at(SUM) for value in given]
        return Value(f"{left} {_RELATIONS.get(op, op)} {right}", RELATION, True)
    if op == "if":
        return _choice(*given)
    if op == "neg":
        text = numeric(given[0]).at(UNARY)
        return Value(f"-({text})" if text.startswith("-") else f"-{text}", UNARY)
    if op == "sign":
        return Value(f"sign_of({numeric(given[0]).text})")
    if not row.llvm:
        raise InternalError("c", f"the operator {op} reached the generated code")
    return Value(f"{_FUNCTIONS.get(op, op)}({', '.join([numeric(value).text for value in given])})")


def _choice(condition: Value, yes: Value, no: Value) -> Value:
    if yes.is_truth and no.is_truth:
        return Value(f"{condition.at(OR)} ? {yes.at(OR)} : {no.at(OR)}", CHOICE, True)
    parts = numeric(yes).at(OR), numeric(no).at(OR)
    return Value(f"{condition.at(OR)} ? {parts[0]} : {parts[1]}", CHOICE)
