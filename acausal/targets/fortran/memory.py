"""The memory of a model in Fortran: components of one derived type, tables of the module, and what points to what.

The same structures as those of C (`targets/c/structures/contexts`): values of fields are given as there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.names import fortran_name
from acausal.runtime.kernel.fortran.types import literal_text, type_name
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import RoutineType, Scalar, StructType, Type
from acausal.targets.c.structures.memory import Memory

_KINDS = {"double": "real(dp)", "int64_t": "integer(i8)", "int": "integer(i4)"}
_ZEROS = {"double": "0.0_dp", "int64_t": "0_i8", "int": "0_i4"}
_ARRAYS = (Scalar.REALS, Scalar.INTS, Scalar.CINTS)
_EMPTY = {"real": "0.0_dp", "integer": "0", "logical": ".false.", "character": '" "'}
ROW = 8
"""Numbers in a line of a table."""


class FortranMemory(Memory):
    """Components in order, tables, and statements that set what kernels read."""

    _address = ""

    def _path(self, name: str) -> str:
        return f"m%{name}"

    def _array(self, name: str) -> str:
        kind, length = self._arrays[name]
        return f"{_KINDS[kind]} :: {name}(0:{length - 1}) = {_ZEROS[kind]}"

    def _structure(self, name: str, struct: type[Struct]) -> str:
        return f"type({type_name(struct)}) :: {name}"

    def rest(self, array: str, first: int) -> str:
        """The elements of an array from one on."""
        return f"{self._path(array)}({first}:)"

    def as_numbers(self, structure: str) -> str:
        """A structure in the place of an array, which adapters find behind it."""
        return f"numbers_at(c_loc({self._path(structure)}))"

    def table(self, name: str, numbers: Iterable[float], kind: str) -> str:
        """An array of the module, which kernels only read."""
        is_real = kind == "double"
        texts = [literal_text(float(x)) if is_real else f"{int(x)}_i8" for x in numbers] or [_ZEROS[kind]]
        found = f"table_{name}{self.suffix}"
        self.tables += vector(f"{_KINDS[kind]}, target, save", found, texts)
        return found

    def bind(self, name: str, struct: type[Struct], values: Mapping[str, str], pointers: Sequence[str] = ()) -> None:  # noqa: ARG002 - as that of C
        """Sets fields of a structure."""
        known = fields(struct)
        for field, value in values.items():
            text = value.lstrip("&").replace("->", "%")
            place = f"m%{name}%{fortran_name(field)}"
            self._bound[-1][place] = wrapped(_binding(place, known[field][1], text), 2)


def _binding(place: str, kind: Type, value: str) -> str:
    if kind in _ARRAYS:
        return f"{place}(0:) => {value}"
    if isinstance(kind, StructType | RoutineType):
        return f"{place} => {value}"
    if kind is Scalar.ADDRESS:
        return f"{place} = c_loc({value})"
    return f"{place} = {value}_i8" if kind is Scalar.INT else f"{place} = {value}_dp"


def vector(kind: str, name: str, items: Sequence[str], row: int = ROW) -> Iterator[str]:
    """A constant array; long ones are made of parts."""
    most = 200 * row
    base = kind.partition(",")[0]
    if not items:  # compilers warn of elements of empty arrays, whatever the loop around them
        zero = next(text for known, text in _EMPTY.items() if base.startswith(known))
        yield f"  {kind} :: {name}(0:0) = {zero}"
    elif len(items) > most:
        chunks = [items[i : i + most] for i in range(0, len(items), most)]
        for number, chunk in enumerate(chunks):
            yield from vector(f"{base}, parameter", f"{name}_{number}", chunk, row)
        joined = ", ".join([f"{name}_{number}" for number in range(len(chunks))])
        yield wrapped(f"{kind} :: {name}(0:{len(items) - 1}) = [{joined}]", 1)
    else:
        yield f"  {kind} :: {name}(0:{len(items) - 1}) = [ &"
        rows = [", ".join(items[i : i + row]) for i in range(0, len(items), row)]
        yield from [f"    {text}, &" for text in rows[:-1]]
        yield from [f"    {rows[-1]} &", "    ]"]
