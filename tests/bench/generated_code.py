"""Generated code against generated code: dynamics of chains of hinges beside CasADi's C, nanoseconds of the processor.

    python -m tests.bench.generated_code [N ...]          needs casadi and gcc

CasADi's expressions are those of its users: recursive Newton-Euler for the torques, composite inertias and a
factorization L'DL for the accelerations (R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 6), with
all parameters as numbers; compiled by gcc -O3 for this processor, which rounds a product and a sum together once. Ours
keeps its parameters as such, and rounds each, as all targets do. `one` is a call of the translated model in a loop of
machine code, `function` one of the function of its mechanism, `rows` a row of 4096; results are compared first. Both in
one process, in turns.
"""

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.simulate.system.parameters import parameter_values
from tests.bench.multibody import Hinge, Ours, chain, native_loop, state_names, translated
from tests.bench.multibody_peers import symmetric, turn

ROWS, ROUNDS = 4096, 25
LOOPS = """
void one(long n, const double* a, const double* b, const double* c, double* out) {
  const double* arg[3] = {a, b, c}; double* res[1] = {out};
  for (long i = 0; i < n; i++) f(arg, res, 0, 0, 0);
}
void rows(long n, const double* a, const double* b, const double* c, double* out) {
  for (long i = 0; i < n; i++) {
    const double* arg[3] = {a + WIDTH*i, b + WIDTH*i, c + WIDTH*i}; double* res[1] = {out + WIDTH*i};
    f(arg, res, 0, 0, 0);
  }
}
"""
Call = Callable[[], object]


def _rotations(hinges: Sequence[Hinge], q: Any) -> list[Any]:
    import casadi as ca

    found = []
    for k, h in enumerate(hinges):
        c, s = ca.cos(q[k]), ca.sin(q[k])
        about = ca.vertcat(ca.horzcat(c, -s, 0), ca.horzcat(s, c, 0), ca.horzcat(0, 0, 1))
        found.append(ca.DM(turn(0, h["angles"][0]) @ turn(1, h["angles"][1])) @ about)
    return found


def torques(hinges: Sequence[Hinge], turns: Sequence[Any], v: Any, a: Any) -> Any:
    """Recursive Newton-Euler in the coordinates of the bodies."""
    import casadi as ca

    z = ca.DM([0, 0, 1])
    w, rate, up = ca.SX(3, 1), ca.SX(3, 1), ca.SX(ca.DM([0, 0, 9.81]))
    forces, moments = [], []
    for k, h in enumerate(hinges):
        r, c, inertia = ca.DM(h["place"]), ca.DM(h["centre"]), ca.DM(symmetric(h["inertia"]))
        up = turns[k].T @ (up + ca.cross(rate, r) + ca.cross(w, ca.cross(w, r)))
        before = turns[k].T @ w
        rate = turns[k].T @ rate + ca.cross(before, z * v[k]) + z * a[k]
        w = before + z * v[k]
        force = h["mass"][0] * (up + ca.cross(rate, c) + ca.cross(w, ca.cross(w, c)))
        forces.append(force)
        moments.append(inertia @ rate + ca.cross(w, inertia @ w) + ca.cross(c, force))
    found: list[Any] = []
    force, moment = ca.SX(3, 1), ca.SX(3, 1)
    for k in reversed(range(len(hinges))):
        force, moment = forces[k] + force, moments[k] + moment
        found.insert(0, moment[2])
        force, r = turns[k] @ force, ca.DM(hinges[k]["place"])
        moment = turns[k] @ moment + ca.cross(r, force)
    return ca.vertcat(*found)


def mass_matrix(hinges: Sequence[Hinge], turns: Sequence[Any]) -> list[list[Any]]:
    """The lower half, by composite inertias."""
    import casadi as ca

    n, z = len(hinges), ca.DM([0, 0, 1])
    matrix: list[list[Any]] = [[0] * n for _ in range(n)]
    mass, first, second = 0.0, ca.SX(3, 1), ca.SX(3, 3)
    for k in reversed(range(n)):
        c, own = ca.DM(hinges[k]["centre"]), hinges[k]["mass"][0]
        cross = ca.skew(c)
        mass, first = mass + own, first + own * c
        second = second + ca.DM(symmetric(hinges[k]["inertia"])) - own * cross @ cross
        force, moment = ca.cross(z, first), second @ z
        matrix[k][k] = moment[2]
        for j in reversed(range(1, k + 1)):
            force = turns[j] @ force
            moment = turns[j] @ moment + ca.cross(ca.DM(hinges[j]["place"]), force)
            matrix[k][j - 1] = moment[2]
        r = ca.skew(ca.DM(hinges[k]["place"]))
        first = turns[k] @ first
        moved = ca.skew(first)
        second = turns[k] @ second @ turns[k].T - moved @ r - r @ moved - mass * r @ r
        first = first + mass * ca.DM(hinges[k]["place"])
    return matrix


def accelerations(hinges: Sequence[Hinge], turns: Sequence[Any], v: Any, t: Any) -> Any:
    """By H = L'DL."""
    import casadi as ca

    n, h = len(hinges), mass_matrix(hinges, turns)
    bias = torques(hinges, turns, v, ca.SX(n, 1))
    x = [t[k] - bias[k] for k in range(n)]
    for k in reversed(range(n)):
        for i in reversed(range(k)):
            share = h[k][i] / h[k][k]
            for j in range(i + 1):
                h[i][j] = h[i][j] - share * h[k][j]
            h[k][i] = share
    for k in reversed(range(n)):
        for i in range(k):
            x[i] = x[i] - h[k][i] * x[k]
    for k in range(n):
        x[k] = x[k] / h[k][k]
        for i in range(k):
            x[k] = x[k] - h[k][i] * x[i]
    return ca.vertcat(*x)


