"""All kernels of `acausal/runtime` as machine code: through LLVM, and through C with every compiler that is there."""

import importlib
import importlib.util
import os
import pkgutil
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

import acausal.runtime
from acausal.codegen.llvm.kernel_code import load_text, module_of
from acausal.codegen.llvm.object_code import _linker, machine
from acausal.runtime.kernel.c.printer import print_c
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.llvm.printer import print_llvm
from acausal.runtime.kernel.tree import Function

FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-fPIC")


@cache
def kernels() -> dict[str, Callable[..., Any]]:
    """All kernels by name."""
    found = {}
    for module in pkgutil.walk_packages(acausal.runtime.__path__, "acausal.runtime."):
        for value in vars(importlib.import_module(module.name)).values():
            if getattr(value, "is_kernel", False) and value.__module__ == module.name:
                assert value.__name__ not in found, f"there are two kernels {value.__name__}"
                found[value.__name__] = value
    return found


@cache
def functions() -> dict[str, Function]:
    """Their typed trees."""
    return {function.name: function for function in check_kernels(list(kernels().values()))}


@cache
def compilers() -> dict[str, tuple[str, ...]]:
    """C compilers by name: those of the system, and that of the package `ziglang`."""
    found = {name: (path,) for name in ("gcc", "clang") if (path := shutil.which(name))}
    if importlib.util.find_spec("ziglang"):
        found["zig"] = (sys.executable, "-m", "ziglang", "cc")
    return found


def compiled(compiler: str, text: str) -> bytes:
    """Object code of a text, which must not cause any warning."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernels.c", Path(folder) / "kernels.o"
        source.write_text(text, encoding="utf-8")
        command = [*compilers()[compiler], *FLAGS, "-c", str(source), "-o", str(target)]
        caches = dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), folder)
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **caches})
        assert done.returncode == 0, done.stderr
        return target.read_bytes()


def loaded(code: bytes) -> llvm.ExecutionEngine:
    """Object code in memory."""
    load_text("")  # makes LLVM ready
    engine = _linker()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def executions() -> tuple[str, ...]:
    """Names of those that `engine` knows."""
    return "llvm", *compilers()


@cache
def engine(name: str) -> llvm.ExecutionEngine:
    """All kernels through LLVM or a C compiler."""
    names = list(kernels())
    if name == "llvm":
        load_text("")  # makes LLVM ready
        # by the passes of the kernels of programs
        module = module_of(print_llvm(tuple(functions().values()), names), 2, machine)
        return loaded(machine(2).emit_object(module))
    return loaded(compiled(name, print_c(tuple(functions().values()), names)))


@cache
def addresses(kernel: str) -> dict[str, int]:
    """The addresses of a kernel by the names of executions."""
    return {name: int(engine(name).get_function_address(kernel)) for name in executions()}
