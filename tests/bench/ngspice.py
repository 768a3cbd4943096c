"""Simulation beside ngspice (Debian package ngspice): rings of 51 inverters, a line of 1000 sections, a 4-bit adder.

    python -m tests.bench.ngspice [ROUNDS]

Both programs run the same elements, one after the other in each round. Times are those that the programs tell
for the transient analysis (ours: the run of the translated model, rows included), the least of all rounds. Each runs
with the loosest of the tolerances 1e-3, 1e-4, ... 1e-6 whose error is below 1 % of the range; the error is the largest
difference from the same program's run at a much tighter tolerance. `between`: how far these two exact runs differ.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from acausal.pipeline import translate
from acausal.translation import Translation
from tests.bench.adder import texts as adder_texts
from tests.domains.circuits import MOS_CARDS, N_SIZE, NM, P_SIZE, PM

ROWS = 400
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6)
WANTED = 1e-2
_TIGHT = " abstol=1e-15 vntol=1e-9 chgtol=1e-19"
Rows = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, slots=True)
class Case:
    """The same circuit twice; `probe` is what is compared, by its names in both.

    `at_rest`: from its steady state. `finest` is the greatest step of ngspice's exact run where smaller tolerances end
    in "timestep too small".
    """

    name: str
    netlist: str
    model: str
    probe: tuple[str, str]
    stop: float
    at_rest: bool = False
    finest: float = 0.0


def ring(stages: int, gates: bool) -> Case:
    """CMOS inverters of level 1 in a ring; `gates`: with the capacitances of the transistors, else loads alone."""
    load = "20f" if gates else "50f"
    cards, arguments = MOS_CARDS, (NM, PM)
    if not gates:
        cards = re.sub(r"(TOX|CGSO|CGDO|CGBO|CJ|CJSW)=\S+", "", cards)
        arguments = tuple(re.sub(r"(TOX|CGSO|CGDO|CGBO|CJ|CJSW)=[^,]+,", "", a) for a in arguments)  # type: ignore[assignment]
    netlist, model = ["VDD 1000 0 5", cards], ["submodel (source) VDD(V=5)", f"node vdd, n[{stages}]"]
    model.append("connect VDD at (G, vdd)")
    for k in range(1, stages + 1):
        before, start = k - 1 or stages, 5 * (k % 2)
        netlist += [f"MN{k} {k} {before} 0 0 NM {N_SIZE}", f"MP{k} {k} {before} 1000 1000 PM {P_SIZE}"]
        netlist += [f"C{k} {k} 0 {load}", f".ic v({k})={start}"]
        model += [f"submodel (nmos) MN{k}({arguments[0]})", f"submodel (pmos) MP{k}({arguments[1]})"]
        model += [f"submodel (capacitor) C{k}(C={load[:-1]}e-15) (ic u={start})"]
        gate = f"n[{before}]"
        model.append(
            f"connect MN{k} at (n[{k}], {gate}, G, G), MP{k} at (n[{k}], {gate}, vdd, vdd), C{k} at (n[{k}], G)"
        )
    kind = "all capacitances" if gates else "load capacitances"
    return Case(f"ring of {stages}, {kind}", "\n".join(netlist), "\n".join(model), ("C1.u", "v(1)"), 5e-8)


def line(sections: int) -> Case:
    """A step of 1 V into a line of 1 kOhm and 1 nF."""
    r, c = 1000 / sections, 1e-9 / sections
    netlist = ["V1 1000000 0 PULSE(0 1 0 1p 1p 1 2)"]
    model = ["submodel (source) V1(V=1)", f"node a, n[{sections}]", "connect V1 at (G, a)"]
    for k in range(1, sections + 1):
        netlist += [f"R{k} {k - 1 or 1000000} {k} {r:g}", f"C{k} {k} 0 {c:g}"]
        before = f"n[{k - 1}]" if k > 1 else "a"
        model += [f"submodel (resistor) R{k}(R={r:g})", f"submodel (capacitor) C{k}(C={c:g}) (ic u=0)"]
        model.append(f"connect R{k} at ({before}, n[{k}]), C{k} at (n[{k}], G)")
    probe = f"C{sections}.u", f"v({sections})"
    return Case(f"line of {sections} sections", "\n".join(netlist), "\n".join(model), probe, 3e-6)


def adder(bits: int) -> Case:
    """A carry that ripples through all bits."""
    probe = f"C_c{bits}.u", f"v(c{bits})"
    return Case(f"adder of {bits} bits", *adder_texts(bits), probe, 2e-8, at_rest=True, finest=1e-12)


def ours(case: Case, folder: Path) -> tuple[Translation, float]:
    """The translation and how long it took, code included."""
    file = folder / "m.mdl"
    file.write_text("\n".join(["@semiconductors.lib", "model M", case.model, "submodel (ground) G", "end", ""]))
    begin = perf_counter()
    translation = translate(file)
    translation.executable  # noqa: B018  # compiles
    return translation, perf_counter() - begin


def run_ours(case: Case, translation: Translation, tolerance: float) -> tuple[float, Rows]:
    """Seconds, and the probe over time."""
    step = case.stop / ROWS
    result = translation.simulate(stop=case.stop, interval=step, tolerance=tolerance, steady=case.at_rest)
    return result.stats.seconds, (np.asarray(result.time), np.asarray(result[case.probe[0]]))


def run_ngspice(case: Case, folder: Path, reltol: float, *, exact: bool = False) -> tuple[float, Rows]:
    """Seconds, and the probe over time; all node voltages are saved, as ours are."""
    step = case.stop / ROWS
    longest = f" 0 {case.finest:g}" if exact and case.finest else ""
    control = [".control", "set wr_singlescale", f"tran {step:g} {case.stop:g}{longest}", "rusage trantime"]
    control += [f"linearize {case.probe[1]}", f"wrdata out.txt {case.probe[1]}", ".endc", ".end", ""]
    options = f".options reltol={reltol:g}" + (_TIGHT if reltol < 1e-4 and not case.finest else "")
    (folder / "n.cir").write_text("\n".join([f"* {case.name}", case.netlist, options, *control]))
    done = subprocess.run(["ngspice", "-b", "n.cir"], cwd=folder, capture_output=True, text=True, check=False)
    told = re.search(r"[Tt]ransient (?:analysis )?time\D*?([0-9.]+(?:e[+-]\d+)?)", done.stdout + done.stderr)
    if told is None:
        raise SystemExit(f"ngspice: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    rows = np.loadtxt(folder / "out.txt")
    return float(told[1]), (rows[:, 0], rows[:, 1])


def difference(a: Rows, exact: Rows) -> float:
    """The largest difference as a share of the range."""
    return float(np.abs(np.interp(exact[0], *a) - exact[1]).max() / np.ptp(exact[1]))


def loosest(run: Callable[[float], tuple[float, Rows]], exact: Rows, rounds: int) -> tuple[float, float, float]:
    """The loosest tolerance with an error below `WANTED` (else the tightest), that error, and the least time."""
    for tolerance in TOLERANCES:
        seconds, rows = run(tolerance)
        error = difference(rows, exact)
        if error < WANTED:
            break
    return tolerance, error, min([seconds, *(run(tolerance)[0] for _ in range(rounds - 1))])


def measure(case: Case, rounds: int, folder: Path) -> None:
    """One row of the table."""
    translation, translated = ours(case, folder)
    exact = run_ours(case, translation, 1e-9)[1]
    peers = run_ngspice(case, folder, 1e-5 if case.finest else 1e-7, exact=True)[1]
    theirs = loosest(lambda tolerance: run_ngspice(case, folder, tolerance), peers, rounds)
    mine = loosest(lambda tolerance: run_ours(case, translation, tolerance), exact, rounds)
    told = "".join(f"{t:9.0e} {e:9.1e} {s:9.3f}" for t, e, s in (theirs, mine))
    print(f"{case.name:32}{told} {theirs[2] / mine[2]:7.2f} {difference(exact, peers):9.1e} {translated:10.2f}")


def main() -> None:
    """Prints the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    each = f"{'tolerance':>9} {'error':>9} {'seconds':>9}"
    print(f"{'':32}{'ngspice':>29}{'acausal':>29}")
    print(f"{'':32}{each}{each} {'ratio':>7} {'between':>9} {'translated':>10}")
    with tempfile.TemporaryDirectory() as name:
        for case in (line(1000), ring(51, gates=False), ring(51, gates=True), adder(4)):
            measure(case, rounds, Path(name))


if __name__ == "__main__":
    main()
