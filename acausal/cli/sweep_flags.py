"""Flags of `sweep` that belong together: designs of runs, and many processes with one folder."""

from pathlib import Path
from typing import Annotated, Final

from typer import Option

from acausal.base.frozen import dataclass
from acausal.sweep.points.designs import GRID, SAMPLES

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
