"""The memory of a model in C: arrays and structures in one `m_t`, and the pointers between them."""

from collections.abc import Iterable, Mapping, Sequence

from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.c.types import path_of
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.targets.c.program.values import constant

_KINDS = {"double": "double", "int64_t": "int64_t", "int": "int"}


class Memory:
    """Members of the structure in order, constant tables, and the statements that set what kernels read."""

    def __init__(self) -> None:
        self.members: list[str] = []
        self.tables: list[str] = []
        self.bindings: list[str] = []
        self.pointers: list[str] = []
        self._names: set[str] = set()

    def array(self, name: str, length: int, kind: str = "double") -> str:
        """An array of the structure, of one element at least; the expression for its first element."""
        if name not in self._names:
            self._names.add(name)
            self.members.append(f"{_KINDS[kind]} {name}[{max(1, length)}];")
        return f"m->{name}"

    def structure(self, name: str, struct: type[Struct]) -> str:
        """A structure of kernels; the expression for its address."""
        if name not in self._names:
            self._names.add(name)
            self.members.append(f"acausal_{struct.__name__} {name};")
        return f"&m->{name}"

    def table(self, name: str, numbers: Iterable[float], kind: str) -> str:
        """A constant array; the expression for its first element, which kernels only read."""
        values = list(numbers)
        texts = [str(int(v)) if kind != "double" else constant(float(v)).text for v in values] or ["0"]
        self.tables.append(f"static const {kind} table_{name}[] = {{{', '.join(texts)}}};")
        return f"({kind} *)table_{name}"

    def bind(self, name: str, struct: type[Struct], values: Mapping[str, str], pointers: Sequence[str] = ()) -> None:
        """Sets fields of a structure; addresses among them are set again where the structure is copied."""
        known = fields(struct)
        for field, value in values.items():
            assert field in known, field
            path = f"m->{name}.{path_of(struct, field)}"
            is_pointer = value.startswith(("m->", "&", "(")) or field in pointers
            self.bindings.append(f"{path} = {value};")
            if is_pointer:
                self.pointers.append(path.removeprefix("m->"))

    def number(self, name: str, struct: type[Struct], field: str) -> str:
        """A field of a structure as an expression."""
        return f"m->{name}.{path_of(struct, field)}" if field in fields(struct) else c_name(field)
