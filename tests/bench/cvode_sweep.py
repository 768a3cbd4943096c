"""Runs of the double pendulum by a sweep beside a program in C with CVODE (`cvode_sweep.c`), processor time of both.

    python -m tests.bench.cvode_sweep [RUNS [ROUNDS]]          needs gcc

The program calls the CVODE of the same wheel with the same tolerances and compiled by gcc -O3 for this processor. It
has no other work than its runs: `rows` with the 600 output times of the model, `final` with the last one alone. Both
run in this process, in turns, by one thread; final angles are compared.
"""

import ctypes
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from time import process_time

import numpy as np

from acausal.pipeline import translate
from acausal.runtime.limits import SMALL
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.jacobian.sundials_library import sundials_library
from tests.bench.sweep import MODEL

SOURCE = Path(__file__).with_name("cvode_sweep.c")
HEADERS = Path(__file__).parents[2] / "acausal" / "targets" / "fmi" / "sundials.zip"
STOP, ROWS, TOLERANCE = 3.0, 600, 1e-8


def compiled(folder: Path) -> ctypes.CDLL:
    """The program as a library; SUNDIALS is loaded already, and its names are known to all that is loaded later."""
    zipfile.ZipFile(HEADERS).extractall(folder)
    import sksundae

    wheel = Path(sksundae.__file__).parents[1] / "scikit_sundae.libs"
    names = "core", "cvode"
    libraries = [str(next(wheel.glob(f"libsundials_{name}-*"))) for name in names]
    made = folder / "runs.so"
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-I", folder, "-o", made, SOURCE, *libraries]
    subprocess.run([*command, f"-Wl,-rpath,{wheel}", "-lm"], check=True)
    return ctypes.CDLL(str(made))


def main() -> None:
    """Print the table."""
    runs, rounds = [int(a) for a in (*sys.argv[1:], *("1000", "5")[len(sys.argv) - 1 :])]
    assert sundials_library() is not None
    model = translate(MODEL)
    masses, dampings = f"1:3:{runs // 10}", "0.05:0.5:10"
    grid = np.array([(m, d) for m in np.linspace(1, 3, runs // 10) for d in np.linspace(0.05, 0.5, 10)])
    m, d, final = np.ascontiguousarray(grid[:, 0]), np.ascontiguousarray(grid[:, 1]), np.empty((len(grid), 2))
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
    library.runs.restype = ctypes.c_long

    def ours() -> np.ndarray:
        found = model.sweep({"m": masses, "d.d": dampings}, jobs=1, final=["j1.q", "j2.q"])
        assert not found.failures
        return np.column_stack([found[f"final({name})"] for name in ("j1.q", "j2.q")])

    def theirs(rows: int) -> np.ndarray:
        places = [ctypes.c_void_p(a.ctypes.data) for a in (m, d)]
        share = step_tolerance(TOLERANCE)
        tolerances = ctypes.c_double(share), ctypes.c_double(share * SMALL)
        place = ctypes.c_void_p(final.ctypes.data)
        steps = library.runs(len(m), *places, ctypes.c_double(STOP), rows, *tolerances, place)
        assert steps > 0
        return final.copy()

    calls = {"ours": ours, "C, rows": lambda: theirs(ROWS), "C, final": lambda: theirs(1)}
    best = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        found = {}
        for name, call in calls.items():
            begin = process_time()
            found[name] = call()
            best[name] = min(best[name], process_time() - begin)
    for name, taken in best.items():
        apart = float(np.abs(found[name] - found["ours"]).max())
        ratio = taken / best["ours"]
        print(f"{name:9} {taken / len(m) * 1e6:7.0f} us a run, ratio {ratio:5.2f}, final angles differ by {apart:.0e}")


if __name__ == "__main__":
    main()
