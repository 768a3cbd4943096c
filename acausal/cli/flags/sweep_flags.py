"""Flags of `sweep` that belong together: designs of runs, and many processes with one folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.cli.flags.values import pairs
from acausal.sweep.points.designs import GRID, SAMPLES

if TYPE_CHECKING:
    from acausal.sweep.points.input_choices import SeveralInputs

Kind = Annotated[
    str,
    Option(
        "--design",
        metavar="KIND",
        help="grid: all combinations; lhs (Latin hypercube) or sobol: --samples points in the ranges --set P=LOW:HIGH, "
        "LOW:HIGH:log, or distributions, as in --set 'P=normal(5,0.1)'",
    ),
]
Samples = Annotated[
    int | None, Option("--samples", metavar="N", help=f"number of points of a design; default: {SAMPLES}")
]
Seed = Annotated[int, Option("--seed", metavar="K", help="the same seed gives the same points")]
ShardFlag = Annotated[
    str | None,
    Option(
        "--shard",
        metavar="I/N",
        help="run shard I of N in a common folder; the shard that finishes last writes the table",
    ),
]
Slurm = Annotated[
    int | None,
    Option("--slurm", metavar="N", help="write a Slurm script for an array of N shards into the folder; run nothing"),
]
Status = Annotated[
    Path | None, Option("--status", metavar="DIR", help="show the progress of the sweep in this folder; needs no FILE")
]
TimeLimit = Annotated[
    float | None,
    Option("--time-limit", metavar="S", help="time limit of a run in seconds; a run that exceeds it fails with R018"),
]


@dataclass(frozen=True, slots=True)
class DesignFlags:
    """Points of the runs."""

    design: Kind = GRID
    samples: Samples = None
    seed: Seed = 1


@dataclass(frozen=True, slots=True)
class ShareFlags:
    """Runs of this process, and of others beside it."""

    shard: ShardFlag = None
    slurm: Slurm = None
    status: Status = None
    time_limit: TimeLimit = None


DESIGN: Final = DesignFlags()
SHARE: Final = ShareFlags()


def swept_values(texts: list[str] | None) -> tuple[dict[str, float], dict[str, str]]:
    """Parameters with one value, which are part of the translation, and those that take several."""
    from acausal.sweep.points.ranges import parse_values

    typed: dict[str, str] = {}
    for text in texts or []:
        for name, values in pairs("--set", [text]).items():
            if name in typed:
                hint = f"to give it several values, write a list: --set {name}={typed[name]},{values}"
                raise UsageError(Diagnostic("W001", f"{name} is set twice", help=hint))
            typed[name] = values
    several = {name: values for name, values in typed.items() if "," in values or ":" in values}
    single = {name: parse_values(name, values, 1)[0] for name, values in typed.items() if name not in several}
    return single, several


def several_inputs(texts: list[str] | None) -> "SeveralInputs":
    """The value of each input, or its values where it is given several times."""
    found: dict[str, list[str]] = {}
    for text in texts or []:
        for name, value in pairs("--input", [text]).items():
            found.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def shard_of_flags(share: ShareFlags, folder: Path | None, file: Path) -> str | None:
    """The shard as it is asked for, none of the runs where a script is; UsageError F006 for what does not fit."""
    if share.slurm is None:
        return share.shard
    if folder is None or share.shard is not None or str(file) == "-":
        message = "the script needs a folder, a model file and no shard"
        raise UsageError(Diagnostic("F006", message, help="acausal sweep m.mdl --set P=VALUES --folder DIR --slurm 64"))
    return f"0/{share.slurm}"
