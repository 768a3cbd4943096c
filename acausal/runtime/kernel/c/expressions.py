"""Expressions of kernels in C, with the parentheses that they need."""

import math

from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.c.types import path_of, path_to_base, type_text
from acausal.runtime.kernel.tree import (
    Binary,
    Call,
    Choice,
    Comparison,
    Convert,
    Element,
    Expression,
    Field,
    Invoke,
    Literal,
    Local,
    Logic,
    Overlaid,
    Primitive,
    Tail,
    Unary,
)
from acausal.runtime.kernel.types import InnerArray, Scalar, StructType

FUNCTIONS = {
    "abs": "fabs",
    "floor": "floor",
    "nearest": "rint",
    "sqrt": "sqrt",
    "fma": "fma",
    "bits_of": "bits_of",
    "from_bits": "real_of_bits",
    "min": "least_of",
    "max": "greatest_of",
}
_OF_INTS = {"least_of": "least_int_of", "greatest_of": "greatest_int_of"}
_HELPER = """\
/* As Python: the first one unless the other one is {word}. */
static {kind} {name}({kind} a, {kind} b)
{{
    return b {relation} a ? b : a;
}}
"""
_OF_BITS = """\
/* {summary} */
static {kind} {name}({source} x)
{{
    {kind} result;
    memcpy(&result, &x, sizeof result);
    return result;
}}
"""
_CHOICE, _LOGIC, _EQUALITY, _RELATION, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(8)
_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}
_BITS = ("&", "^")
_NARROW = 2**31 - 1


def text_of(value: Expression) -> str:
    """An expression."""
    return _text(value, _CHOICE)


def function_of(value: Primitive) -> str:
    """The function of C."""
    name = FUNCTIONS[value.name]
    return _OF_INTS.get(name, name) if value.type is Scalar.INT else name


def helper(value: Primitive) -> str:
    """The definition of a function that C does not have; nothing for others."""
    if value.name == "bits_of":
        return _OF_BITS.format(
            summary="The bits of a number.", kind="int64_t", name=function_of(value), source="double"
        )
    if value.name == "from_bits":
        return _OF_BITS.format(
            summary="The number with these bits.", kind="double", name=function_of(value), source="int64_t"
        )
    if value.name not in ("min", "max"):
        return ""
    word, relation = ("smaller", "<") if value.name == "min" else ("greater", ">")
    kind = "int64_t" if value.type is Scalar.INT else "double"
    return _HELPER.format(word=word, relation=relation, kind=kind, name=function_of(value))


def bound_text(value: Expression) -> str:
    """An expression beside a comparison."""
    return _text(value, _SUM)


