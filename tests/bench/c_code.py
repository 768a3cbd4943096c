"""C code of the r3 robot next to its code in memory: derivatives a call, and steps of fixed length.

    python -m tests.bench.c_code [ROUNDS]

Both routines are called by one loop in C, in turn; times are the least of all rounds, of the processor.
"""

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

from acausal.codegen.address import address_of
from acausal.pipeline import translate
from acausal.simulate.system.parameters import parameter_values

EXAMPLE = Path(__file__).parents[2] / "examples" / "R3mbs.mdl"
CALLS, STEPS = 20_000, 5_000
HARNESS = """
#include "r3.c"
typedef int (*Routine)(double, double *, double *, double *, double *, double *);
static r3_t model;
static Routine own(void) { return derivatives; }
void calls(Routine f, int count, double *y, double *u, double *p, double *m, double *out)
{
    const Routine g = f == NULL ? own() : f;
    for (int i = 0; i < count; i++) {
        g(0.0, y, u, p, m, out);
        y[0] = out[0] * 1e-12;
    }
}
int steps(int count)
{
    int status = r3_init(&model, 0.0, NULL, NULL, NULL);
    for (int i = 0; i < count; i++) {
        status += r3_step(&model, NULL, NULL);
    }
    return status;
}
"""


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    robot = translate(EXAMPLE)
    with tempfile.TemporaryDirectory() as folder:
        robot.export("c", Path(folder) / "r3.c", step=1e-4, method="rk4")
        (Path(folder) / "loop.c").write_text(HARNESS, encoding="utf-8")
        flags = "-std=c99", "-O2", "-shared", "-fPIC"
        subprocess.run(["gcc", *flags, "loop.c", "-o", "loop.so", "-lm"], cwd=folder, check=True)
        library = ctypes.CDLL(str(Path(folder) / "loop.so"))
    program, executable = robot.program, robot.executable
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    sizes = len(program.state_slots), program.input_size, program.memory_size, len(program.state_slots)
    y, u, m, out = [np.zeros(max(1, size)) for size in sizes]
    arrays = [ctypes.c_void_p(address_of(array)) for array in (y, u, p, m, out)]
    times: dict[str, list[float]] = {"in memory": [], "C": [], "step": []}
    for _ in range(rounds):
        for name, address in (("in memory", executable.address("derivatives")), ("C", None)):
            y[:] = np.linspace(0.1, 1.0, len(y))
            begin = process_time()
            library.calls(ctypes.c_void_p(address), CALLS, *arrays)
            times[name].append((process_time() - begin) / CALLS)
            print(f"{name}: {out.sum():.15g}") if not times["C"][1:] else None
        begin = process_time()
        assert library.steps(STEPS) == 0
        times["step"].append((process_time() - begin) / STEPS)
    best = {name: min(found) for name, found in times.items()}
    print(f"derivatives in memory {1e9 * best['in memory']:.0f} ns, as C {1e9 * best['C']:.0f} ns")
    print(f"a step of rk4 as C {1e9 * best['step']:.0f} ns: {best['step'] / best['C']:.2f} evaluations")


if __name__ == "__main__":
    main()
