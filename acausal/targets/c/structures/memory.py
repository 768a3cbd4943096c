"""The memory of a model in C: arrays and structures in one `m_t`, and the pointers between them."""

from collections.abc import Iterable, Mapping, Sequence

from acausal.ir.program.program import Program, routine_of
from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.c.types import path_of
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.targets.c.program.values import constant

ROUTINES = ("initial", "derivatives", "events", "crossings", "choices")
"""Routines that structures of a run point to."""

_KINDS = {"double": "double", "int64_t": "int64_t", "int": "int"}


class Memory:
    """Members of the structure in order, constant tables, and the statements that set what kernels read.

    Of a model with several sets of states all share the members, whose arrays have room for each; tables and names of
    routines have the `suffix` of the set. `known` are the expressions by structure and field of each set, `numbers`
    those in tables.
    """

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.pointers: dict[str, None] = {}
        self.suffix = ""
        self.known: list[dict[tuple[str, str], str]] = [{}]
        self.numbers: dict[str, tuple[float, ...]] = {}
        self._arrays: dict[str, tuple[str, int]] = {}
        self._structures: dict[str, str] = {}
        self._members: dict[str, None] = {}
        self._bound: list[dict[str, str]] = [{}]

    def next_set(self) -> None:
        """Begin the next set of states, to which all belongs that follows."""
        self.suffix = f"_{len(self._bound)}"
        self._bound.append({})
        self.known.append(dict(self.known[-1]))

    @property
    def members(self) -> list[str]:
        """Declarations in order."""
        return [self._structures[name] if name in self._structures else self._array(name) for name in self._members]

    @property
    def bindings(self) -> list[str]:
        """The statements that all sets of states have in common."""
        return [line for place, line in self._bound[0].items() if all(b.get(place) == line for b in self._bound)]

    @property
    def set_bindings(self) -> list[list[str]]:
        """The others of each set; none where there is only one."""
        common = set(self.bindings)
        return [[line for line in bound.values() if line not in common] for bound in self._bound]

    @property
    def all_bindings(self) -> list[str]:
        """All statements."""
        return [line for bound in self._bound for line in bound.values()]

    @property
    def structures(self) -> tuple[str, ...]:
        """Names of the structures of kernels."""
        return tuple(self._structures)

    def array(self, name: str, length: int, kind: str = "double") -> str:
        """An array of the structure, of one element at least; the expression for its first element."""
        self._members[name] = None
        self._arrays[name] = kind, max(1, length, self._arrays.get(name, (kind, 1))[1])
        return self._path(name)

    def structure(self, name: str, struct: type[Struct]) -> str:
        """A structure of kernels; the expression for its address."""
        self._members[name] = None
        self._structures[name] = self._structure(name, struct)
        return f"{self._address}{self._path(name)}"

    def table(self, name: str, numbers: Iterable[float], kind: str) -> str:
        """A constant array; the expression for its first element, which kernels only read."""
        values = list(numbers)
        self.numbers[f"table_{name}{self.suffix}"] = tuple(values)
        texts = [str(int(v)) if kind != "double" else constant(float(v)).text for v in values] or ["0"]
        found, content = f"table_{name}{self.suffix}", f"[] = {{{', '.join(texts)}}};"
        if self.suffix and f"static const {kind} table_{name}{content}" in self.tables:
            found = f"table_{name}"  # that of the first set
        else:
            self.tables.append(f"static const {kind} {found}{content}")
        return f"({kind} *){found}"

    def rest(self, array: str, first: int) -> str:
        """The expression for the elements of an array from one on."""
        return f"&{self._path(array)}[{first}]"

    def as_numbers(self, structure: str) -> str:
        """The expression for a structure in the place of an array, which adapters find behind it."""
        return f"(double *)&{self._path(structure)}"

    _address = "&"

    def _path(self, name: str) -> str:
        return f"m->{name}"

    def _array(self, name: str) -> str:
        kind, length = self._arrays[name]
        return f"{_KINDS[kind]} {name}[{length}];"

    def _structure(self, name: str, struct: type[Struct]) -> str:
        return f"acausal_{struct.__name__} {name};"

    def bind(self, name: str, struct: type[Struct], values: Mapping[str, str], pointers: Sequence[str] = ()) -> None:
        """Sets fields of a structure; addresses among them are set again where the structure is copied."""
        known = fields(struct)
        for field, value in values.items():
            assert field in known, field
            self.known[-1][name, field] = value
            path = f"m->{name}.{path_of(struct, field)}"
            is_pointer = value.startswith(("m->", "&", "(")) or field in pointers
            self._bound[-1][path] = f"{path} = {value};"
            if is_pointer:
                self.pointers[path.removeprefix("m->")] = None

    def number(self, name: str, struct: type[Struct], field: str) -> str:
        """A field of a structure as an expression."""
        return f"m->{name}.{path_of(struct, field)}" if field in fields(struct) else c_name(field)


def routine_name(program: Program, name: str, suffix: str = "") -> str:
    """The function of a routine, of a set of states with this suffix; that of none where it has no code."""
    return f"{name}{suffix}" if routine_of(program, name).code else "nothing"
