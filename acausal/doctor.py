"""Checks of the installation for `acausal doctor`."""

import platform
import tempfile
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from importlib.metadata import version
from pathlib import Path

from acausal.base.files import paths
from acausal.base.frozen import dataclass


class State(StrEnum):
    """Good, missing but not needed for everything, or broken."""

    OK = "ok"
    ABSENT = "absent"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing examined; `detail` is what was found, `advice` what to do where something is wrong."""

    what: str
    state: State
    detail: str
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A check: `look` returns what it found, or raises; a check that is not `needed` may fail."""

    what: str
    look: Callable[[], str]
    advice: str
    needed: bool = True


REINSTALL = "reinstall: pip install --force-reinstall acausal"
CORE = ("lark", "numpy", "scipy", "llvmlite", "typer", "rich", "prompt_toolkit", "pygments")


def examine() -> list[Finding]:
    """Run all checks; takes a second or two."""
    return [_finding(check) for check in _checks()]


def show(findings: list[Finding]) -> str:
    """The findings as a table of text."""
    width = max(len(finding.what) for finding in findings)
    rows = []
    for finding in findings:
        rows.append(f"{finding.state.value:6}  {finding.what:{width}}  {finding.detail}".rstrip())
        if finding.advice is not None:
            rows.append(f"{'':6}  {'':{width}}  {finding.advice}")
    return "\n".join(rows)


def _checks() -> list[Check]:
    python = Check("Python", _python, "install Python 3.11 or newer")
    core = [Check(name, partial(version, name), f"pip install {name}") for name in CORE]
    sundae = "pip install scikit-sundae; until then the slower SciPy solvers are used"
    extras = [
        Check(name, partial(version, name), "pip install 'acausal[plot]'", needed=False)
        for name in ("matplotlib", "plotly")
    ]
    return [
        python,
        *core,
        Check("machine code", _machine_code, "pip install --force-reinstall llvmlite"),
        Check("scikit-sundae", partial(version, "scikit-sundae"), sundae, needed=False),
        Check("CVODE", _cvode, sundae, needed=False),
        Check("grammar", _grammar, REINSTALL),
        Check("parse tables", _tables, REINSTALL),
        Check("standard library", _stdlib, REINSTALL),
        *extras,
        Check("cache folder", _cache, "make it writable, or set XDG_CACHE_HOME to a folder that is", needed=False),
        Check("translation cache", _kept, "chmod 700 it, or name another folder in ACAUSAL_CACHE", needed=False),
    ]


def _finding(check: Check) -> Finding:
    try:
        return Finding(check.what, State.OK, check.look())
    except Exception as error:  # whatever is wrong with an installation is a finding, not a crash
        state = State.FAULT if check.needed else State.ABSENT
        return Finding(check.what, state, f"{type(error).__name__}: {error}", check.advice)


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}"


def _machine_code() -> str:
    """Compile f(x) = x + x and call it."""
    import ctypes

    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = "define double @twice(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}"
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine) as engine:
        engine.finalize_object()
        twice = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(engine.get_function_address("twice"))
        if twice(21.0) != 42.0:
            raise RuntimeError("compiled code returns a wrong number")
    return f"LLVM {'.'.join(map(str, llvm.llvm_version_info))} for {llvm.get_host_cpu_name()}"


def _cvode() -> str:
    from acausal.simulate.cvode.library_check import check_cvode

    return check_cvode()


def _grammar() -> str:
    return _files(paths.grammar_folder(), "*.lark")


def _stdlib() -> str:
    return _files(paths.stdlib_folder(), "*.lib")


def _files(folder: Path, pattern: str) -> str:
    names = sorted(path.name for path in folder.glob(pattern))
    if not names:
        raise RuntimeError(f"no {pattern} in {folder}")
    return ", ".join(names)


def _tables() -> str:
    from acausal.syntax.automaton.tables import load_tables

    start = time.perf_counter()
    load_tables()
    return f"loaded in {time.perf_counter() - start:.3f} s"


def _kept() -> str:
    from acausal.cache import store

    folder = paths.kept_folder()
    if folder is None:
        return "none: ACAUSAL_CACHE is off, or there is no home directory"
    fault = store.fault()
    if fault is not None:
        raise PermissionError(fault)
    entries, length = store.size()
    return f"{entries} files, {length / 1e6:.1f} of at most {store.MOST_BYTES / 1e6:g} MB in {folder}"


def _cache() -> str:
    folder = paths.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        return str(folder)
