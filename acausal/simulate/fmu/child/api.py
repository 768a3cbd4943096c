"""The functions of the library of an FMU, in FMI 2 and FMI 3."""

import ctypes
import os
from collections.abc import Sequence
from ctypes import byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_void_p
from typing import Any

from acausal.simulate.fmu.child.protocol import NEVER, About

MOST_UPDATES = 1000
_TERMINATED = 3
"""The kind of status of FMI 2 that tells whether the FMU ends the simulation."""
_STATUSES = ("OK", "Warning", "Discard", "Error", "Fatal", "Pending")
_LONGEST = 400
"""Characters of a message that the FMU logs."""


class FailureError(Exception):
    """The FMU has reported an error."""


class Api:
    """The library with its instance; `message` is the last error that it logged, `ends` if it ends the simulation."""

    prefix = "fmi3"
    state_name = "FMUState"
    rates_name = "GetContinuousStateDerivatives"
    flag: type[Any] = c_bool
    has_sizes = True
    """The lengths of arrays of values are given, too."""

    def __init__(self, about: About) -> None:
        self.about = about
        self.library = ctypes.CDLL(about["library"])
        self.component: int | None = None
        self.message = ""
        self.ends = False
        self._alive: list[object] = []

    def call(self, name: str, *arguments: object, types: tuple[type[Any], ...] | None = None) -> None:
        """A function of the instance; FailureError unless it returns OK or a warning."""
        found = getattr(self.library, self.prefix + name)
        if types is not None:
            found.argtypes = [c_void_p, *types]
        status = found(c_void_p(self.component), *arguments)
        if status > 1:
            known = _STATUSES[status] if status < len(_STATUSES) else status
            raise FailureError(f"{self.prefix}{name} returned {known}{self.said()}")

    def said(self) -> str:
        """The last message, to be put behind another."""
        return f": {self.message}" if self.message else ""

    def made_by(self, name: str, types: tuple[type[Any], ...], arguments: tuple[object, ...]) -> None:
        """Instantiate by a function."""
        function = getattr(self.library, self.prefix + name)
        function.argtypes, function.restype = types, c_void_p
        self.component = function(*arguments)
        if not self.component:
            raise FailureError(f"it cannot be instantiated{self.said()}")

    def words(self) -> list[bytes]:
        """Name, token and place of the resources."""
        about = self.about
        return [text.encode() for text in (about["name"], about["token"], about["resources"])]

    def instantiate(self) -> None:
        """A new instance."""
        logger = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)(self._logged)
        self._alive = [logger]
        address = ctypes.cast(logger, c_void_p)
        head, words = (c_char_p, c_char_p, c_char_p, c_bool, c_bool), self.words()
        if self.about["cosimulation"]:
            types = (*head, c_bool, c_bool, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p)
            arguments = (*words, False, False, False, False, None, 0, None, address, None)
            self.made_by("InstantiateCoSimulation", types, arguments)
        else:
            self.made_by("InstantiateModelExchange", (*head, c_void_p, c_void_p), (*words, False, False, None, address))

    def _logged(self, _: object, status: int, _category: bytes, message: bytes) -> None:
        if status > 1:
            self.message = (message or b"").decode("utf-8", "replace")[:_LONGEST]

    def free(self) -> None:
        """End the instance."""
        if self.component:
            function = getattr(self.library, f"{self.prefix}FreeInstance")
            function.argtypes, function.restype = [c_void_p], None
            function(self.component)
        self.component, self.ends = None, False

    def initialize(self) -> None:
        """To the initialization mode."""
        about = self.about
        types = (c_bool, c_double, c_double, c_bool, c_double)
        times = about["tolerance"], about["start"], True, about["stop"]
        self.call("EnterInitializationMode", True, *times, types=types)

    def update(self) -> float:
        """Discrete states until they need no further update; the time of the next event."""
        for _ in range(MOST_UPDATES):
            again, ends, next_ = self.updated()
            self.ends = self.ends or ends
            if ends or not again:
                return next_
        raise FailureError(f"its event iteration does not converge within {MOST_UPDATES} updates")

    def updated(self) -> tuple[bool, bool, float]:
        """True if discrete states need another update; true if the FMU ends the simulation; the next event."""
        flags, next_ = [c_bool() for _ in range(5)], c_double()
        self.call("UpdateDiscreteStates", *map(byref, flags), byref(next_))
        return flags[0].value, flags[1].value, next_.value if flags[4].value else NEVER

    def completed(self) -> bool:
        """A step of the solver has been accepted; true if the FMU asks for an event."""
        event, ends = self.flag(), self.flag()
        self.call("CompletedIntegratorStep", self.flag(0), byref(event), byref(ends))
        self.ends = self.ends or bool(ends.value)
        return bool(event.value)

    def derivatives(self, unknowns: Sequence[int], known: int) -> list[float]:
        """Derivatives of variables with respect to one of the known ones, all by their references."""
        references, by = (c_uint32 * len(unknowns))(*unknowns), c_uint32(known)
        found, one = (c_double * len(unknowns))(), c_double(1.0)
        count, single = c_size_t(len(unknowns)), c_size_t(1)
        sizes = (single, count) if self.has_sizes else ()
        given = references, count, byref(by), single, byref(one), *sizes[:1], found, *sizes[1:]
        self.call("GetDirectionalDerivative", *given)
        return list(found)

    def step(self, begin: float, end: float) -> None:
        """A step of Co-Simulation."""
        event, ends, early, last = c_bool(), c_bool(), c_bool(), c_double()
        results = byref(event), byref(ends), byref(early), byref(last)
        self.call("DoStep", c_double(begin), c_double(end - begin), c_bool(True), *results)
        self.ends = bool(ends.value)
        if not self.ends and early.value and last.value < end:
            raise FailureError(f"it stopped a step early, at t = {last.value:g}")


