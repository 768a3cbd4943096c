"""Derivative code: operations a cycle, what limits it, its growth, many rows at once.

    python -m tests.bench.derivative [--chains N ...] [--ladders N ...] [--straight N]

The clock is measured in the same run by a chain of dependent additions, in turns with what is measured; times are
the least of many short rounds, so that others on the same machine do not count. Operations are those of the
translation (`statistics["operations"]`) and, as a check, those of LLVM's text; sine and cosine are counted apart:
their share is what the time falls by when a change of sign takes their place. The critical path is the longest way
through the instructions with latencies of AMD's Zen 4 (Software Optimization Guide for the AMD Zen4
Microarchitecture, 2023: addition and multiplication 3 cycles, division 13, load 7, logic 1). Chains are those of
`tests.bench.multibody`, ladders those of `tests.bench.ladder`; up to N instructions straight code stands beside code
in parts.
"""

import argparse
import ctypes
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from llvmlite import binding

from acausal.codegen.llvm import module_text as llvm_text
from acausal.codegen.llvm.kernel_code import load_text
from acausal.codegen.llvm.module_text import step_text
from acausal.codegen.llvm.object_code import machine
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.optimize import loop_rerolling as parts
from acausal.ir.names import show_name
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.program.program import Program
from acausal.pipeline import translate
from acausal.simulate.system.parameters import parameter_values
from acausal.translation import Translation
from tests.bench import multibody
from tests.bench.ladder import ladder_text

EXAMPLES = Path(__file__).parents[2] / "examples"
LATENCY = {"add": 3, "sub": 3, "mul": 3, "div": 13, "neg": 1, "sqrt": 21, "store": 0}
LOADS = dict.fromkeys(("state", "input", "parameter", "memory"), 7)
ARITHMETIC = ("fadd", "fsub", "fmul", "fdiv", "fneg")
CHAIN = 64
"""Dependent operations of one turn of the clock's loop."""
SLOT, SECONDS = 7e-4, 3.0
COPIES = 3
"""Of the same code at other addresses: some collide with those of the C library or of the data."""
ROWS = 8192
SHORT = 3000
"""Instructions of straight code that is optimised: more take more than linear time."""
Work = Callable[[int], object]


def clock() -> Work:
    """A loop of so many dependent operations of one cycle each, additions and exclusive ors in turn."""
    lines = []
    for k in range(0, CHAIN, 2):
        before = f"%x{k - 1}" if k else "%a"
        lines += [f"  %x{k} = add i64 {before}, %n", f"  %x{k + 1} = xor i64 %x{k}, %n"]
    text = "\n".join(
        [
            "define i64 @clock(i64 %n) {", "entry:", "  br label %turn", "turn:",
            "  %i = phi i64 [ 0, %entry ], [ %j, %turn ]", f"  %a = phi i64 [ 1, %entry ], [ %x{CHAIN - 1}, %turn ]",
            *lines, f"  %j = add i64 %i, {CHAIN}", "  %more = icmp slt i64 %j, %n",
            "  br i1 %more, label %turn, label %end", "end:", f"  ret i64 %x{CHAIN - 1}", "}",
        ]
    )  # fmt: skip
    engine = load_text(text)
    work = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("clock"))
    work.engine = engine  # type: ignore[attr-defined]  # lives as long
    return work


def least(works: Sequence[Work], seconds: float = SECONDS) -> list[float]:
    """Seconds a call of each: the least of short rounds, in turns."""
    counts = [_count(work) for work in works]
    best = [float("inf")] * len(works)
    end = perf_counter() + seconds
    while perf_counter() < end:
        for i, (work, count) in enumerate(zip(works, counts, strict=True)):
            begin = perf_counter()
            work(count)
            best[i] = min(best[i], (perf_counter() - begin) / count)
    return best


def _count(work: Work) -> int:
    """Calls that fill a round."""
    count = 1
    while True:
        begin = perf_counter()
        work(count)
        taken = perf_counter() - begin
        if taken > SLOT / 2:
            return max(1, int(count * SLOT / taken))
        count *= 2


