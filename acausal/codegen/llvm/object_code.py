"""Object code of modules for this computer, made by LLVM or taken from what is kept.

Its key is the digest of a name that stands for the module's text with the versions and the processor.
"""

import hashlib
from collections.abc import Callable, Iterable

import llvmlite
import llvmlite.binding as llvm

from acausal.base.caches import once
from acausal.cache import store

KIND = "code"


Made = tuple[llvm.ModuleRef, int]
"""A module, and the level at which it is to be compiled."""


def load_objects(name: str, modules: Callable[[], Iterable[Made]]) -> llvm.ExecutionEngine:
    """Modules, loaded and linked; `name` stands for the texts of all, which are made where their code is not kept."""
    kept = kept_objects(name)
    if kept is not None:
        return kept
    codes = [machine(level).emit_object(module) for module, level in modules()]
    store.write(KIND, _key(name), _together(codes))
    return linked(codes)


def kept_objects(name: str) -> llvm.ExecutionEngine | None:
    """The same where their code is kept, else None."""
    kept = store.read(KIND, _key(name))
    return None if kept is None else linked(_apart(kept))


def _key(name: str) -> str:
    return hashlib.sha256(f"objects {_computer()} {name}".encode()).hexdigest()


def linked(codes: Iterable[bytes]) -> llvm.ExecutionEngine:
    """Object code, loaded and linked."""
    engine = _linker()
    for code in codes:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _together(codes: list[bytes]) -> bytes:
    """Object code of several modules: their lengths, then one behind the other."""
    return b" ".join([b"%d" % len(code) for code in codes]) + b"\n" + b"".join(codes)


def _apart(kept: bytes) -> list[bytes]:
    head, _, rest = kept.partition(b"\n")
    codes, start = [], 0
    for length in map(int, head.split()):
        codes.append(rest[start : start + length])
        start += length
    return codes


def _linker() -> llvm.ExecutionEngine:
    """An engine that compiles nothing: the module that it has to begin with is taken away, and lent to the next one."""
    engine = llvm.create_mcjit_compiler(_empty(), _target().create_target_machine())
    engine.remove_module(_empty())
    return engine


@once
def _empty() -> llvm.ModuleRef:
    return llvm.parse_assembly("")


@once
def machine(level: int) -> llvm.TargetMachine:
    """Target machine of this computer with all its instructions.

    Made once, as LLVM finds out what they are for each one.
    """
    return _target().create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(), opt=level)


def plain_machine(cpu: str, level: int) -> llvm.TargetMachine:
    """Target machine of a processor of this platform with no more than its own instructions."""
    return _target().create_target_machine(cpu=cpu, features="", opt=level)


@once
def _target() -> llvm.Target:
    return llvm.Target.from_default_triple()


@once
def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


@once
def _computer() -> str:
    """Processor and versions that the code depends on."""
    versions = llvmlite.__version__, *llvm.llvm_version_info
    return f"{versions} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {_features()}"
