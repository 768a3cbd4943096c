"""Values of annotated dataclasses as JSON and back: annotations say what stands where, no text names what is made.

dataclass              [field, ...]
tuple                  [element, ...]
one of several         a number, text or null as it is; a dataclass {"its name": [field, ...]}
Origin                 its place in a list that all share, as one origin stands in many places
SourceFile             its place in the list of the files read
instructions           columns: each operator once, then operators, registers and values

How an annotation is packed is worked out once for the process; a codec holds the files and origins of one value.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from acausal.base.caches import memoized
from acausal.base.frozen import dataclass
from acausal.base.source import SourceFile, Span
from acausal.ir.origin import How, Origin
from acausal.ir.program.instructions import Instruction

Value = Any
"""Of an annotated type."""
Packed = Any
"""Values of JSON."""
Hint = Any
"""An annotation."""
Convert = Callable[["Codec", Any], Any]
_PLAIN = (int, str, float, bool, NoneType)
_PLAIN_TYPES = frozenset(_PLAIN)


@dataclass(frozen=True, slots=True)
class Form:
    """To what JSON has, and back."""

    pack: Convert
    unpack: Convert


def _same(_: "Codec", value: Value) -> Value:
    return value


_AS_IT_IS = Form(_same, _same)


class Codec:
    """Packs one value or unpacks one; `files` are those that spans may lie in."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self._files = files
        self._place = {file.name: i for i, file in enumerate(files)}
        self._packed: list[list[Packed]] = []
        self._place_of: dict[int, int] = {}
        self._origins: list[Origin] = []

    def pack(self, kind: type, value: object) -> str:
        """The text; KeyError where a span lies in another file, TypeError for a type that has no form."""
        packed = _form(kind).pack(self, value)
        return json.dumps([self._packed, packed], separators=(",", ":"))

    def unpack(self, kind: type, text: str) -> Value:
        """The value of this text."""
        origins, packed = json.loads(text)
        for where, path, how, of in origins:
            self._origins.append(Origin(self.span(where), tuple(path), How(how), tuple([self._origins[i] for i in of])))
        return _form(kind).unpack(self, packed)

    def pack_span(self, span: Span) -> list[int]:
        """A span by the place of its file."""
        return [self._place[span.file.name], span.start, span.end]

    def span(self, packed: list[int]) -> Span:
        """The span that `pack_span` has packed."""
        return Span(self._files[packed[0]], packed[1], packed[2])

    def pack_origin(self, origin: Origin) -> int:
        """The place of an origin in the list of all, which it and those it was made from enter."""
        places, stack = self._place_of, [origin]
        while stack:
            last = stack[-1]
            missing = [o for o in last.of if id(o) not in places]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if id(last) not in places:
                places[id(last)] = len(self._packed)
                of = [places[id(o)] for o in last.of]
                self._packed.append([self.pack_span(last.span), list(last.path), str(last.how), of])
        return places[id(origin)]

    def origin(self, place: int) -> Origin:
        """The origin at this place."""
        return self._origins[place]


# ------------------------------------------------------------------- forms


@memoized(1000)
def _form(hint: Hint) -> Form:
    arguments = get_args(hint)
    made_of: Hint = get_origin(hint)
    if hint in _PLAIN:
        return _AS_IT_IS
    if hint is Origin:
        return Form(Codec.pack_origin, Codec.origin)
    if hint is Span:
        return Form(Codec.pack_span, Codec.span)
    if hint == tuple[Instruction, ...]:
        return Form(_pack_code, _unpack_code)
    if made_of is Literal:
        return _AS_IT_IS
    if made_of is tuple:
        return _repeated(arguments[0]) if arguments[-1] is Ellipsis else _row(arguments)
    if made_of in (Union, UnionType):
        return _one_of([a for a in arguments if a not in _PLAIN])
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Form(lambda _, value: str(value), lambda _, packed: hint(packed))
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    message = f"{hint} has no form"
    raise TypeError(message)


_ROWS = Form(lambda _, values: list(values), lambda _, packed: tuple(packed))


