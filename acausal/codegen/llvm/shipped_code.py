"""Object code of kernels that the wheel has, so that the first run on a computer does not compile them.

It is made when the wheel is built (`codegen/native/ship_kernels`) for the platform of the build and the baseline of its
processors, and found by the version of LLVM and the digest of our sources: where anything differs, as in a checkout or
with another llvmlite, there is none, and kernels are compiled. The numbers are the same to the last bit: LLVM contracts
and reorders nothing in kernels, whatever the processor has.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

from acausal.base.caches import once
from acausal.base.frozen import dataclass

FOLDER = Path(__file__).parents[2] / "kernels"
"""A folder of the wheel; a checkout has none."""
_BASELINES = {"x86_64": ("x86-64-v2", "sse4.2")}
"""By the first part of the platform's name: the processor, and the feature that the computer must have for it."""


@dataclass(frozen=True, slots=True)
class Request:
    """A module of kernels: the name that its object code is found by, its text and its level of optimisation."""

    name: str
    text: Callable[[], str]
    level: int


_REQUESTS: ContextVar[list[Request] | None] = ContextVar("requested kernels", default=None)


@contextmanager
def requests() -> Iterator[list[Request]]:
    """The modules of kernels that are asked for within the block."""
    found: list[Request] = []
    token = _REQUESTS.set(found)
    try:
        yield found
    finally:
        _REQUESTS.reset(token)


def shipped(request: Request) -> bytes | None:
    """The object code of a module of kernels; None where the wheel has none for this computer."""
    noted = _REQUESTS.get()
    if noted is not None:
        noted.append(request)
    if not _serves():
        return None
    try:
        return file_of(FOLDER, request.name).read_bytes()
    except OSError:
        return None


def file_of(folder: Path, name: str) -> Path:
    """The file of a module of kernels in a folder."""
    versions = llvmlite.__version__, *llvm.llvm_version_info
    key = hashlib.sha256(f"{versions} {llvm.get_default_triple()} {baseline()} {name}".encode()).hexdigest()
    return folder / f"{key[:32]}.o"


def baseline() -> str:
    """The processor that shipped code is made for."""
    return _BASELINES.get(_architecture(), ("generic", ""))[0]


def _architecture() -> str:
    return str(llvm.get_default_triple()).partition("-")[0]


@once
def _serves() -> bool:
    """True if there is code, and the computer has what it needs."""
    _, needed = _BASELINES.get(_architecture(), ("", ""))
    return FOLDER.is_dir() and (not needed or bool(llvm.get_host_cpu_features().get(needed)))