class Code:
    """The derivatives of a program in a loop of native code, at a point that is the same for all."""

    def __init__(self, program: Program, level: int | None) -> None:
        executable = compile_llvm(program, level)
        p = parameter_values(executable, {})
        assert isinstance(p, np.ndarray)
        chance = np.random.default_rng(1)
        states = len(program.state_slots)
        y, u = chance.uniform(-1, 1, states), chance.uniform(-1, 1, program.input_size)
        arrays = [y, u, p, np.zeros(program.memory_size), np.zeros(states)]
        assert executable.bind("derivatives", *arrays)(0.0) == 0
        address = executable.address("derivatives")
        assert address is not None
        loop = multibody.native_loop(address)
        self.alive = executable, arrays
        self.work: Work = lambda count: loop(count, *[a.ctypes.data for a in arrays])


def flops(routine: Routine) -> int:
    """Floating-point operations, sine, cosine and the like apart."""
    o = routine.operations
    return o.mul + o.add + o.div + o.neg


def without_angles(program: Program) -> Program:
    """The same program with a change of sign for each sine and cosine."""
    code = tuple([Instruction("neg", i.args) if i.op in ("sin", "cos") else i for i in program.derivatives.code])
    return replace(program, derivatives=replace(program.derivatives, code=code))


def critical_path(routine: Routine, angle: float) -> float:
    """Cycles of the longest way from a load to a store; `angle` is the latency of sine and cosine."""
    latency = {**LATENCY, **LOADS, "sin": angle, "cos": angle}
    ends: list[float] = []
    for op, args, _ in routine.code:
        ends.append(max((ends[a] for a in args), default=0.0) + latency.get(op, 0 if not args else 20))
    return max(ends)


def machine_code(program: Program) -> dict[str, int]:
    """Instructions of the derivatives, those that load from and store to the stack, and their operations in LLVM."""
    text = step_text(program)
    body = text[text.index("@derivatives(") :]
    words = Counter(
        word for line in body[: body.index("\n}")].splitlines() for word in line.split() if word in ARITHMETIC
    )
    assembly = machine(2).emit_assembly(binding.parse_assembly(text))
    lines = assembly[assembly.index("\nderivatives:") :].splitlines()[2:]
    stop = next(i for i, line in enumerate(lines) if line.startswith(".Lfunc_end"))
    code = [line.split("#")[0] for line in lines[:stop] if line.startswith("\t") and not line.startswith("\t.")]
    stack = [line for line in code if "(%rsp)" in line and "mov" in line]
    stores = sum(line.rstrip().endswith("(%rsp)") for line in stack)
    return {"llvm": sum(words.values()), "code": len(code), "spills": stores, "reloads": len(stack) - stores}


def robot() -> Translation:
    """R3mbs for known torques."""
    return translate(EXAMPLES / "R3mbs.mdl", known=[f"t{i}" for i in range(1, 7)])


def show_robot() -> None:
    """The table of R3mbs."""
    program = robot().program
    routine, apart = program.derivatives, without_angles(program)
    count = flops(routine)
    angles = sum(i.op in ("sin", "cos") for i in routine.code)
    codes = [Code(p, level) for _ in range(COPIES) for level in (2, 0) for p in (program, apart)]
    cycle, *all_seconds = least([clock(), *(c.work for c in codes)], 3 * SECONDS)
    seconds = [min(all_seconds[i::4]) for i in range(4)]
    found = machine_code(program)
    print(f"R3mbs, direct dynamics: {routine.operations}")
    print(
        f"clock {1e-9 / cycle:.2f} GHz; {count} operations (LLVM's text: {found['llvm']}), {angles} sines and cosines"
    )
    for level, whole, rest in ((2, *seconds[:2]), (0, *seconds[2:])):
        cycles, alone = whole / cycle, rest / cycle
        each = (cycles - alone) / angles
        print(
            f"  level {level}: {whole * 1e9:6.1f} ns, {cycles:5.0f} cycles; without sine and cosine {alone:5.0f}:"
            f" {count / alone:.2f} operations a cycle ({count / cycles:.2f} with them, {each:.0f} cycles each)"
        )
    path, alone = critical_path(routine, (seconds[0] - seconds[1]) / cycle / angles), critical_path(routine, 1)
    o = routine.operations
    print(
        f"  critical path {path:.0f} cycles, {alone:.0f} without sine and cosine; two multipliers and two adders need"
    )
    print(f"  {max(o.mul + o.div, o.add) / 2:.0f} at least; six instructions a cycle need {found['code'] / 6:.0f}")
    print(f"  {found['code']} machine instructions, {found['spills']} spills, {found['reloads']} loads from the stack")


