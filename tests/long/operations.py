"""Floating-point operations of steps in C, counted in assembly code, beside the bounds of the header: all examples.

    python -m tests.long.operations [NAME ...]

Of steps of one part the most that was counted and its bound, with their ratio; of others the largest share of their
bound. Exit code 1 if any step takes more. Needs gcc on x86-64.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import acausal
from acausal.base.diagnostics import ModelError
from tests.collection import WITH_LIBRARY
from tests.targets.c.test_operation_bounds import counted


def main() -> int:
    """Prints a line for each model."""
    failed = 0
    for path in WITH_LIBRARY:
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        with TemporaryDirectory() as folder:
            begun = process_time()
            try:
                model = acausal.translate(path)
                step = (model.program.experiment.stop or 1.0) / 20000
                status, events, most, bound, share, _ = counted(Path(folder), model, "rk4", step)
            except ModelError as error:
                print(f"{path.stem:18} {error.report.diagnostics[0].message}")
                continue
            is_wrong = most > bound or share > 1.0 or bound > 1e15
            failed += is_wrong
            ratio = bound / most if most else 0.0
            print(
                f"{path.stem:18} {most:10.0f} of {bound:12.0f}, ratio {ratio:8.1f}; {events:.0f} events, "
                f"share {share:.2g}; status {status:.0f}, {process_time() - begun:.1f} s {'WRONG' if is_wrong else ''}",
                flush=True,
            )
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
