"""Object code of a module for this computer, made by LLVM or taken from what is kept.

Its key is the digest of the module's text with the versions, the processor and the level it is made for.
"""

import hashlib
from collections.abc import Callable
from functools import cache

import llvmlite
import llvmlite.binding as llvm

from acausal.cache import store

KIND = "code"


def load_object(level: int, digest: str, module: Callable[[], llvm.ModuleRef]) -> llvm.ExecutionEngine:
    """The module, loaded and linked; `digest` stands for its text, `module` makes it if need be."""
    key = hashlib.sha256(f"{_computer()} {level} {digest}".encode()).hexdigest()
    code = store.read(KIND, key)
    if code is None:
        code = machine(level).emit_object(module())
        store.write(KIND, key, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine(level))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def machine(level: int) -> llvm.TargetMachine:
    """This computer with all its instructions."""
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(), opt=level)


@cache
def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


@cache
def _computer() -> str:
    """What else the code depends on."""
    versions = llvmlite.__version__, *llvm.llvm_version_info
    return f"{versions} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {_features()}"
