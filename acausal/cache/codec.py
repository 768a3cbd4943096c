"""Values of annotated dataclasses as JSON and back: annotations say what stands where, no text names what is made.

dataclass              [field, ...]
tuple                  [element, ...]
one of several         a number, text or null as it is; a dataclass {"its name": [field, ...]}
Origin                 its place in a list that all share, as one origin stands in many places
SourceFile             its place in the list of the files read
instructions           columns: each operator once, then operators, registers and values
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from acausal.base.source import SourceFile, Span
from acausal.ir.origin import How, Origin
from acausal.ir.program import Instruction

Value = Any
"""Of an annotated type."""
Packed = Any
"""Values of JSON."""
Hint = Any
"""An annotation."""
Convert = Callable[[Any], Any]
_PLAIN = (int, str, float, bool, NoneType)


@dataclass(frozen=True, slots=True)
class Form:
    """To what JSON has, and back."""

    pack: Convert
    unpack: Convert


def _same(value: Value) -> Value:
    return value


_AS_IT_IS = Form(_same, _same)


class Codec:
    """Packs one value or unpacks one; `files` are those that spans may lie in."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self._files = files
        self._place = {file.name: i for i, file in enumerate(files)}
        self._forms: dict[Hint, Form] = {}
        self._packed: list[list[Packed]] = []
        self._place_of: dict[int, int] = {}
        self._origins: list[Origin] = []

    def pack(self, kind: type, value: object) -> str:
        """The text; KeyError where a span lies in another file, TypeError for a type that has no form."""
        packed = self._form(kind).pack(value)
        return json.dumps([self._packed, packed], separators=(",", ":"))

    def unpack(self, kind: type, text: str) -> Value:
        """The value of this text."""
        origins, packed = json.loads(text)
        for where, path, how, of in origins:
            self._origins.append(
                Origin(self._span(where), tuple(path), How(how), tuple([self._origins[i] for i in of]))
            )
        return self._form(kind).unpack(packed)

    # --------------------------------------------------------------- forms

    def _form(self, hint: Hint) -> Form:
        if hint not in self._forms:
            self._forms[hint] = self._made(hint)
        return self._forms[hint]

    def _made(self, hint: Hint) -> Form:
        arguments = get_args(hint)
        made_of: Hint = get_origin(hint)
        if hint in _PLAIN:
            return _AS_IT_IS
        if hint is Origin:
            return Form(self._pack_origin, lambda place: self._origins[place])
        if hint is Span:
            return Form(self._pack_span, self._span)
        if hint == tuple[Instruction, ...]:
            return Form(self._pack_code, self._unpack_code)
        if made_of is Literal:
            return _AS_IT_IS
        if made_of is tuple:
            return self._repeated(arguments[0]) if arguments[-1] is Ellipsis else self._row(arguments)
        if made_of in (Union, UnionType):
            return self._one_of([a for a in arguments if a not in _PLAIN])
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return Form(str, hint)
        if isinstance(hint, type) and is_dataclass(hint):
            return self._record(hint)
        message = f"{hint} has no form"
        raise TypeError(message)

    def _repeated(self, element: Hint) -> Form:
        form = self._form(element)
        if form is _AS_IT_IS:
            return Form(list, tuple)
        pack, unpack = form.pack, form.unpack
        return Form(lambda values: [pack(v) for v in values], lambda values: tuple([unpack(v) for v in values]))

    def _row(self, elements: tuple[Hint, ...]) -> Form:
        forms = [self._form(e) for e in elements]
        if all(form is _AS_IT_IS for form in forms):
            return Form(list, tuple)
        return Form(
            lambda values: [f.pack(v) for f, v in zip(forms, values, strict=True)],
            lambda values: tuple([f.unpack(v) for f, v in zip(forms, values, strict=True)]),
        )

    def _one_of(self, kinds: list[Hint]) -> Form:
        """A plain value, or one that is none."""
        forms = {getattr(a, "__name__", ""): self._form(a) for a in kinds}
        if all(form is _AS_IT_IS for form in forms.values()):
            return _AS_IT_IS
        if len(kinds) == 1:
            (form,) = forms.values()
            return Form(
                lambda value: None if value is None else form.pack(value),
                lambda value: None if value is None else form.unpack(value),
            )
        return Form(lambda value: _pack_one(forms, value), lambda value: _unpack_one(forms, value))

    def _record(self, kind: type) -> Form:
        hints = get_type_hints(kind)
        names = [f.name for f in fields(kind)]
        forms = [self._form(hints[name]) for name in names]
        odd = [(i, form) for i, form in enumerate(forms) if form is not _AS_IT_IS]
        values_of = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)

        def pack(value: Value) -> list[Packed]:
            packed = list(values_of(value))
            for i, form in odd:
                packed[i] = form.pack(packed[i])
            return packed

        def unpack(packed: list[Packed]) -> Value:
            for i, form in odd:
                packed[i] = form.unpack(packed[i])
            return kind(*packed)

        return Form(pack, unpack)

    # -------------------------------------------------- what has its own form

    def _pack_span(self, span: Span) -> list[int]:
        return [self._place[span.file.name], span.start, span.end]

    def _span(self, packed: list[int]) -> Span:
        return Span(self._files[packed[0]], packed[1], packed[2])

    def _pack_origin(self, origin: Origin) -> int:
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
                self._packed.append([self._pack_span(last.span), list(last.path), str(last.how), of])
        return places[id(origin)]

    def _pack_code(self, code: tuple[Instruction, ...]) -> list[Packed]:
        value = self._form(get_type_hints(Instruction)["value"])
        operators = list(dict.fromkeys([i.op for i in code]))
        place = {op: i for i, op in enumerate(operators)}
        values = [value.pack(i.value) for i in code]
        return [operators, [place[i.op] for i in code], [i.args for i in code], values]

    def _unpack_code(self, packed: list[Packed]) -> tuple[Instruction, ...]:
        operators, places, arguments, values = packed
        if any(type(v) is dict for v in values):
            value = self._form(get_type_hints(Instruction)["value"])
            values = [value.unpack(v) if type(v) is dict else v for v in values]
        rows = zip(map(operators.__getitem__, places), map(tuple, arguments), values, strict=True)
        return tuple(map(Instruction._make, rows))


def _pack_one(forms: Mapping[str, Form], value: Value) -> Packed:
    if isinstance(value, _PLAIN):
        return value
    name = type(value).__name__
    return {name: forms[name].pack(value)}


def _unpack_one(forms: Mapping[str, Form], packed: Packed) -> Value:
    if type(packed) is not dict:
        return packed
    ((name, value),) = packed.items()
    return forms[name].unpack(value)
