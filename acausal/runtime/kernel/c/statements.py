"""Statements of kernels in C; variables are declared where they get their first value, if they can be."""

from collections.abc import Iterator, Sequence

from acausal.runtime.kernel.c.expressions import bound_text, is_narrow, text_of
from acausal.runtime.kernel.c.layout import wrapped
from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.c.types import declared
from acausal.runtime.kernel.effects import Effects
from acausal.runtime.kernel.tree import (
    Assign,
    Binary,
    Break,
    Continue,
    Element,
    Evaluate,
    Expression,
    Field,
    For,
    Function,
    If,
    Local,
    Return,
    Statement,
    Store,
    While,
)
from acausal.runtime.kernel.types import Scalar
from acausal.runtime.kernel.walk import all_expressions, blocks, expressions, parts, statements


class Body:
    """The statements of one function."""

    def __init__(self, function: Function, effects: Effects) -> None:
        self._function, self._effects = function, effects
        self._types = dict(function.variables)
        read = {value.name for value in all_expressions(function.body) if isinstance(value, Local)}
        self._unread = [name for name, _ in function.parameters if name not in read]
        self._only_set = set(self._types) - read
        self._declared = {name for name, _ in function.parameters}

    def lines(self) -> Iterator[str]:
        """All lines, indented."""
        for name in self._unread:
            yield f"    (void){c_name(name)};"
        yield from self._block(self._function.body, 1)

    def _block(self, body: Sequence[Statement], level: int) -> Iterator[str]:
        """A block; what it declares is known in it alone."""
        outside = set(self._declared)
        homes = self._homes(body)
        for i, statement in enumerate(body):
            for name in homes.get(i, ()):
                yield wrapped(f"{declared(self._types[name], c_name(name))};", level)
                self._declared.add(name)
            yield from self._statement(statement, level)
        self._declared = outside

    def _homes(self, body: Sequence[Statement]) -> dict[int, list[str]]:
        """Variables that are declared before a statement: it does not begin with them, and a later one knows them."""
        places: dict[str, list[int]] = {}
        for i, statement in enumerate(body):
            for name in sorted(_names(statement) - self._declared):
                places.setdefault(name, []).append(i)
        found: dict[int, list[str]] = {}
        for name, (at, *others) in places.items():
            first = body[at]
            if others and not (isinstance(first, Assign) and first.name == name):
                found.setdefault(at, []).append(name)
        return found

    # ------------------------------------------------------------------ statements

    def _statement(self, statement: Statement, level: int) -> Iterator[str]:
        match statement:
            case If():
                yield from self._if(statement, level)
            case While(test, body):
                yield wrapped(f"while ({text_of(test)}) {{", level)
                yield from self._block(body, level + 1)
                yield f"{'    ' * level}}}"
            case For():
                yield from self._for(statement, level)
            case Assign(name, value):
                yield wrapped(self._assign(name, value), level)
                if name in self._only_set:
                    yield wrapped(f"(void){c_name(name)};", level)
            case _:
                yield wrapped(f"{_simple(statement)};", level)

    def _assign(self, name: str, value: Expression) -> str:
        """An assignment, with the declaration where it is the first one."""
        if name in self._declared:
            return f"{_assigned(Local(name, self._types[name]), value)};"
        self._declared.add(name)
        return f"{declared(self._types[name], c_name(name))} = {text_of(value)};"

    def _if(self, statement: If, level: int) -> Iterator[str]:
        first, space = f"if ({text_of(statement.test)}) {{", "    " * level
        while True:
            yield wrapped(first, level)
            yield from self._block(statement.yes, level + 1)
            if not statement.no:
                break
            inner = statement.no[0]
            if len(statement.no) == 1 and isinstance(inner, If):
                statement, first = inner, f"}} else if ({text_of(inner.test)}) {{"
                continue
            yield f"{space}}} else {{"
            yield from self._block(statement.no, level + 1)
            break
        yield f"{space}}}"

    def _for(self, loop: For, level: int) -> Iterator[str]:
        """The end is evaluated once, before the loop, unless it is always the same."""
        name, end, first = c_name(loop.name), bound_text(loop.end), text_of(loop.first)
        head = f"int64_t {name} = {first}"
        assigned = {s.name for s in statements(loop.body) if isinstance(s, Assign | For)}
        used = {value.name for value in parts(loop.end) if isinstance(value, Local)}
        if assigned & used or not self._effects.is_constant(loop.end, loop.body):
            limit = f"{name}_end" if f"{name}_end" not in self._types else f"{name}_end_"
            head, end = f"int64_t {limit} = {end}, {name} = {first}", limit
        yield wrapped(f"for ({head}; {name} < {end}; {name}++) {{", level)
        outside = set(self._declared)
        self._declared.add(loop.name)
        yield from self._block(loop.body, level + 1)
        self._declared = outside
        yield f"{'    ' * level}}}"


def _simple(statement: Statement) -> str:
    """A statement without blocks."""
    match statement:
        case Store(place, value):
            cast = "(int)" if _is_c_int(place) and not is_narrow(value) else ""
            return _assigned(place, value, cast)
        case Evaluate(value):
            return text_of(value)
        case Return(None):
            return "return"
        case Return(value) if value is not None:
            return f"return {text_of(value)}"
        case Break():
            return "break"
        case Continue():
            return "continue"
    raise AssertionError(statement)


def _assigned(place: Local | Field | Element, value: Expression, cast: str = "") -> str:
    if isinstance(value, Binary) and value.left == place and not _is_c_int(place):
        return f"{text_of(place)} {value.op}= {text_of(value.right)}"
    text = text_of(value)
    return f"{text_of(place)} = {f'{cast}({text})' if cast else text}"


def _is_c_int(place: Local | Field | Element) -> bool:
    return isinstance(place, Element) and place.array.type is Scalar.CINTS


def _names(statement: Statement) -> set[str]:
    """The variables that a statement knows, but those of its loops."""
    found = {part.name for value in expressions(statement) for part in parts(value) if isinstance(part, Local)}
    if isinstance(statement, Assign):
        found.add(statement.name)
    for block in blocks(statement):
        found |= {name for inner in block for name in _names(inner)}
    return found - {statement.name} if isinstance(statement, For) else found
