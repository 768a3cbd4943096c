"""Parts of typed trees, for passes over them."""

from collections.abc import Iterator, Sequence

from acausal.runtime.kernel.tree import (
    Assign,
    Binary,
    Call,
    Choice,
    Comparison,
    Convert,
    Element,
    Evaluate,
    Expression,
    Field,
    For,
    If,
    Invoke,
    Logic,
    Overlaid,
    Primitive,
    Return,
    Statement,
    Store,
    Tail,
    Unary,
    While,
)


def operands(value: Expression) -> tuple[Expression, ...]:
    """The operands of an expression, in the order of their evaluation."""
    match value:
        case Field(base):
            return (base,)
        case Element(array, position) | Tail(array, position) | Overlaid(array, position):
            return array, position
        case Unary(_, operand) | Convert(operand):
            return (operand,)
        case Binary(_, left, right) | Comparison(_, left, right):
            return left, right
        case Logic(_, parts):
            return parts
        case Choice(test, yes, no):
            return test, yes, no
        case Primitive(_, arguments) | Call(_, arguments):
            return arguments
        case Invoke(routine, _, arguments):
            return routine, *arguments
    return ()


def expressions(statement: Statement) -> tuple[Expression, ...]:
    """The expressions of a statement itself, in the order of their evaluation."""
    match statement:
        case Assign(_, value) | Evaluate(value):
            return (value,)
        case Store(place, value):
            return value, place
        case If(test) | While(test):
            return (test,)
        case For(_, first, end):
            return end, first
        case Return(value) if value is not None:
            return (value,)
    return ()


def blocks(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks in a statement."""
    match statement:
        case If(_, yes, no):
            return yes, no
        case While(_, body) | For(_, _, _, body):
            return (body,)
    return ()


def statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """All statements of a block, those of inner blocks behind theirs."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements(block)


def parts(value: Expression) -> Iterator[Expression]:
    """An expression and all of its operands."""
    yield value
    for operand in operands(value):
        yield from parts(operand)


def all_expressions(body: Sequence[Statement]) -> Iterator[Expression]:
    """All expressions of a block, with their operands."""
    for statement in statements(body):
        for value in expressions(statement):
            yield from parts(value)
