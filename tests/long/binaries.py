"""Libraries of FMUs: formats and exported functions on all platforms, and zig's next to gcc's on this machine.

    python -m tests.long.binaries [NAME ...]        with ziglang and fmpy

Each model becomes an FMU of FMI 2 and 3 with libraries of all platforms, whose first bytes say the format; the names of
all functions of the standard that the host's library exports are in each. Runs by Co-Simulation in FMPy with the
library of zig (for glibc 2.17) and that of the host's compiler are to be equal to the last bit. Exit code 1 otherwise.
"""

import re
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import acausal
from acausal.ir.names import show_derivative
from acausal.targets.fmi.compilers import PLATFORMS
from tests.collection import WITH_LIBRARY

NAMES = ("rc", "robot", "h_bridge", "hydraulic_lift", "suspension", "bricard")
MAGIC = {".so": b"\x7fELF", ".dll": b"MZ", ".dylib": b"\xcf\xfa\xed\xfe"}
MACHINES = {
    "x86_64-linux": (18, b"\x3e\x00"),
    "aarch64-linux": (18, b"\xb7\x00"),
    "x86_64-darwin": (4, b"\x07\x00\x00\x01"),
    "aarch64-darwin": (4, b"\x0c\x00\x00\x01"),
}
"""Where a format says the processor, and what."""
ROWS = 47


def main(names: list[str]) -> int:
    """These models."""
    paths, failed = {path.stem: path for path in WITH_LIBRARY}, 0
    for name in names or NAMES:
        translation = acausal.translate(paths[name])
        for version in (2, 3):
            with TemporaryDirectory() as folder:
                problems = [*_formats(translation, version, Path(folder)), *_bits(translation, version, Path(folder))]
            failed += bool(problems)
            print(f"{name:16s} FMI {version}: {'; '.join(problems) or 'formats, exports, bits'}", flush=True)
    return int(failed > 0)


def _formats(translation: acausal.Translation, version: int, folder: Path) -> list[str]:
    fmu = translation.export(f"fmi{version}", folder / "all.fmu", platforms=("all",))[0]
    with zipfile.ZipFile(fmu) as archive:
        place = {n: f"binaries/{p.folders[version - 2]}/all{p.suffix}" for n, p in PLATFORMS.items()}
        libraries = {name: archive.read(path) for name, path in place.items()}
    functions = set(re.findall(rb"\bfmi\d[A-Z]\w+", libraries["x86_64-linux"]))
    problems = [] if len(functions) > 30 else [f"{len(functions)} functions"]
    for name, library in libraries.items():
        at, machine = MACHINES.get(name, (0, b"MZ"))
        if not library.startswith(MAGIC[PLATFORMS[name].suffix]) or library[at : at + len(machine)] != machine:
            problems.append(f"{name}: another format")
        missing = [f.decode() for f in functions if not re.search(rb"\b_?" + f + rb"\b", library)]
        problems += [f"{name}: no {', '.join(missing)}"] if missing else []
    return problems


def _bits(translation: acausal.Translation, version: int, folder: Path) -> list[str]:
    import fmpy

    names = [show_derivative(*slot.symbol) for slot in translation.program.state_slots]
    runs = {}
    for platform in ("x86_64-linux", "host"):
        made = translation.export(f"fmi{version}", folder / f"{platform}.fmu", platforms=(platform,))[0]
        known = {v.name for v in fmpy.read_model_description(str(made)).modelVariables}
        stop = translation.program.experiment.stop
        runs[platform] = fmpy.simulate_fmu(
            str(made),
            validate=False,
            fmi_type="CoSimulation",
            stop_time=stop,
            output_interval=(stop or 1.0) / ROWS,
            output=[name for name in names if name in known],
        )
    one, other = runs.values()
    return [f"{n} differs" for n in one.dtype.names if not np.array_equal(one[n], other[n])]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
