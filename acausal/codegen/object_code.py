"""Object code of modules for this computer, made by LLVM or taken from what is kept.

Its key is the digest of a name that stands for the module's text with the versions and the processor.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache

import llvmlite
import llvmlite.binding as llvm

from acausal.cache import store

KIND = "code"


def load_objects(modules: Mapping[str, Callable[[], tuple[llvm.ModuleRef, int]]]) -> llvm.ExecutionEngine:
    """Modules, loaded and linked; a name stands for the text of one; what makes it, if need be, tells its level."""
    engine = _linker()
    for name, make in modules.items():
        key = hashlib.sha256(f"{_computer()} {name}".encode()).hexdigest()
        code = store.read(KIND, key)
        if code is None:
            module, level = make()
            code = machine(level).emit_object(module)
            store.write(KIND, key, code)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _linker() -> llvm.ExecutionEngine:
    """An engine that compiles nothing, as the module that it begins with is taken away."""
    module = llvm.parse_assembly("")
    engine = llvm.create_mcjit_compiler(module, _target().create_target_machine())
    engine.remove_module(module)
    return engine


@cache
def machine(level: int) -> llvm.TargetMachine:
    """This computer with all its instructions; made once, as LLVM finds out what they are for each one."""
    return _target().create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(), opt=level)


@cache
def _target() -> llvm.Target:
    return llvm.Target.from_default_triple()


@cache
def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


@cache
def _computer() -> str:
    """What else the code depends on."""
    versions = llvmlite.__version__, *llvm.llvm_version_info
    return f"{versions} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {_features()}"
