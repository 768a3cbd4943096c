"""C compilers that make the binaries of FMUs: that of the host, or zig for all platforms."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import record
from acausal.targets.fmi.solver_objects import solver_objects
from acausal.targets.fmi.sources import solver_files

FLAGS = (
    *("-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno"),
    *("-DFMU_SHARED", "-D_GNU_SOURCE", "-w", "-s", "-I."),
)
"""`-fno-math-errno` changes no result."""


@record(frozen=True, slots=True)
class Platform:
    """A platform: its folder in FMI 2 and 3, suffix of libraries, zig's name, and further flags."""

    folders: tuple[str, str]
    suffix: str
    zig: str
    flags: tuple[str, ...] = ("-lm",)


PLATFORMS = {
    "x86_64-linux": Platform(("linux64", "x86_64-linux"), ".so", "x86_64-linux-gnu.2.17"),
    "aarch64-linux": Platform(("aarch64-linux", "aarch64-linux"), ".so", "aarch64-linux-gnu.2.17"),
    "x86_64-windows": Platform(("win64", "x86_64-windows"), ".dll", "x86_64-windows-gnu"),
    "x86_64-darwin": Platform(("darwin64", "x86_64-darwin"), ".dylib", "x86_64-macos"),
    "aarch64-darwin": Platform(("aarch64-darwin", "aarch64-darwin"), ".dylib", "aarch64-macos"),
}
"""By their names in FMI 3."""
OTHER_NAMES = {
    "linux": ("x86_64-linux",),
    "windows": ("x86_64-windows",),
    "macos": ("x86_64-darwin", "aarch64-darwin"),
    "all": tuple(PLATFORMS),
}


def host_platform() -> str | None:
    """The name of this machine's platform; None if FMI has none."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    name = f"{machine}-{platform.system().lower()}"
    return name if name in PLATFORMS else None


def chosen_platforms(names: Sequence[str]) -> tuple[str, ...]:
    """Platforms by their names, "host" if there are none; UsageError F006 for an unknown one.

    The host by its own name is compiled by zig, for an old glibc, and so the host itself is left out then.
    """
    found: list[str] = []
    for name in names or ("host",):
        if name in PLATFORMS or (name == "host" and host_platform() is not None):
            found.append(name)
        elif name in OTHER_NAMES:
            found += OTHER_NAMES[name]
        else:
            known = ", ".join(["host", *OTHER_NAMES, *PLATFORMS])
            raise UsageError(Diagnostic("F006", f"unknown platform {name!r}", help=f"the platforms are {known}"))
    return tuple([n for n in dict.fromkeys(found) if n != "host" or host_platform() not in found])


def platform_of(name: str) -> Platform:
    """A platform by its name, or the host."""
    return PLATFORMS[(host_platform() or name) if name == "host" else name]


def compiler_for(name: str) -> tuple[str, ...]:
    """The command of a compiler: for the host that of CC, gcc, clang or cc, where there is one, else zig.

    UsageError F007 without any.
    """
    has_zig = find_spec("ziglang") is not None
    if name == "host" or (name == host_platform() and not has_zig):
        for candidate in (os.environ.get("CC"), "gcc", "clang", "cc"):
            found = shutil.which(candidate) if candidate else None
            if found:
                return (found,)
    if not has_zig:
        message = f"no C compiler for {name}: the package ziglang is not installed"
        raise UsageError(Diagnostic("F007", message, help="pip install 'acausal[fmu]', or --source-only"))
    return (*zig(), "cc", "-target", platform_of(name).zig)


def zig() -> tuple[str, ...]:
    """The command of zig."""
    return sys.executable, "-m", "ziglang"


def compile_library(name: str, sources: Mapping[str, str], files: Sequence[str], identifier: str) -> bytes:
    """The library of a platform, made from these files of the sources; UsageError F046 where the compiler fails."""
    return library(compiler_for(name), name, sources, files, identifier)


def library(
    command: Sequence[str],
    name: str,
    sources: Mapping[str, str],
    files: Sequence[str],
    identifier: str,
    flags: Sequence[str] = (),
) -> bytes:
    """The same with a given compiler, and further `flags`."""
    flags = (*FLAGS, *flags)
    target = platform_of(name)
    solver = [file for file in files if file in solver_files()]
    objects = solver_objects(command, flags) if solver else None
    if objects is not None:
        files = [*[file for file in files if file not in solver], *objects]
    with TemporaryDirectory() as made:
        folder = Path(made)
        for path, content in (objects or {}).items():
            (folder / path).write_bytes(content)
        for path, text in sources.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
        output = f"{identifier}{target.suffix}"
        call = [*command, *flags, *files, "-o", output, *target.flags]
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise _failed(name, call[0], done.stderr)
        return (folder / output).read_bytes()


def _failed(name: str, compiler: str, message: str) -> UsageError:
    lines = [line for line in message.splitlines() if "error" in line] or message.splitlines()[-1:]
    hint = f"{lines[0].strip()}; --source-only writes the sources" if lines else "--source-only writes the sources"
    return UsageError(Diagnostic("F046", f"{Path(compiler).name} cannot compile the FMU for {name}", help=hint))