class _Info(ctypes.Structure):
    _fields_ = (*[(f"flag{k}", c_int) for k in range(5)], ("next", c_double))
    flag0: int
    flag1: int
    flag4: int
    next: float


class _Callbacks(ctypes.Structure):
    _fields_ = tuple((n, c_void_p) for n in ("logger", "allocate", "free", "finished", "environment"))


class Api2(Api):
    """FMI 2."""

    prefix = "fmi2"
    state_name = "FMUstate"
    rates_name = "GetDerivatives"
    flag = c_int
    has_sizes = False

    def instantiate(self) -> None:
        """A new instance."""
        logger = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)(self._logged2)
        libc = ctypes.CDLL("ucrtbase" if os.name == "nt" else None)
        addresses = [ctypes.cast(f, c_void_p) for f in (logger, libc.calloc, libc.free)]
        callbacks = _Callbacks(*addresses, None, None)
        self._alive = [logger, callbacks]
        name, token, place = self.words()
        arguments = (name, int(self.about["cosimulation"]), token, place, ctypes.addressof(callbacks), 0, 0)
        self.made_by("Instantiate", (c_char_p, c_int, c_char_p, c_char_p, c_void_p, c_int, c_int), arguments)

    def _logged2(self, _: object, _name: bytes, status: int, category: bytes, message: bytes) -> None:
        self._logged(None, status, category, message)

    def initialize(self) -> None:
        """To the initialization mode."""
        about = self.about
        types = (c_int, c_double, c_double, c_int, c_double)
        self.call("SetupExperiment", 1, about["tolerance"], about["start"], 1, about["stop"], types=types)
        self.call("EnterInitializationMode")

    def updated(self) -> tuple[bool, bool, float]:
        """As of FMI 3."""
        info = _Info()
        self.call("NewDiscreteStates", byref(info))
        return bool(info.flag0), bool(info.flag1), info.next if info.flag4 else NEVER

    def step(self, begin: float, end: float) -> None:
        """A step of Co-Simulation; one that is discarded may say that the FMU ends the simulation."""
        try:
            self.call("DoStep", c_double(begin), c_double(end - begin), c_int(1))
        except FailureError:
            self.ends = self._is_terminated()
            if not self.ends:
                raise

    def _is_terminated(self) -> bool:
        ends, function = c_int(), getattr(self.library, "fmi2GetBooleanStatus", None)
        found = function is not None and function(c_void_p(self.component), _TERMINATED, byref(ends)) == 0
        return found and ends.value == 1
