"""A small importer: an FMU of FMI 3.0 by ctypes."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

from acausal.targets.fmi import compilers
from tests.targets.fmi.models import ball_sources

Double, Size, Bool, Pointer = ctypes.c_double, ctypes.c_size_t, ctypes.c_bool, ctypes.c_void_p
LOG = ctypes.CFUNCTYPE(None, Pointer, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
OK, WARNING, DISCARD, ERROR = range(4)


class Fmu:
    """The library of the ball, or of other files, with its variables; `messages` are those of all instances."""

    def __init__(self, folder: Path, flags: Sequence[str], files: Mapping[str, str | bytes] | None = None) -> None:
        files = files or ball_sources(3)
        sources = {name.removeprefix("sources/"): str(text) for name, text in files.items() if "sources/" in name}
        root = ElementTree.fromstring(str(files["modelDescription.xml"]))
        self.token = root.attrib["instantiationToken"].encode()
        self.references = {v.attrib["name"]: int(v.attrib["valueReference"]) for v in root.iterfind("ModelVariables/*")}
        interface = next(element for kind in ("ModelExchange", "CoSimulation") for element in root.iter(kind))
        identifier = interface.attrib["modelIdentifier"]
        names = [name for name in sources if name.endswith(".c")]
        made = compilers.library(compilers.compiler_for("host"), "host", sources, names, identifier, flags)
        path = folder / "with spaces and \N{LATIN SMALL LETTER U WITH DIAERESIS}.so"
        path.write_bytes(made)
        self.library = ctypes.CDLL(str(path))
        self.messages: list[str] = []
        self._log = LOG(lambda environment, status, category, text: self.messages.append(text.decode()))
        for name in ("fmi3InstantiateCoSimulation", "fmi3InstantiateModelExchange"):
            getattr(self.library, name).restype = Pointer

    def model_exchange(self, token: bytes | None = None, resources: str | None = None) -> "Instance":
        """An instance for Model Exchange; `resources` is the path that the importer names."""
        path = None if resources is None else resources.encode()
        arguments = b"ball", token or self.token, path, Bool(False), Bool(False), None, self._log
        return Instance(self, self.library.fmi3InstantiateModelExchange(*arguments))

    def co_simulation(self, event_mode: bool = False) -> "Instance":
        """An instance for Co-Simulation."""
        flags = Bool(False), Bool(False), Bool(event_mode), Bool(event_mode)
        arguments = (b"ball", self.token, None, *flags, None, Size(0), None, self._log, None)
        return Instance(self, self.library.fmi3InstantiateCoSimulation(*arguments))


class Instance:
    """An instance; `call` gives the status of a function."""

    def __init__(self, fmu: Fmu, address: int | None) -> None:
        self.fmu, self.address = fmu, address

    def call(self, function: str, *arguments: object) -> int:
        found: int = getattr(self.fmu.library, f"fmi3{function}")(Pointer(self.address), *arguments)
        return found

    def free(self) -> None:
        self.fmu.library.fmi3FreeInstance(Pointer(self.address))

    def set(self, name: str, *values: float) -> int:
        """Set a Float64."""
        reference = ctypes.c_uint32(self.fmu.references[name])
        numbers = (Double * len(values))(*values)
        return self.call("SetFloat64", ctypes.byref(reference), Size(1), numbers, Size(len(values)))

    def get(self, name: str, count: int = 1) -> list[float]:
        """A Float64."""
        reference = ctypes.c_uint32(self.fmu.references[name])
        numbers = (Double * count)()
        assert self.call("GetFloat64", ctypes.byref(reference), Size(1), numbers, Size(count)) == OK
        return list(numbers)

    def get_integer(self, name: str) -> int:
        """An Int32."""
        reference, number = ctypes.c_uint32(self.fmu.references[name]), ctypes.c_int32()
        assert self.call("GetInt32", ctypes.byref(reference), Size(1), ctypes.byref(number), Size(1)) == OK
        return number.value

    def initialize(self, stop: float | None = None, /, **values: float) -> "Instance":
        """Through initialization at time 0."""
        for name, value in values.items():
            assert self.set(name, value) == OK
        no, zero = Bool(False), Double(0.0)
        end = (no, zero) if stop is None else (Bool(True), Double(stop))
        assert self.call("EnterInitializationMode", no, zero, zero, *end) == OK
        assert self.call("ExitInitializationMode") == OK
        return self

    def step(self, start: float, size: float) -> tuple[int, bool, float]:
        """Status, whether an event has to be handled, and the last time."""
        flags, last = [Bool() for _ in range(3)], Double()
        references = [ctypes.byref(flag) for flag in flags]
        status = self.call("DoStep", Double(start), Double(size), Bool(True), *references, ctypes.byref(last))
        return status, flags[0].value, last.value

    def update(self) -> tuple[bool, bool]:
        """Events: whether states have changed, and whether the simulation is to end."""
        flags, time = [Bool() for _ in range(5)], Double()
        assert self.call("UpdateDiscreteStates", *[ctypes.byref(f) for f in flags], ctypes.byref(time)) == OK
        return flags[3].value, flags[1].value

    def states(self) -> list[float]:
        """The continuous states."""
        numbers = (Double * 2)()
        assert self.call("GetContinuousStates", numbers, Size(2)) == OK
        return list(numbers)
