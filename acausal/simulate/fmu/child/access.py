"""Variables of an FMU that are set or read together, by their types."""

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_float, c_size_t, c_uint32
from typing import Any

from acausal.simulate.fmu.child.api import Api, Api2
from acausal.simulate.fmu.child.protocol import Entries

_TYPES: dict[str, type[Any]] = {
    **{f"Int{n}": getattr(ctypes, f"c_int{n}") for n in (8, 16, 32, 64)},
    **{f"UInt{n}": getattr(ctypes, f"c_uint{n}") for n in (8, 16, 32, 64)},
    "Float64": c_double,
    "Float32": c_float,
    "Boolean": ctypes.c_bool,
}
_TYPES_2: dict[str, type[Any]] = {"Real": c_double, "Integer": ctypes.c_int, "Boolean": ctypes.c_int}


class Access:
    """The variables of some entries; `size` counts their elements."""

    def __init__(self, api: Api, entries: Entries) -> None:
        self._api, self.size = api, 0
        is_2 = isinstance(api, Api2)
        kinds: dict[str, tuple[list[int], list[int]]] = {}
        for reference, kind, size in entries:
            same = ("Integer" if is_2 else "Int64") if kind == "Enumeration" else kind
            references, places = kinds.setdefault(same, ([], []))
            references.append(reference)
            places += range(self.size, self.size + size)
            self.size += size
        self._parts: list[tuple[str, bool, Any, list[int], Any]] = []
        for kind, (references, places) in kinds.items():
            type_ = (_TYPES_2 if is_2 else _TYPES)[kind]
            memory = (c_uint32 * len(references))(*references), (type_ * len(places))()
            self._parts.append((kind, type_ in (c_double, c_float), memory[0], places, memory[1]))

    def set(self, values: Sequence[float]) -> None:
        """Set all; nothing where no values are given."""
        for kind, is_real, references, places, numbers in self._parts if len(values) else ():
            for k, i in enumerate(places):
                numbers[k] = values[i] if is_real else int(values[i])
            self._call("Set", kind, references, numbers)

    def get(self) -> list[float]:
        """The values of all."""
        values = [0.0] * self.size
        for kind, _, references, places, numbers in self._parts:
            self._call("Get", kind, references, numbers)
            for k, i in enumerate(places):
                values[i] = float(numbers[k])
        return values

    def _call(self, way: str, kind: str, references: "ctypes.Array[Any]", numbers: "ctypes.Array[Any]") -> None:
        last = () if isinstance(self._api, Api2) else (c_size_t(len(numbers)),)
        self._api.call(way + kind, references, c_size_t(len(references)), numbers, *last)
