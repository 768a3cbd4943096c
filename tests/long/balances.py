"""Balances of power of all examples, the libraries' too: the largest imbalance as a share of the largest power.

    python -m tests.long.balances

Exit code 1 if one of them does not hold.
"""

import sys
from pathlib import Path

from acausal.pipeline import translate

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Print a line for each example, and the worst."""
    failed, worst = 0, (0.0, "")
    widths = zip(
        ("nodes", "frames", "largest power [W]", "imbalance", "through", "forces"), (7, 8, 20, 12, 10, 10), strict=True
    )
    print(f"{'example':24}" + "".join([f"{name:>{width}}" for name, width in widths]))
    for file in sorted([*ROOT.glob("examples/**/*.mdl"), *ROOT.glob("stdlib/examples/*.mdl")]):
        found = translate(file).check_energy()
        power, frames = found.power, found.mechanism
        largest = max(power.largest_power, frames.largest_power if frames else 0.0)
        forces = f"{frames.force_imbalance:10.1e}" if frames else f"{'-':>10}"
        count = len(frames.cuts) if frames else 0
        sizes = f"{len(power.nodes):7}{count:8}{largest:20.4g}"
        print(f"{file.stem:24}{sizes}{found.imbalance:12.1e}{power.through_imbalance:10.1e}{forces}", flush=True)
        failed += not found.holds
        worst = max(worst, (found.imbalance, file.stem))
    print(f"worst {worst[0]:.1e}: {worst[1]}; {failed} do not balance")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
