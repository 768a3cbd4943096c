"""Exact Jacobians beside differences: steps, evaluations, times of runs, and what the code of formulas costs.

    python -m tests.bench.jacobian [ROUNDS]

Both runs are taken one after the other in each round; times are user CPU time of whole runs, code made before, ratios
(differences to exact) the medians of the rounds. `wanted`: which models take the exact one by default. `code`:
derivatives and Jacobian in instructions, and milliseconds to differentiate and compile; operations: of one Jacobian by
all its entries at once, and by differences of groups of columns as the pattern allows.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.native.exact_jacobian import compile_exact, is_wanted
from acausal.codegen.tangent.forward_mode import tangent
from acausal.ir.program.instructions import Operations
from acausal.ir.program.program import Program
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.runs import RunError
from acausal.simulate.jacobian import exact_jacobian as exact
from acausal.simulate.jacobian.sparsity import find_pattern
from acausal.structure.coloring import color_columns
from acausal.translation import Translation
from tests.bench.ladder import ladder_text
from tests.bench.ngspice import ring
from tests.bench.solver_path import EXAMPLES, pairs
from tests.domains.circuits import CIRCUITS
from tests.models.test_published import ROBERTSON, pleiades

LISTINGS = Path(__file__).parents[1] / "models" / "listings"
LONGEST = 20_000
"""Instructions of a Jacobian; models that need more are left out."""


@dataclass(frozen=True, slots=True)
class Work:
    """A model and how it is run; None: as its experiment says."""

    name: str
    file: Path
    stop: float | None = None
    interval: float | None = None
    tolerance: float | None = None
    steady: bool = False

    def translated(self) -> Translation:
        """The model, from its operating point if it is `steady`."""
        made = translate(self.file)
        return made.steady_state if self.steady else made

    def run(self, made: Translation) -> Result:
        """One run."""
        return made.simulate(stop=self.stop, interval=self.interval, tolerance=self.tolerance)


def works(folder: Path) -> Iterator[Work]:
    """Examples, problems of books, circuits."""

    def written(text: str) -> Path:
        file = folder / "m.mdl"
        file.write_text(text, encoding="utf-8")
        return file

    for file in (*sorted(EXAMPLES.glob("*.mdl")), EXAMPLES / "robot" / "robot.mdl", LISTINGS / "andrews.mdl"):
        yield Work(file.stem, file)
    yield Work("robertson", written(ROBERTSON))
    yield Work("pleiades", written(pleiades()), 3.0)
    yield Work("ladder of 1000", written(ladder_text(1000)), 1000.0, 500.0)
    for name, gates in (("loads", False), ("gates", True)):
        text = "\n".join(["@semiconductors.lib", "model M", ring(51, gates).model, "submodel (ground) G", "end", ""])
        yield Work(f"ring of 51, {name}", written(text), 5e-9, 1e-10, 1e-5)
    for circuit in CIRCUITS:
        for tolerance in (1e-4, 1e-6, 1e-8) if circuit.stop else ():
            name, file, stop = f"{circuit.name} {tolerance:.0e}", written(circuit.text), circuit.stop
            yield Work(name, file, stop, stop / 40, tolerance, circuit.at_rest)


def with_exact(made: Translation, wanted: bool) -> float:
    """Gives a model its exact Jacobian, or none; the seconds that took."""
    executable = made.executable
    assert isinstance(executable, LlvmExecutable)
    begin = process_time()
    exact._MADE[executable] = compile_exact(executable.program, executable.digest) if wanted else None
    return process_time() - begin


def outcome_text(work: Work, made: Translation) -> str:
    """Steps, evaluations and Jacobians, or that it fails."""
    try:
        stats = work.run(made).stats
    except RunError:
        return f"{'fails':>24}"
    return f"{stats.steps:8}{stats.rhs_calls:9}{stats.jacobians:7}"


def total(o: Operations) -> int:
    """All operations."""
    return o.mul + o.add + o.div + o.neg + o.functions


def grouped(program: Program) -> int:
    """Operations of differences, one evaluation for a group of columns."""
    pattern = find_pattern(program)
    columns: list[list[int]] = [[] for _ in pattern]
    for row, found in enumerate(pattern):
        for column in found:
            columns[column].append(row)
    return (max(color_columns(columns, len(pattern), range(len(pattern)))) + 1) * total(program.derivatives.operations)


def row(work: Work, rounds: int) -> None:
    """A line of the table."""
    plain, formulas = work.translated(), work.translated()
    program = plain.program
    made = tangent(program, LONGEST)
    if not program.state_slots or made is None:
        return
    with_exact(plain, wanted=False)
    seconds = with_exact(formulas, wanted=True)
    texts = [outcome_text(work, each) for each in (plain, formulas)]
    times = f"{'':25}"
    if "fails" not in "".join(texts):
        a, b, ratio = pairs(rounds, lambda: work.run(plain), lambda: work.run(formulas))
        times = f"{1e3 * a:9.2f}{1e3 * b:9.2f}{ratio:7.2f}"
    code = f"{len(program.derivatives.code):7}{len(made.routine.code):7}{1e3 * seconds:8.1f}"
    operations = f"{total(made.routine.operations):9}{grouped(program):9}"
    print(
        f"{work.name:30}{'yes' if is_wanted(program) else '':>7}{''.join(texts)}{times}{code}{operations}", flush=True
    )


def main() -> None:
    """Prints the table."""
    os.environ["ACAUSAL_CACHE"] = "off"  # else code is not compiled, or the time includes that to keep it
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    each = f"{'steps':>8}{'calls':>9}{'J':>7}"
    print(f"{'':37}{'differences':>24}{'exact':>24}{'milliseconds':>18}{'':7}{'code':>14}{'':8}{'operations':>18}")
    head = f"{'diff.':>9}{'exact':>9}{'ratio':>7}{'f':>7}{'J':>7}{'ms':>8}{'J':>9}{'diff.':>9}"
    print(f"{'':30}{'wanted':>7}{each}{each}{head}")
    with tempfile.TemporaryDirectory() as folder:
        for work in works(Path(folder)):
            row(work, rounds)


if __name__ == "__main__":
    main()