def _repeated(element: Hint) -> Form:
    form = _form(element)
    if form is _AS_IT_IS:
        return _ROWS
    if form is _ROWS:
        return Form(lambda _, values: list(map(list, values)), lambda _, packed: tuple(map(tuple, packed)))
    pack, unpack = form.pack, form.unpack
    return Form(lambda c, values: [pack(c, v) for v in values], lambda c, packed: tuple([unpack(c, v) for v in packed]))


def _row(elements: tuple[Hint, ...]) -> Form:
    forms = [_form(e) for e in elements]
    if all(form is _AS_IT_IS for form in forms):
        return _ROWS
    pack, unpack = _fields(forms)
    return Form(lambda c, values: pack(c, list(values)), lambda c, packed: tuple(unpack(c, packed)))


def _fields(forms: Sequence[Form]) -> tuple[Convert, Convert]:
    """Functions that convert the elements of a list in place, those that need it."""
    rows = [i for i, form in enumerate(forms) if form is _ROWS]  # most: without a call for each
    packs = [(i, form.pack) for i, form in enumerate(forms) if form not in (_AS_IT_IS, _ROWS)]
    unpacks = [(i, form.unpack) for i, form in enumerate(forms) if form not in (_AS_IT_IS, _ROWS)]

    def pack(codec: Codec, packed: list[Packed]) -> list[Packed]:
        for i in rows:
            packed[i] = list(packed[i])
        for i, convert in packs:
            packed[i] = convert(codec, packed[i])
        return packed

    def unpack(codec: Codec, packed: list[Packed]) -> list[Packed]:
        for i in rows:
            packed[i] = tuple(packed[i])
        for i, convert in unpacks:
            packed[i] = convert(codec, packed[i])
        return packed

    return pack, unpack


def _one_of(kinds: list[Hint]) -> Form:
    """A plain value, or one that is none."""
    forms = {getattr(a, "__name__", ""): _form(a) for a in kinds}
    if all(form is _AS_IT_IS for form in forms.values()):
        return _AS_IT_IS
    if len(kinds) == 1:
        (form,) = forms.values()
        pack, unpack = form.pack, form.unpack
        return Form(
            lambda c, value: None if value is None else pack(c, value),
            lambda c, packed: None if packed is None else unpack(c, packed),
        )
    return Form(lambda c, value: _pack_one(forms, c, value), lambda c, packed: _unpack_one(forms, c, packed))


def _pack_one(forms: Mapping[str, Form], codec: Codec, value: Value) -> Packed:
    if isinstance(value, _PLAIN):
        return value
    name = type(value).__name__
    return {name: forms[name].pack(codec, value)}


def _unpack_one(forms: Mapping[str, Form], codec: Codec, packed: Packed) -> Value:
    if type(packed) is not dict:
        return packed
    ((name, value),) = packed.items()
    return forms[name].unpack(codec, value)


def _record(kind: type) -> Form:
    hints = get_type_hints(kind)
    names = [f.name for f in fields(kind)]
    pack, unpack = _fields([_form(hints[name]) for name in names])
    values_of = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    return Form(lambda c, value: pack(c, list(values_of(value))), lambda c, packed: kind(*unpack(c, packed)))


def _pack_code(codec: Codec, code: tuple[Instruction, ...]) -> list[Packed]:
    ops, arguments, values = zip(*code, strict=True) if code else ((), (), ())
    operators = list(dict.fromkeys(ops))
    place = {op: i for i, op in enumerate(operators)}
    if not set(map(type, values)) <= _PLAIN_TYPES:
        pack = _value_of_instruction().pack
        values = tuple([v if type(v) in _PLAIN_TYPES else pack(codec, v) for v in values])
    return [operators, list(map(place.__getitem__, ops)), arguments, values]


def _unpack_code(codec: Codec, packed: list[Packed]) -> tuple[Instruction, ...]:
    operators, places, arguments, values = packed
    if dict in set(map(type, values)):
        value = _value_of_instruction()
        values = [value.unpack(codec, v) if type(v) is dict else v for v in values]
    rows = zip(map(operators.__getitem__, places), map(tuple, arguments), values, strict=True)
    new = tuple.__new__  # in less time than by its class
    return tuple([new(Instruction, row) for row in rows])


@memoized(1)
def _value_of_instruction() -> Form:
    return _form(get_type_hints(Instruction)["value"])
