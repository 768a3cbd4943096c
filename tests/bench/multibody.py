"""Accelerations and torques of chains of hinges beside Pinocchio and MuJoCo: microseconds a call, and their ratios.

    python -m tests.bench.multibody [--peers PYTHON] [N ...]
    python -m tests.bench.multibody --counts [N ...]        operations of the chains of tests/multibody/test_counts.py

PYTHON is an interpreter that has the packages `pin` and `mujoco` (each is left out where it is missing). All compute
the same: q'' for known torques (ours: the derivatives of a translated model; aba; mj_forward), torques for known q''
(the outputs of a translated model; rnea; mj_inverse); their results are compared first. The chain is general: each
hinge is placed by three lengths and two angles, each body has all ten parameters. Ours is called in a loop of
machine code and from Python; theirs from Python, where the same call for a chain of one hinge tells the
overhead. Least of several rounds. Our code is compiled with level 2, as short models are.
"""

import argparse
import ctypes
import json
import math
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

import numpy as np

from acausal.codegen.llvm.kernel_code import load_text
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.ir.names import show_derivative
from acausal.pipeline import translate
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.language import Int, Reals, kernel
from acausal.runtime.kernel.llvm.printer import print_llvm
from acausal.runtime.kernel.routines import ModelRoutine
from acausal.simulate.system.parameters import parameter_values
from acausal.translation import Translation
from tests.multibody import models
from tests.multibody.test_counts import chain as test_chain
from tests.multibody.test_counts import counts

ROUNDS, SECONDS = 7, 0.02
ELEMENTS = ("I11", "I22", "I33", "I21", "I31", "I32")
QUESTIONS = (("direct", "mbsdir.lib", "derivatives"), ("inverse", "mbsinv.lib", "variables"))
Hinge = dict[str, list[float]]


def chain(count: int) -> list[Hinge]:
    """Places, angles (about 1, then about 2), masses, centres and inertias (11, 22, 33, 21, 31, 32)."""
    chance = Random(count)

    def numbers(n: int, low: float, high: float) -> list[float]:
        return [chance.uniform(low, high) for _ in range(n)]

    return [
        {"place": numbers(3, -0.5, 0.5), "angles": numbers(2, -1.5, 1.5), "mass": numbers(1, 1, 3),
         "centre": numbers(3, -0.2, 0.2), "inertia": [*numbers(3, 0.3, 0.5), *numbers(3, -0.05, 0.05)],
         "state": numbers(3, -1, 1)}
        for _ in range(count)
    ]  # fmt: skip


def text(hinges: list[Hinge], library: str, frames: int = 2) -> str:
    """The model; each hinge behind two frames that turn about an axis of theirs, or behind one that does the same."""
    lines = [f"@{library}", "model Chain", "  submodel (Inertial) i(ng3=-1)"]
    before = "i"
    for k, h in enumerate(hinges, 1):
        (r1, r2, r3), (first, second), (c1, c2, c3) = h["place"], h["angles"], h["centre"]
        behind = [("f", f"n1=1, angle={first}, r1={r1}, r2={r2}, r3={r3}"), ("g", f"n2=1, angle={second}")]
        if frames == 1:
            behind = [("f", f"{_turned(first, second)}, r1={r1}, r2={r2}, r3={r3}")]
        way = " to ".join([before, *[f"{name}{k}" for name, _ in behind]])
        inertia = ", ".join(f"{n}={x}" for n, x in zip(ELEMENTS, h["inertia"], strict=True))
        lines += [
            f"  submodel (Fixed) {', '.join([f'{name}{k}({values})' for name, values in behind])}",
            f"  submodel (Revolute) j{k}(n3=1)",
            f"  submodel (Body) b{k}(m={h['mass'][0]}, r1={c1}, r2={c2}, r3={c3}, {inertia})",
            f"  cut c{k} (q{k}, w{k}, a{k} / t{k})",
            f"  connect {way} to j{k}, b{k} at j{k}, c{k} at j{k}:Axis",
        ]
        before = f"j{k}"
    return "\n".join([*lines, "end", ""])


def _turned(first: float, second: float) -> str:
    """Axis and angle of a turn about axis 1 and then, where that has led, about axis 2: a product of quaternions."""
    (c1, s1), (c2, s2) = [(math.cos(x / 2), math.sin(x / 2)) for x in (first, second)]
    vector = s1 * c2, c1 * s2, s1 * s2
    length = math.hypot(*vector)
    axis = ", ".join([f"n{i}={x / length}" for i, x in enumerate(vector, 1)])
    return f"{axis}, angle={2 * math.atan2(length, c1 * c2)}"


def translated(hinges: list[Hinge], library: str, folder: Path) -> tuple[Translation, float]:
    """The model for known torques or known motion, and the seconds of its translation."""
    file = folder / "chain.mdl"
    file.write_text(text(hinges, library), encoding="utf-8")
    known, wanted = ("t", "a") if "dir" in library else ("q", "t")
    names = range(1, len(hinges) + 1)
    begin = perf_counter()
    made = translate(file, known=[f"{known}{k}" for k in names], outputs=[f"{wanted}{k}" for k in names])
    made.program  # noqa: B018  # lowered
    return made, perf_counter() - begin


