"""The command that a module of the Python target is."""

from types import SimpleNamespace

from acausal.targets.python.run_values import SimulationError
from acausal.targets.python.simulation import run_model

SHOWN = 20
"""So many events are shown."""


def main(model: SimpleNamespace) -> None:
    """Simulate, and write all variables as CSV, or the last values of the states."""
    import argparse
    import sys

    parser = argparse.ArgumentParser(description=f"Simulate the model {model.name}.")
    parser.add_argument("--stop", type=float, help=f"end of the run in seconds (default: {model.stop:g})")
    parser.add_argument("--interval", type=float, help="output interval in seconds")
    parser.add_argument("--tolerance", type=float, help=f"relative tolerance (default: {model.tolerance:g})")
    parser.add_argument("--method", default="LSODA", choices=("LSODA", "Radau", "BDF", "RK45", "DOP853"))
    parser.add_argument("--set", action="append", default=[], metavar="P=1", help="set a parameter; may be repeated")
    parser.add_argument(
        "--input", action="append", default=[], metavar="U=1", help="value of an input; may be repeated"
    )
    parser.add_argument("-o", "--output", metavar="FILE.csv", help="write all variables to this file")
    options = parser.parse_args()
    try:
        values, inputs = values_of(options.set), values_of(options.input)
        times = options.stop, options.interval, options.tolerance
        found = run_model(model, values, inputs, *times, options.method)
    except (ValueError, SimulationError) as error:
        sys.exit(f"error: {error}")
    for time, change in found.events[:SHOWN]:
        print(f"event at {time:.10g}: {change}", file=sys.stderr)
    if found.ending:
        print(found.ending, file=sys.stderr)
    if not options.output:
        print("\n".join([f"{name} = {found.columns[name][-1]:.10g}" for name in model.states]))
        return
    lines = [",".join([f'"{name}"' if "," in name else name for name in found.columns])]
    columns = [column.tolist() for column in found.columns.values()]
    lines += [",".join(map(repr, row)) for row in zip(*columns, strict=True)]
    with open(options.output, "w", encoding="utf-8") as file:  # noqa: PTH123 - as in any script
        file.write("\n".join([*lines, ""]))


def values_of(texts: list[str]) -> dict[str, float]:
    """The values of NAME=NUMBER; ValueError for other texts."""
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        found[name.strip()] = float(value)
    return found
