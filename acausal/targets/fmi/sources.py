"""The C files of an FMU: the model, its tables, the functions of FMI, and CVODE for Co-Simulation."""

from collections.abc import Sequence
from importlib.resources import files
from io import BytesIO
from zipfile import ZipFile

from acausal.ir.program.program import Program
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.targets.fmi.content import Content
from acausal.targets.fmi.interfaces import Interfaces
from acausal.targets.fmi.jacobian import with_prefix
from acausal.targets.fmi.tables import macros, tables

HEADERS = {
    2: ("fmi2FunctionTypes.h", "fmi2Functions.h", "fmi2TypesPlatform.h"),
    3: ("fmi3FunctionTypes.h", "fmi3Functions.h", "fmi3PlatformTypes.h"),
}
MAIN = "fmi.c"


def source_names(co_simulation: bool) -> tuple[str, ...]:
    """The files to compile."""
    solver = [name for name in solver_files() if name.endswith(".c")] if co_simulation else []
    return (MAIN, "m.c", *solver)


def source_files(
    content: Content,
    interfaces: Interfaces,
    sets: Sequence[Program],
    core: dict[str, str],
    version: int,
    matrix: NewtonMatrix | None,
) -> dict[str, str]:
    """All sources by name, with those of the model's `core`; headers and licenses among them.

    `matrix` is that of the solver of Co-Simulation.
    """
    defined = macros(content, interfaces, sets, matrix)
    found = {**core, MAIN: with_prefix(_main(content, interfaces, sets, version, defined), core_prefix(content))}
    found |= {name: _read("headers", name) for name in HEADERS[version]}
    found["LICENSE_FMI.txt"] = _read("headers", "LICENSE.txt")
    return found | solver_files() if interfaces.co_simulation else found


def core_prefix(content: Content) -> str:
    """Prefix of the names of the core."""
    return f"core_{content.identifier}"


def _main(content: Content, interfaces: Interfaces, sets: Sequence[Program], version: int, defined: str) -> str:
    """One translation unit with the functions of FMI."""
    has_steps = interfaces.co_simulation
    more = ("fmi3_absent.c", "fmi3_derivatives.c") if version > 2 else ()
    parts = [
        f"/* {content.identifier}: the functions of FMI {version}. */\n",
        f"#ifdef FMI{version}_OVERRIDE_FUNCTION_PREFIX\n#define FMI{version}_FUNCTION_PREFIX\n",
        f"#elif !defined(FMI{version}_FUNCTION_PREFIX) && !defined(FMU_SHARED)\n",
        f"#define FMI{version}_FUNCTION_PREFIX {content.identifier}_\n#endif\n",
        f'#include "m.h"\n#include "fmi{version}Functions.h"\n',
        defined,
        _read("c", "fmu.h"),
        tables(content, sets),
        *[_read("c", name) for name in ("model_values.c", "instance.c")],
        _read("c", "cvode_memory.c" if has_steps else "no_solver.c"),
        *[_read("c", name) for name in ("history.c", "way.c", "values.c", "reports.c", "modes.c", "derivatives.c")],
        *([_read("c", "cvode_steps.c")] if has_steps else []),
        *[_read("c", name) for name in (f"fmi{version}_names.h", "shared.c", *more, f"fmi{version}.c")],
    ]
    return "\n".join(parts)


def _read(folder: str, name: str) -> str:
    return (files("acausal.targets.fmi") / folder / name).read_text(encoding="utf-8")


def solver_files() -> dict[str, str]:
    """The sources of CVODE (SUNDIALS 7.5.0, BSD-3-Clause) with dense and band matrices."""
    content = (files("acausal.targets.fmi") / "sundials.zip").read_bytes()
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}