class Ours:
    """A routine of a translated model with its arrays."""

    def __init__(self, made: Translation, routine: str, values: dict[str, float]) -> None:
        program, executable = made.program, compile_llvm(made.program, level=2)
        p = parameter_values(executable, {})
        assert isinstance(p, np.ndarray)
        y = np.array([values[show_derivative(*s.symbol)] for s in program.state_slots])
        u = np.array([values[show_derivative(*s)] for s in program.input_slots])
        out = np.zeros(max(len(y), program.stored_size))
        self.arrays = [y, u, p, np.zeros(program.memory_size), out]
        self.call: Callable[[float], int] = executable.bind(routine, *self.arrays)
        address = executable.address(routine)
        assert address is not None
        self.loop = native_loop(address)

    def result(self) -> np.ndarray:
        """What it computes."""
        assert self.call(0.0) == 0
        return self.arrays[-1].copy()

    def native(self) -> float:
        """Seconds a call in a loop of machine code."""
        pointers = [a.ctypes.data for a in self.arrays]
        return least(lambda count: self.loop(count, *pointers))

    def from_python(self) -> float:
        """Seconds a call from Python."""
        call = self.call

        def work(count: int) -> None:
            for _ in range(count):
                call(0.0)

        return least(work)


def least(work: Callable[[int], object]) -> float:
    """Seconds a call: the least of several rounds, each long enough to be measured."""
    count = 1
    while True:
        begin = perf_counter()
        work(count)
        if perf_counter() - begin > SECONDS:
            break
        count *= 2
    times = []
    for _ in range(ROUNDS):
        begin = perf_counter()
        work(count)
        times.append((perf_counter() - begin) / count)
    return min(times)


@kernel
def call_again(count: Int, routine: ModelRoutine, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> None:
    """Calls a routine so many times."""
    for _ in range(count):
        routine(0.0, y, u, p, m, out)


def native_loop(address: int) -> Callable[..., None]:
    """Calls a routine many times."""
    engine = load_text(print_llvm(check_kernels([call_again]), [call_again.__name__]))
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 6)
    call = function(engine.get_function_address(call_again.__name__))

    def made(count: int, *arrays: int) -> None:
        assert engine  # it owns the machine code
        call(count, address, *arrays)

    return made


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.multibody")
    parser.add_argument("--peers", help="a Python that has pin and mujoco")
    parser.add_argument("--counts", action="store_true", help="count operations instead")
    parser.add_argument("sizes", nargs="*", type=int)
    arguments = parser.parse_args()
    if arguments.counts:
        _counts(arguments.sizes or [5, 10, 20, 50])
        return
    peer_file = Path(__file__).with_name("multibody_peers.py")
    for count in arguments.sizes or [6, 12, 50, 100]:
        hinges = chain(count)
        peers: dict[str, dict[str, dict[str, object]]] = {}
        if arguments.peers:
            given = json.dumps({"chain": hinges, "one": chain(1), "rounds": ROUNDS, "seconds": SECONDS})
            run = subprocess.run([arguments.peers, peer_file], input=given, text=True, capture_output=True, check=True)
            peers = json.loads(run.stdout)
        _table(hinges, peers)


def _counts(sizes: list[int]) -> None:
    """Multiplications and divisions, additions and subtractions; their growth for each joint."""
    for make in (models.direct, models.inverse):
        last: tuple[int, int, int] | None = None
        for count in sizes:
            with tempfile.TemporaryDirectory() as name:
                found = counts(make(test_chain(count), Path(name)).statistics["operations"])
            grown = "" if last is None else f"{_slope(found, last, count)} for each joint"
            print(f"{make.__name__:8} n = {count:3}: {found[0]:6} / {found[1]:6}  {grown}")
            last = (count, *found)


def _slope(found: tuple[int, int], last: tuple[int, int, int], count: int) -> str:
    return " / ".join(f"{(new - old) / (count - last[0]):.6g}" for new, old in zip(found, last[1:], strict=True))


def _table(hinges: list[Hinge], peers: dict[str, dict[str, dict[str, object]]]) -> None:
    count = len(hinges)
    values = {f"{n}": x for k, h in enumerate(hinges, 1) for n, x in state_names(k, h["state"]).items()}
    print(f"n = {count}")
    with tempfile.TemporaryDirectory() as name:
        for question, library, routine in QUESTIONS:
            made, seconds = translated(hinges, library, Path(name))
            ours = Ours(made, routine, values)
            native, called = ours.native() * 1e6, ours.from_python() * 1e6
            print(f"  {question:8} translated in {seconds:.2f} s; {made.statistics['operations']}")
            print(f"    {'ours':12} {native:9.3f} us in a native loop {called:9.3f} us from Python")
            found = ours.result()
            mine = found[count : 2 * count] if question == "direct" else found[:count]
            for peer, answers in peers.items():
                answer = answers[question]
                theirs = np.array(answer["result"])
                apart = np.abs(mine - theirs).max() / np.abs(theirs).max()
                call, empty = float(str(answer["seconds"])) * 1e6, float(str(answer["overhead"])) * 1e6
                print(
                    f"    {peer:12} {call:9.3f} us from Python (one hinge {empty:.3f} us): {call / native:.1f} "
                    f"times ours, {(call - empty) / native:.1f} without the overhead; differs by {apart:.0e}"
                )


def state_names(k: int, state: list[float]) -> dict[str, float]:
    """Variables of hinge k by all names that they may have, with their values."""
    q, w, t = state
    return {f"q{k}": q, f"der(q{k})": w, f"w{k}": w, f"t{k}": t, f"der(q{k}, 2)": t, f"j{k}.q": q, f"der(j{k}.q)": w,
            f"j{k}.qd[1]": w, f"j{k}.w": w}  # fmt: skip


if __name__ == "__main__":
    main()
