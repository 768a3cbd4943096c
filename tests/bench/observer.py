"""Whole processes with a pseudo-terminal and with pipes, and the cost of a step with an input.

    python -m tests.bench.observer [ROUNDS]

Each round runs every command once in each way. The times are processor times of the process and its threads, so that
other work on the machine hardly counts; the ratio is that of their medians, aimed at most at 1.1. A step with an input
given from outside is compared with the same model whose input is an equation, aimed at most at 1.3.
"""

import os
import pty
import sys
import tempfile
from math import sin
from pathlib import Path
from statistics import median

import numpy as np

from acausal.cached import translate
from acausal.translation import Translation
from tests.bench.measure import medians
from tests.bench.startup import EXAMPLES, environment_of

BALL = """model ball
  parameter g=9.81
  local h (start=1), v
  der(h) = v
  der(v) = -g
  when h < 0 then
    init(v) = -v
  endwhen
end
"""
DRIVEN = """model driven
{input}
  local x, v
  der(x) = v
  der(v) = u - x - 0.1*v^3
{equation}
end
"""
LATE = """model late
  parameter T=1
  local x (start=1, fixed=true), y (start=0, fixed=true)
  der(x) = -x*delay(x, T) + y
  der(y) = -x - 0.1*y
end
"""
TERMINAL, STEP = 1.1, 1.3


def commands(folder: Path) -> dict[str, list[str]]:
    """The commands by the names that they have in the table."""
    files = {"ball": BALL, "driven": DRIVEN.format(input="  input u", equation=""), "late": LATE}
    for name, text in files.items():
        (folder / f"{name}.mdl").write_text(text, encoding="utf-8")
    ball, driven, late = [str(folder / f"{name}.mdl") for name in files]
    return {
        "ball, 60,000 rows": ["simulate", ball, "--stop", "60", "--interval", "0.001"],
        "power supply": ["simulate", str(EXAMPLES / "power_supply.mdl")],
        "input u=sin(time)": ["simulate", driven, "--stop", "1000", "--interval", "0.1", "--input", "u=sin(time)"],
        "delay": ["simulate", late, "--stop", "200", "--interval", "0.02"],
        "sweep of 2000 runs": ["sweep", ball, "--set", "g=1:9.81:2000", "--stop", "1"],
    }


def seconds(arguments: list[str], environment: dict[str, str], *, terminal: bool) -> float:
    """Processor seconds of one process, whose standard output and error are a pseudo-terminal or pipes."""
    read, write = pty.openpty() if terminal else os.pipe()
    command = [sys.executable, "-m", "acausal", *arguments]
    actions = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_DUP2, write, 2), (os.POSIX_SPAWN_CLOSE, read)]
    process = os.posix_spawn(sys.executable, command, environment, file_actions=actions)
    os.close(write)
    said = b""
    try:
        while part := os.read(read, 65536):
            said += part
    except OSError:  # the end of a pseudo-terminal
        pass
    os.close(read)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(said.decode())
    return used.ru_utime + used.ru_stime


def step_ratios(folder: Path, rounds: int) -> dict[str, float]:
    """Time of a step with the input given in some way, by that with an equation."""

    def model(name: str, given: str, equation: str) -> Translation:
        file = folder / f"{name}.mdl"
        file.write_text(DRIVEN.format(input=given, equation=equation), encoding="utf-8")
        return translate(file)

    inside, outside = model("inside", "  local u", "  u = sin(time)"), model("outside", "  input u", "")
    times = 0.01 * np.arange(30_001)
    inputs = {
        "expression": {"u": "sin(time)"},
        "table": {"u": (times, np.sin(times))},
        "Python function": {"u": sin},
    }
    steps = {"equation": inside.simulate(stop=300).stats.steps}
    runs = {"equation": lambda: inside.simulate(stop=300)}
    for name, given in inputs.items():
        steps[name] = outside.simulate(stop=300, inputs=given).stats.steps
        runs[name] = lambda given=given: outside.simulate(stop=300, inputs=given)
    taken = medians(runs, rounds)
    per_step = {name: taken[name] / (steps[name] or 1) for name in runs}
    print({name: f"{1e6 * per_step[name]:.2f} us a step, {steps[name]} steps" for name in runs})
    return {name: per_step[name] / per_step["equation"] for name in inputs}


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        environment = environment_of(folder)
        rows = commands(folder)
        taken = {(name, terminal): [0.0] * rounds for name in rows for terminal in (False, True)}
        for name, terminal in taken:
            seconds(rows[name], environment, terminal=terminal)  # fills the caches
        for number in range(rounds):
            for (name, terminal), found in taken.items():
                found[number] = seconds(rows[name], environment, terminal=terminal)
        print(f"{'':24}{'pipe [s]':>10}{'terminal [s]':>14}{'ratio':>8}{'at most':>9}   medians of {rounds} rounds")
        for name in rows:
            pipe, terminal_ = [median(taken[name, terminal]) for terminal in (False, True)]
            print(f"{name:24}{pipe:10.3f}{terminal_:14.3f}{terminal_ / pipe:8.2f}{TERMINAL:9g}")
        for name, ratio in step_ratios(folder, rounds).items():
            print(f"{'step, input as ' + name:48}{ratio:8.2f}{STEP:9g}")


if __name__ == "__main__":
    main()
