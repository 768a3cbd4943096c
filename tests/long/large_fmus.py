"""An FMU with 100,000 variables, and 100,000 instances of one in this process.

    python -m tests.long.large_fmus

The model is a chain of cells, each with a state, its derivative and a variable, which in FMI 2 are all scalars. It is
validated by FMPy and runs by Co-Simulation, with an output beside its closed form. Time and memory of each
part are printed. Instances of a small FMU are made, run and freed; the memory of the process must stay the same. Exit
code 1 if anything is wrong.
"""

import resource
import sys
from math import exp
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import acausal
from tests.targets.fmi.importer import OK, Fmu
from tests.targets.fmi.test_instances import allocated

CELLS = 33_334
INSTANCES = 100_000
CHAIN = f"""model Chain
  local x[{CELLS}](start=1, fixed=true), y[{CELLS}]
  output total
  der(x[1]) = -x[1]
  y[1] = 2*x[1]
  for i = 2 to {CELLS}
    der(x[i]) = 0.5*x[i-1] - x[i]
    y[i] = 2*x[i]
  endfor
  total = x[1] + x[2]
  experiment (stop=1, interval=0.1, tolerance=1e-6)
end
"""
"""x[1] = exp(-t), x[2] = (1 + t/2) exp(-t)."""


def large(version: int, folder: Path) -> bool:
    """One FMU with 100,000 variables."""
    import fmpy
    from fmpy.validation import validate_fmu

    begin = perf_counter()
    translation = acausal.translate(CHAIN)
    translated = perf_counter()
    file = str(translation.export(f"fmi{version}", folder / "chain.fmu", kind="cs")[0])
    written = perf_counter()
    problems = validate_fmu(file)
    validated = perf_counter()
    count = len(fmpy.read_model_description(file).modelVariables)
    run = fmpy.simulate_fmu(file, validate=False, stop_time=1, output_interval=0.5, output=["total"], timeout=600)
    done = perf_counter()
    error = abs(float(run["total"][-1]) - 2.5 * exp(-1.0))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    times = [translated - begin, written - translated, validated - written, done - validated]
    shown = "translation {:.0f} s, FMU {:.0f} s, validation {:.0f} s, run {:.0f} s".format(*times)
    print(
        f"FMI {version}: {count} variables, {len(problems)} problems, error {error:.2g}, {shown}, {memory:.2f} GB",
        flush=True,
    )
    return not problems and error < 1e-5


def instances(folder: Path) -> bool:
    """Instances one after the other."""
    fmu = Fmu(folder, ("-O1",))
    begin, before = perf_counter(), 0
    for i in range(INSTANCES + 100):
        if i == 100:
            before = allocated()
        made = fmu.co_simulation().initialize()
        if made.step(0.0, 0.01)[0] != OK:
            return False
        made.free()
    grown = allocated() - before
    print(f"{INSTANCES} instances: {grown} bytes more, {perf_counter() - begin:.0f} s", flush=True)
    return grown < INSTANCES


def main() -> int:
    """All parts."""
    with TemporaryDirectory() as folder:
        good = [instances(Path(folder)), *[large(version, Path(folder)) for version in (3, 2)]]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
