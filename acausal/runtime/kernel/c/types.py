"""Types of kernels in C, and their declarations."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from acausal.runtime.kernel.c.layout import comment, safe, wrapped
from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.overlay import Overlay
from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.signature import fields, first_line, size_of
from acausal.runtime.kernel.syntax import tree_of
from acausal.runtime.kernel.tree import Function
from acausal.runtime.kernel.types import InnerArray, RoutineType, Scalar, StructType, Type
from acausal.runtime.kernel.walk import all_expressions

_SCALARS = {
    Scalar.REAL: "double",
    Scalar.INT: "int64_t",
    Scalar.BOOL: "bool",
    Scalar.REALS: "double *",
    Scalar.INTS: "int64_t *",
    Scalar.CINTS: "int *",
    Scalar.CINT: "int",
    Scalar.ADDRESS: "void *",
    Scalar.NOTHING: "void",
}
_ASSERTION = """\
/* Layout: fields of 8 bytes, as in the other executions of the kernels. */
#if UINTPTR_MAX > 0xFFFFFFFFu
#define ASSERT_OFFSET(type, field, offset) \\
    typedef char type##_##field##_is_at_##offset[offsetof(type, field) == (offset) ? 1 : -1]
#define ASSERT_SIZE(type, size) typedef char size_of_##type##_is_##size[sizeof(type) == (size) ? 1 : -1]
"""
_ASSERTION_END = """\
#undef ASSERT_OFFSET
#undef ASSERT_SIZE
#endif
"""
WORD = 8


def declared(kind: Type, name: str) -> str:
    """A variable, parameter or field of this type; without a name the type alone."""
    if isinstance(kind, InnerArray):
        return f"double {name}[{kind.length}]"
    text = type_text(kind)
    return f"{text}{'' if text.endswith('*') else ' '}{name}".strip()


def type_text(kind: Type) -> str:
    """A type."""
    if isinstance(kind, StructType):
        return f"{kind.struct.__name__} *"
    if isinstance(kind, InnerArray):
        return _SCALARS[Scalar.REALS]
    return _SCALARS[kind] if isinstance(kind, Scalar) else kind.name


def base_of(struct: type[Struct]) -> type[Struct] | None:
    """The structure with whose fields it begins."""
    base = struct.__mro__[1]
    return None if base in (Struct, Overlay) else base


def own_fields(struct: type[Struct]) -> dict[str, tuple[int, Type]]:
    """Fields that its base does not have: number and type."""
    base = base_of(struct)
    count = size_of(base) if base else 0
    return {name: found for name, found in fields(struct).items() if found[0] >= count}


def path_of(struct: type[Struct], field: str) -> str:
    """Path to a field in the structure, through those of its bases."""
    base = base_of(struct)
    return c_name(field) if base is None or field in own_fields(struct) else f"base.{path_of(base, field)}"


def path_to_base(struct: type[Struct], base: type[Struct]) -> str:
    """Path to the base of the structure: base.base ..."""
    return ".".join(["base"] * (struct.__mro__.index(base)))


# ------------------------------------------------------------------ declarations


def declarations(functions: Sequence[Function]) -> Iterator[str]:
    """Structures and routines that these functions use."""
    return type_declarations(types_of(functions))


class Types(NamedTuple):
    """Structures, each behind its base, and routines by name."""

    structs: tuple[type[Struct], ...]
    routines: Mapping[str, RoutineType]

    def without(self, others: "Types") -> "Types":
        """Types that are not among others."""
        structs = tuple([struct for struct in self.structs if struct not in others.structs])
        return Types(structs, {name: kind for name, kind in self.routines.items() if name not in others.routines})

    @property
    def names(self) -> list[str]:
        """Names of all."""
        return [*[struct.__name__ for struct in self.structs], *self.routines]


def types_of(functions: Sequence[Function], added: Sequence[type[Struct]] = ()) -> Types:
    """The types that functions use, and those of further structures."""
    structs = structures(functions, added)
    routines: dict[str, RoutineType] = {}
    kinds = [kind for struct in structs for _, kind in fields(struct).values()]
    for kind in [*kinds, *[kind for function in functions for _, kind in function.parameters]]:
        if isinstance(kind, RoutineType) and routines.setdefault(kind.name, kind) != kind:
            raise KernelError(f"there are two routines {kind.name}")
    if len({struct.__name__ for struct in structs}) < len(structs):
        raise KernelError("there are two structures of one name")
    return Types(tuple(structs), routines)


def type_declarations(types: Types) -> Iterator[str]:
    """The declarations of these types."""
    for struct in types.structs:
        yield f"typedef struct {struct.__name__} {struct.__name__};"
    for name in sorted(types.routines):
        yield "\n" + _routine(types.routines[name])
    for struct in types.structs:
        yield "\n" + _struct(struct)


def assertions(functions: Sequence[Function]) -> Iterator[str]:
    """Structures are in memory as in the other executions of the kernels."""
    structs = structures(functions)
    if structs:
        yield _ASSERTION
        for struct in structs:
            yield from _assertions(struct)
        yield _ASSERTION_END


def structures(functions: Sequence[Function], added: Sequence[type[Struct]] = ()) -> list[type[Struct]]:
    """Structures, each behind its base."""
    found: dict[type[Struct], None] = {}

    def add(kind: Type) -> None:
        if isinstance(kind, StructType) and kind.struct not in found:
            base = base_of(kind.struct)
            if base is not None:
                add(StructType(base))
            found[kind.struct] = None
            for _, inner in fields(kind.struct).values():
                add(inner)

    for struct in added:
        add(StructType(struct))
    for function in functions:
        for _, kind in (*function.parameters, *function.variables):
            add(kind)
        for value in all_expressions(function.body):
            add(value.type)
    return list(found)


def _routine(kind: RoutineType) -> str:
    given = [declared(scalar, c_name(name)) for scalar, name in zip(kind.parameters, kind.names, strict=True)]
    text = f"typedef {declared(kind.result, f'(*{kind.name})')}({', '.join(given) or 'void'});"
    return "\n".join([comment(kind.summary), wrapped(text)] if kind.summary else [wrapped(text)])


def _struct(struct: type[Struct]) -> str:
    lines = [comment(first_line(struct))] if first_line(struct) else []
    lines.append(f"struct {struct.__name__} {{")
    base, notes = base_of(struct), _notes(struct)
    if base is not None:
        lines.append(f"    {base.__name__} base;")
    for name, (_, kind) in own_fields(struct).items():
        note = notes.get(name)
        line = f"    {declared(kind, c_name(name))};"
        if note and len(line) + len(note) < 100:
            line += f" /* {safe(note)} */"
        elif note:
            lines.append(comment(note, 1))
        lines.append(line)
    return "\n".join([*lines, "};"])


def _notes(struct: type[Struct]) -> dict[str, str]:
    """Descriptions of fields: the literals below them."""
    tree = tree_of(struct)
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, note in zip(tree.body, tree.body[1:], strict=False):
        match field, note:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = text
    return found


def _assertions(struct: type[Struct]) -> Iterator[str]:
    base, name = base_of(struct), struct.__name__
    if base is not None and "base" in own_fields(struct):
        raise KernelError(f"{name}: a field `base` would be that of {base.__name__}")
    if base is not None:
        yield f"ASSERT_OFFSET({name}, base, 0);"
    for field, (number, _) in own_fields(struct).items():
        yield f"ASSERT_OFFSET({name}, {c_name(field)}, {WORD * number});"
    yield f"ASSERT_SIZE({name}, {WORD * size_of(struct)});"