def show_growth(name: str, programs: Sequence[tuple[int, Program]], straight: int) -> None:
    """Time of compiling and a call by size, in parts and straight."""
    head = f"{'instr.':>8}{'text s':>8}{'compile s':>10}{'us/instr.':>10}{'parts':>7}{'call us':>9}{'op/cycle':>9}"
    print(f"\n{name:8}{head}")
    for size, program in programs:
        rows = [("in parts", parts.PARTS_FROM)]
        if len(program.derivatives.code) <= straight:
            rows.append(("straight", 10**9))
        codes = []
        for label, limit in rows:
            parts.PARTS_FROM, kept = limit, parts.PARTS_FROM
            level = 2 if label == "in parts" or len(program.derivatives.code) <= SHORT else 0
            taken = _compiling(program, level)
            copies = [Code(program, level) for _ in range(COPIES)]
            codes.append((label, taken, copies))
            parts.PARTS_FROM = kept
        cycle, *seconds = least([clock(), *(c.work for _, _, copies in codes for c in copies)])
        for i, (label, (text, built), _) in enumerate(codes):
            call = min(seconds[i * COPIES : (i + 1) * COPIES])
            instructions = len(program.derivatives.code) + len(program.crossings.code)
            pieces = len(parts.cut(program.derivatives.code).parts) if label == "in parts" else 1
            print(
                f"{size:8}{instructions:8}{text:8.2f}{built:10.3f}{1e6 * built / instructions:10.1f}{pieces:7}"
                f"{call * 1e6:9.2f}{flops(program.derivatives) * cycle / call:9.2f}  {label}"
            )


def _compiling(program: Program, level: int) -> tuple[float, float]:
    """Seconds of processor time for the text of what a solver calls, and for its machine code."""
    begin = process_time()
    text = llvm_text.step_text(program)
    written = process_time()
    machine(level).emit_object(binding.parse_assembly(text))
    return written - begin, process_time() - written


def show_batch() -> None:
    """Rows a second: one call for all, a native loop, a loop in Python."""
    print(f"\n{'rows a second':16}{'batch':>12}{'own parameters':>16}{'native loop':>13}{'Python loop':>13}")
    for name, made in (("R3mbs", robot()), ("double_pendulum", translate(EXAMPLES / "double_pendulum.mdl"))):
        batch, own, native, python = (ROWS / seconds for seconds in least(_row_works(made)))
        faster = f"{batch / native:.1f} and {batch / python:.0f} times as fast as the loops"
        lanes = made.derivative._batch.lanes
        print(f"{name:16}{batch:12.3g}{own:16.3g}{native:13.3g}{python:13.3g}   batch: {faster}; {lanes} lanes")


def _row_works(made: Translation) -> list[Work]:
    f, program = made.derivative, made.program
    chance = np.random.default_rng(2)
    y, u = chance.uniform(-1, 1, (ROWS, len(f.states))), chance.uniform(-1, 1, (ROWS, len(f.inputs)))
    values = {show_name(s.name): s.value for s in program.parameter_slots}
    sets = np.array([[values[name] for name in f.parameters]]).repeat(ROWS, 0)
    p, m, t, out = parameter_values(made.executable, {}), np.zeros(0), np.zeros(ROWS), np.zeros_like(y)
    assert isinstance(p, np.ndarray)
    call = made.executable.bind("derivatives", y[0], u[0], p, np.zeros(program.memory_size), out[0])

    def python_loop(count: int) -> None:
        for _ in range(count * ROWS):
            call(0.0)

    return [
        lambda count: [f.batch(y, u) for _ in range(count)],
        lambda count: [f.batch(y, u, sets) for _ in range(count)],
        lambda count: [f._batch._by_rows("derivatives", t, y, u, p[None], m, out) for _ in range(count)],
        python_loop,
    ]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.derivative")
    parser.add_argument("--chains", nargs="*", type=int, default=[6, 12, 25, 50])
    parser.add_argument("--ladders", nargs="*", type=int, default=[100, 300, 1000, 3000])
    parser.add_argument("--straight", type=int, default=30_000)
    arguments = parser.parse_args()
    show_robot()
    show_batch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        chains = [
            (n, multibody.translated(multibody.chain(n), "mbsdir.lib", folder)[0].program) for n in arguments.chains
        ]
        show_growth("chain", chains, arguments.straight)
        ladders = []
        for n in arguments.ladders:
            file = folder / f"ladder{n}.mdl"
            file.write_text(ladder_text(n), encoding="utf-8")
            ladders.append((n, translate(file).program))
        show_growth("ladder", ladders, arguments.straight)


if __name__ == "__main__":
    main()
