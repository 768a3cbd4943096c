"""Types by annotations."""

import inspect
from collections.abc import Callable

from acausal.base.caches import once
from acausal.runtime.kernel.language import Address, Bool, CInt, CInts, Int, Ints, Real, Reals, Struct, field_types
from acausal.runtime.kernel.overlay import Overlay, length_of
from acausal.runtime.kernel.types import InnerArray, RoutineType, Scalar, StructType, Type

_SCALARS: tuple[tuple[object, Scalar], ...] = (
    (Real, Scalar.REAL),
    (Int, Scalar.INT),
    (Bool, Scalar.BOOL),
    (Reals, Scalar.REALS),
    (Ints, Scalar.INTS),
    (CInts, Scalar.CINTS),
    (CInt, Scalar.CINT),
    (Address, Scalar.ADDRESS),
    (None, Scalar.NOTHING),
)


def type_of(annotation: object) -> Type | None:
    """The type that an annotation stands for; None if there is none."""
    scalar = _scalar(annotation)
    if scalar is not None:
        return scalar
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return StructType(annotation)
    if isinstance(annotation, type) and "__call__" in vars(annotation):
        return _routine(annotation)
    return None


def _scalar(annotation: object) -> Scalar | None:
    return next((kind for known, kind in _SCALARS if known is annotation or known == annotation), None)


@once
def _routine(protocol: type) -> RoutineType | None:
    """A protocol of `__call__`, as the type of a C function."""
    parameters, result = signature(vars(protocol)["__call__"])
    kinds = {name: _scalar(annotation) for name, annotation in parameters if name != "self"}
    answer = _scalar(result)
    if answer is None or None in kinds.values():
        return None
    found = tuple([kind for kind in kinds.values() if kind is not None])
    return RoutineType(protocol.__name__, found, answer, tuple(kinds), first_line(protocol))


def first_line(documented: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def signature(function: Callable[..., object]) -> tuple[list[tuple[str, object]], object]:
    """Names and annotations of the parameters, and the annotation of the result."""
    found = inspect.signature(function)
    return [(p.name, p.annotation) for p in found.parameters.values()], found.return_annotation


@once
def fields(struct: type[Struct]) -> dict[str, tuple[int, Type]]:
    """The fields of a structure: position in words of 8 bytes, and type, by name."""
    found: dict[str, tuple[int, Type]] = {}
    position = 0
    for name, annotation in field_types(struct).items():
        length = length_of(annotation) if issubclass(struct, Overlay) else None
        kind = type_of(annotation) if length is None else InnerArray(length)
        if kind is None or kind in (Scalar.BOOL, Scalar.CINT, Scalar.NOTHING):
            raise TypeError(f"{struct.__name__}.{name}: no field can have this type")
        if issubclass(struct, Overlay) and kind is not Scalar.REAL and length is None:
            raise TypeError(f"{struct.__name__}.{name}: it does not fit into an array of Real")
        found[name] = position, kind
        position += 1 if length is None else length
    return found


def size_of(struct: type[Struct]) -> int:
    """The size of a structure in words of 8 bytes."""
    return sum([kind.length if isinstance(kind, InnerArray) else 1 for _, kind in fields(struct).values()])
