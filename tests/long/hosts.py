"""Co-Simulation in other hosts next to FMPy: ecospy, and containers of fmu-manipulation-toolbox.

    pip install --target DIR ecospy fmu-manipulation-toolbox
    python -m tests.long.hosts DIR [NAME ...]

One FMU of FMI 2 and one of FMI 3 is built for each model and run with 100 steps: by ecospy (which needs libtbb.so.12 in
LD_LIBRARY_PATH), by FMPy in a container with it, and by calls of the FMU at times that are sums of steps, as ecospy's.
States at all times of communication are to agree within 1e-9 of their size, or within what rounding errors of times
change: the difference to a run at multiples of the step (hydraulic_lift 9e-7 at a tolerance of 1e-6, others 1e-11).
Exit code 1 if any differs.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import acausal
from acausal.ir.names import show_derivative
from tests.collection import WITH_LIBRARY

NAMES = ("robot", "h_bridge", "hydraulic_lift", "suspension", "rc")
STEPS = 100
CLOSE = 1e-9
Rows = dict[str, np.ndarray]


def main(packages: Path, names: list[str]) -> int:
    """These models."""
    sys.path.append(str(packages))
    paths, failed = {path.stem: path for path in WITH_LIBRARY}, 0
    for name in names or NAMES:
        translation = acausal.translate(paths[name])
        for version in (2, 3):
            with TemporaryDirectory() as folder:
                fmu = translation.export(f"fmi{version}", Path(folder) / "unit.fmu", kind="cs")[0]
                line, good = _compared(translation, fmu, packages)
            failed += not good
            print(f"{name:16s} FMI {version}: {line}" + ("" if good else "   DIFFERS"), flush=True)
    return int(failed > 0)


def _compared(translation: acausal.Translation, fmu: Path, packages: Path) -> tuple[str, bool]:
    names = [show_derivative(*slot.symbol) for slot in translation.program.state_slots]
    names = [name for name in names if name in _scalars(fmu)]
    stop = translation.program.experiment.stop
    assert stop is not None
    step = stop / STEPS
    wanted, multiples = _by_sums(fmu, names, step), _by_fmpy(fmu, names, step)
    rounding = max([float(np.abs(wanted[n] - multiples[n][: STEPS + 1]).max()) for n in names], default=0.0)
    hosts: dict[str, Callable[[], Rows]] = {
        "ecospy": lambda: _by_ecospy(fmu, names, step),
        "container": lambda: _by_container(fmu, names, step, packages),
    }
    line, good = f"{len(names)} states", True
    for host, run in hosts.items():
        try:
            found = run()
        except Exception as failure:  # whatever it is, it is reported
            line, good = f"{line}, {host} {type(failure).__name__}: {failure}", False
            continue
        off = max([float(np.abs(found[n] - wanted[n][: len(found[n])]).max()) for n in names], default=0.0)
        size = max([float(np.abs(wanted[n]).max()) for n in names], default=1.0)
        line, good = f"{line}, {host} {off / size:.2g}", good and off <= max(CLOSE * size, rounding)
    return line, good


def _scalars(fmu: Path) -> set[str]:
    import fmpy

    found = fmpy.read_model_description(str(fmu), validate=False).modelVariables
    return {v.name for v in found if not getattr(v, "dimensions", None)}


def _by_fmpy(fmu: Path, names: list[str], step: float) -> Rows:
    import fmpy

    run = fmpy.simulate_fmu(
        str(fmu),
        validate=False,
        stop_time=STEPS * step,
        output_interval=step,
        step_size=step,
        output=names,
        set_stop_time=False,
    )
    return {name: np.asarray(run[name], dtype=float) for name in names}


def _by_sums(fmu: Path, names: list[str], step: float) -> Rows:
    """Calls of the FMU at sums of steps."""
    import fmpy
    from fmpy.fmi2 import FMU2Slave
    from fmpy.fmi3 import FMU3Slave

    description = fmpy.read_model_description(str(fmu), validate=False)
    given = {
        "guid": description.guid,
        "unzipDirectory": fmpy.extract(str(fmu), str(fmu.with_suffix(""))),
        "modelIdentifier": description.coSimulation.modelIdentifier,
        "instanceName": "unit",
    }
    references = {v.name: v.valueReference for v in description.modelVariables}
    wanted = [references[name] for name in names]
    is_third = description.fmiVersion.startswith("3")
    unit = FMU3Slave(**given) if is_third else FMU2Slave(**given)
    unit.instantiate()
    if is_third:
        unit.enterInitializationMode(startTime=0.0)
    else:
        unit.setupExperiment(startTime=0.0)
        unit.enterInitializationMode()
    unit.exitInitializationMode()
    read = unit.getFloat64 if is_third else unit.getReal
    rows, time = [read(wanted)], 0.0
    for _ in range(STEPS):
        unit.doStep(time, step)
        time += step
        rows.append(read(wanted))
    unit.terminate()
    unit.freeInstance()
    return {name: np.array([row[i] for row in rows]) for i, name in enumerate(names)}


def _by_ecospy(fmu: Path, names: list[str], step: float) -> Rows:
    from ecospy import EcosSimulation, EcosSimulationStructure

    structure = EcosSimulationStructure()
    structure.add_model("unit", str(fmu))
    rows: list[list[float]] = []
    with EcosSimulation(structure=structure, step_size=step) as simulation:
        simulation.init()
        rows.append([float(simulation.get_real(f"unit::{name}")) for name in names])
        for _ in range(STEPS):
            simulation.step()
            rows.append([float(simulation.get_real(f"unit::{name}")) for name in names])
    return {name: np.array([row[i] for row in rows]) for i, name in enumerate(names)}


def _by_container(fmu: Path, names: list[str], step: float, packages: Path) -> Rows:
    content = {"name": "whole.fmu", "fmu": [fmu.name], "step_size": step, "auto_local": True, "auto_output": True}
    (fmu.parent / "whole.json").write_text(json.dumps(content), encoding="utf-8")
    command = [sys.executable, str(packages / "bin" / "fmucontainer"), "-container", "whole.json", "-auto-local"]
    version = "3" if "3" in _version(fmu) else "2"
    command += ["-fmi", version, "-fmu-directory", str(fmu.parent)]
    environment = {"PYTHONPATH": str(packages), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=fmu.parent)
    whole = fmu.parent / "whole.fmu"
    if not whole.exists():
        raise RuntimeError((done.stdout + done.stderr)[-300:])
    shown = {name: _inside(whole, name) for name in names}
    found = _by_fmpy(whole, list(shown.values()), step)
    return {name: found[inner] for name, inner in shown.items()}


def _version(fmu: Path) -> str:
    import fmpy

    return str(fmpy.read_model_description(str(fmu), validate=False).fmiVersion)


def _inside(whole: Path, name: str) -> str:
    """The name of a variable of the unit in a container."""
    known = _scalars(whole)
    return next(n for n in (name, f"unit.{name}", *sorted(known)) if n in known and n.endswith(name))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