def literal_text(value: float) -> str:
    """A number."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if abs(value) <= _NARROW else f"INT64_C({value})"
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def is_narrow(value: Expression) -> bool:
    """True if C makes an `int` of an Int."""
    match value:
        case Literal(number, Scalar.INT):
            return abs(number) <= _NARROW
        case Convert(operand, Scalar.INT):
            return operand.type is Scalar.CINT
        case Element(array):
            return array.type is Scalar.CINTS
        case Unary("-", Literal(number, Scalar.INT)):
            return abs(number) <= _NARROW
        case Choice(_, yes, no, Scalar.INT):
            return is_narrow(yes) and is_narrow(no)
    return False


def _text(value: Expression, level: int) -> str:
    """An expression, in parentheses if it binds less than `level`."""
    text, own = _printed(value)
    return f"({text})" if own < level else text


def _printed(value: Expression) -> tuple[str, int]:
    """Text and level of an expression."""
    match value:
        case Literal():
            return _literal(value)
        case Local(name):
            return c_name(name), _PRIMARY
        case Field():
            return _field(value), _PRIMARY
        case Element(array, position):
            return f"{_text(array, _PRIMARY)}[{_text(position, _CHOICE)}]", _PRIMARY
        case Tail(array, start):
            return f"{_text(array, _SUM)} + {_text(start, _PRODUCT)}", _SUM
        case Overlaid(array, start):
            return f"({type_text(value.type)})({_text(array, _SUM)} + {_text(start, _PRODUCT)})", _UNARY
        case Unary():
            return _unary(value), _UNARY
        case Binary():
            return _binary(value)
        case Convert():
            return _convert(value)
        case Call() | Invoke() | Primitive():
            return _application(value), _PRIMARY
        case _:
            return _truth(value)


def _literal(value: Literal) -> tuple[str, int]:
    number = value.value
    if value.name and (isinstance(number, int) or math.isfinite(number)):
        return c_name(value.name), _PRIMARY
    text = literal_text(number)
    return text, _UNARY if text.startswith("-") else _PRIMARY


def _field(value: Field) -> str:
    kind = value.base.type
    assert isinstance(kind, StructType)
    return f"{_text(value.base, _PRIMARY)}->{path_of(kind.struct, value.name)}"


def _unary(value: Unary) -> str:
    if value.op == "not":
        return f"!{_text(value.operand, _PRIMARY)}"
    cast = "(int64_t)" if is_narrow(value.operand) and not isinstance(value.operand, Literal) else ""
    return f"-{cast}{_text(value.operand, _PRIMARY)}"


def _binary(value: Binary) -> tuple[str, int]:
    if value.op == "<<":  # of signed integers C leaves the sign undefined
        return f"(int64_t)((uint64_t){_text(value.left, _UNARY)} << {_text(value.right, _PRIMARY)})", _UNARY
    if value.op in _BITS:
        return f"{_text(value.left, _UNARY)} {value.op} {_text(value.right, _UNARY)}", _CHOICE
    level = _LEVELS[value.op]
    left, right = _text(value.left, level), _text(value.right, level + 1)
    if value.type is Scalar.INT and is_narrow(value.left) and is_narrow(value.right):
        left = f"(int64_t){_text(value.left, _UNARY)}"
    return f"{left} {value.op} {right}", level


def _convert(value: Convert) -> tuple[str, int]:
    source, kind = value.operand.type, value.type
    if isinstance(source, StructType) and isinstance(kind, StructType):
        return f"&{_text(value.operand, _PRIMARY)}->{path_to_base(source.struct, kind.struct)}", _UNARY
    if isinstance(source, InnerArray):
        return _printed(value.operand)
    if kind is Scalar.INT and source is Scalar.CINT:
        return _printed(value.operand)
    if kind is Scalar.CINT and is_narrow(value.operand):
        return _printed(value.operand)
    name = {Scalar.REAL: "double", Scalar.INT: "int64_t"}.get(kind, "int") if isinstance(kind, Scalar) else ""
    return f"({name}){_text(value.operand, _UNARY)}", _UNARY


def _application(value: Call | Invoke | Primitive) -> str:
    match value:
        case Primitive(_, arguments):
            name, found = function_of(value), [text_of(argument) for argument in arguments]
            while len(found) > 2 and value.name != "fma":
                found[:2] = [f"{name}({found[0]}, {found[1]})"]
            return f"{name}({', '.join(found)})"
        case Call(name, arguments):
            return f"{c_name(name)}({', '.join([text_of(a) for a in arguments])})"
        case Invoke(routine, _, arguments):
            return f"{_text(routine, _PRIMARY)}({', '.join([text_of(a) for a in arguments])})"


def _truth(value: Comparison | Logic | Choice) -> tuple[str, int]:
    match value:
        case Comparison(op, left, right):
            return f"{_text(left, _SUM)} {op} {_text(right, _SUM)}", _EQUALITY if op in ("==", "!=") else _RELATION
        case Logic(op, parts):
            return f" {'&&' if op == 'and' else '||'} ".join([_text(part, _EQUALITY) for part in parts]), _LOGIC
        case Choice(test, yes, no):
            return f"{_text(test, _LOGIC)} ? {_text(yes, _LOGIC)} : {_text(no, _LOGIC)}", _CHOICE