def compiled(hinges: Sequence[Hinge], question: str, folder: Path) -> ctypes.CDLL:
    """CasADi's C with the loops around it."""
    import casadi as ca

    n = len(hinges)
    q, v, x = (ca.SX.sym(name, n) for name in "qvx")
    turns = _rotations(hinges, q)
    made = accelerations if question == "direct" else torques
    function = ca.Function("f", [q, v, x], [ca.cse(made(hinges, turns, v, x))])
    generator = ca.CodeGenerator(f"{question}.c")
    generator.add(function)
    generator.generate(f"{folder}/")
    source, library = folder / f"{question}.c", folder / f"{question}.so"
    source.write_text(source.read_text() + LOOPS.replace("WIDTH", str(n)))
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    for name in ("one", "rows"):
        getattr(loaded, name).argtypes = [ctypes.c_long, *[ctypes.c_void_p] * 4]
    return loaded


def nanoseconds(calls: dict[str, Call], evaluations: int) -> dict[str, float]:
    """The least of some rounds, in turns."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(ROUNDS):
        for name, call in calls.items():
            begin = process_time()
            call()
            best[name] = min(best[name], process_time() - begin)
    return {name: taken / evaluations * 1e9 for name, taken in best.items()}


def compare(hinges: list[Hinge], question: str, folder: Path) -> Iterator[tuple[str, dict[str, float], float]]:
    """By one call and by rows: nanoseconds of both, and the largest difference of their results."""
    n = len(hinges)
    table = np.random.default_rng(n).normal(size=(3, ROWS, n))
    table[:, 0] = np.array([h["state"] for h in hinges]).T
    theirs, found = compiled(hinges, question, folder), np.zeros((ROWS, n))
    library, routine = ("mbsdir.lib", "derivatives") if question == "direct" else ("mbsinv.lib", "variables")
    values = {name: x for k, h in enumerate(hinges, 1) for name, x in state_names(k, h["state"]).items()}
    ours = Ours(translated(hinges, library, folder)[0], routine, values)
    single, there = [a.ctypes.data for a in ours.arrays], [a.ctypes.data for a in (*table, found)]
    calls: dict[str, Call] = {
        "ours": lambda: ours.loop(ROWS, *single),
        "CasADi": lambda: theirs.one(ROWS, *there),
    }
    taken = nanoseconds(calls, ROWS)
    result = ours.result()[n : 2 * n] if question == "direct" else ours.result()[:n]
    yield "one", taken, difference(result, found[0])
    call, result = function_of(hinges, question, folder)
    yield "function", nanoseconds({"ours": call, "CasADi": calls["CasADi"]}, ROWS), difference(result, found[0])
    batch = rows_of(hinges, question, folder)
    taken = nanoseconds({"ours": lambda: batch(*table), "CasADi": lambda: theirs.rows(ROWS, *there)}, ROWS)
    yield "rows", taken, difference(batch(*table), found)


def function_of(hinges: list[Hinge], question: str, folder: Path) -> tuple[Call, np.ndarray]:
    """ROWS calls of our function of the mechanism, optimized, and its result."""
    functions = translated(hinges, "mbsdir.lib", folder)[0].mechanism().functions
    function = functions.forward_dynamics if question == "direct" else functions.inverse_dynamics
    program, executable = function.program, compile_llvm(function.program, level=2)
    p, u, out = parameter_values(executable, {}), np.zeros(program.input_size), np.zeros(len(hinges))
    assert isinstance(p, np.ndarray)
    u[:] = np.array([h["state"] for h in hinges]).T.ravel()
    arrays = np.zeros(len(program.state_slots)), u, p, np.zeros(program.memory_size), out
    address, there = executable.address("derivatives"), [a.ctypes.data for a in arrays]
    assert address is not None
    loop = native_loop(address)
    loop(1, *there)

    def call() -> None:
        assert executable
        assert arrays  # as long as their addresses are used
        loop(ROWS, *there)

    return call, out.copy()


def rows_of(hinges: list[Hinge], question: str, folder: Path) -> Callable[..., np.ndarray]:
    """Our function of rows of positions, velocities, and torques or accelerations."""
    translation = translated(hinges, "mbsdir.lib", folder)[0]
    if question == "inverse":
        batch: Callable[..., np.ndarray] = translation.mechanism().functions.inverse_dynamics.batch
        return batch
    derivative, n = translation.derivative, len(hinges)
    return lambda q, v, t: derivative.batch(np.concatenate([q, v], axis=1), t)[:, n:]


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """The largest, as a share of the largest number."""
    return float(np.abs(one - other).max() / np.abs(other).max())


def main() -> None:
    """Print the table."""
    for count in map(int, sys.argv[1:] or ["6", "7", "30"]):
        for question in ("direct", "inverse"):
            with tempfile.TemporaryDirectory() as folder:
                for way, taken, apart in compare(chain(count), question, Path(folder)):
                    ours, theirs = taken["ours"], taken["CasADi"]
                    print(
                        f"n = {count:3} {question:8} {way:8} ours {ours:7.0f} ns, CasADi {theirs:7.0f} ns,"
                        f" ratio {theirs / ours:5.2f}, results differ by {apart:.0e}"
                    )


if __name__ == "__main__":
    main()
