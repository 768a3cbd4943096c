"""Translation of RC ladders: seconds by pass, microseconds a scalar equation, exponent of growth.

python -m tests.bench.ladder [N ...]
"""

import math
import os
import sys
import tempfile
from pathlib import Path

from acausal.pipeline import translate


def ladder_text(cells: int) -> str:
    """A voltage source and `cells` sections of series resistor and shunt capacitor, each named."""
    resistors = ", ".join(f"R{k}(R=1)" for k in range(1, cells + 1))
    capacitors = ", ".join(f"C{k}(C=1)" for k in range(1, cells + 1))
    lines = ["@electrical.lib", "model Ladder", "  submodel (source) U(V=1)", "  submodel (ground) G"]
    lines += [f"  submodel (resistor) {resistors}", f"  submodel (capacitor) {capacitors}", "  connect G - U - R1"]
    for k in range(1, cells + 1):
        following = f" , R{k} - R{k + 1}" if k < cells else ""
        lines.append(f"  connect R{k} - C{k} - G{following}")
    return "\n".join([*lines, "end", ""])


def measure(cells: int, folder: Path) -> tuple[int, dict[str, float]]:
    """Scalar equations and seconds by stage of one translation, code included."""
    path = folder / f"ladder{cells}.mdl"
    path.write_text(ladder_text(cells))
    translation = translate(path)
    translation.executable  # noqa: B018  # compiles
    equations = translation.statistics["equations"]
    assert isinstance(equations, int)
    return equations, dict(translation.stages.seconds)


def main() -> None:
    """Print the table."""
    os.environ["ACAUSAL_CACHE"] = "off"  # else machine code of an earlier run would be taken
    sizes = [int(a) for a in sys.argv[1:]] or [10, 100, 1000]
    with tempfile.TemporaryDirectory() as name:
        measure(10, Path(name))
        rows = [measure(n, Path(name)) for n in sizes]
    print(f"{'pass':16}" + "".join(f"{f'N = {n}':>14}" for n in sizes) + "   [us an equation]")
    for stage in rows[0][1]:
        print(f"{stage:16}" + "".join(f"{seconds[stage] / count * 1e6:14.1f}" for count, seconds in rows))
    totals = [sum(seconds.values()) for _, seconds in rows]
    print(f"{'all':16}" + "".join(f"{t / c * 1e6:14.1f}" for t, (c, _) in zip(totals, rows, strict=True)))
    print(f"{'equations':16}" + "".join(f"{count:14}" for count, _ in rows))
    for a in range(len(sizes) - 1):
        growth = math.log(totals[a + 1] / totals[a]) / math.log(rows[a + 1][0] / rows[a][0])
        print(f"growth from N = {sizes[a]} to {sizes[a + 1]}: exponent {growth:.2f}")


if __name__ == "__main__":
    main()
