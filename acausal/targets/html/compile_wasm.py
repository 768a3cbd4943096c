"""C to WebAssembly without a C library: by zig of the package ziglang, or clang with wasm-ld."""

import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import record
from acausal.targets.fmi.compilers import zig

FLAGS = (
    *("-std=c99", "-O2", "-U__STDC_HOSTED__", "-D__STDC_HOSTED__=0", "-ffp-contract=off", "-fno-math-errno"),
    *("-mbulk-memory", "-fvisibility=hidden", "-w", "-c"),
)
LINK = ("--no-entry", "--strip-all", "--gc-sections", "--allow-undefined", "-z", "stack-size=1048576")
INSTALL = "pip install 'acausal[fmu]', or clang with lld (wasm-ld)"


@record(frozen=True, slots=True)
class WasmCompiler:
    """The commands that compile and link."""

    compile: tuple[str, ...]
    link: tuple[str, ...]


def wasm_compiler() -> WasmCompiler:
    """The compiler of this machine; UsageError F007 without any."""
    if find_spec("ziglang") is not None:
        return WasmCompiler((*zig(), "cc", "-target", "wasm32-wasi"), (*zig(), "wasm-ld"))
    for clang in ("clang", *[f"clang-{version}" for version in range(30, 11, -1)]):
        linker = clang.replace("clang", "wasm-ld")
        commands = [shutil.which(name) for name in (clang, linker)]
        if commands[0] and commands[1]:
            return WasmCompiler((commands[0], "--target=wasm32"), (commands[1],))
    raise UsageError(Diagnostic("F007", "no C compiler for WebAssembly is installed", help=INSTALL))


def compile_wasm(source: str, exported: Sequence[str]) -> bytes:
    """The module with these functions; UsageError F007 without a compiler, F046 where it fails."""
    compiler = wasm_compiler()
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "model.c").write_text(source, encoding="utf-8", newline="\n")
        _call((*compiler.compile, *FLAGS, "model.c", "-o", "model.o"), folder)
        names = [f"--export={name}" for name in exported]
        _call((*compiler.link, *LINK, *names, "model.o", "-o", "model.wasm"), folder)
        return (folder / "model.wasm").read_bytes()


def _call(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
        hint = lines[0].strip() if lines else "use another version of the compiler"
        raise UsageError(Diagnostic("F046", f"{Path(command[0]).name} cannot compile WebAssembly", help=hint))
