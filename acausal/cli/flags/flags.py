"""The flags that several commands have, each with the help of its option."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from acausal.base.options import SimulateOptions, TranslateOptions, help_of


def _translating(name: str) -> str:
    return help_of(TranslateOptions, name)


def _simulating(name: str) -> str:
    return help_of(SimulateOptions, name)


_DASH = _translating("text")
File = Annotated[Path, Argument(metavar="FILE", help=f"the model file; {_DASH}", show_default=False)]
Files = Annotated[list[Path], Argument(metavar="FILE", help=f"model files; {_DASH}", show_default=False)]
Model = Annotated[str | None, Option("--model", metavar="M", help=_translating("model"))]
Known = Annotated[str | None, Option("--known", metavar="A,B", help=_translating("known"))]
Unknown = Annotated[str | None, Option("--unknown", metavar="C", help=_translating("unknown"))]
Outputs = Annotated[str | None, Option("--outputs", metavar="X,Y", help=_translating("outputs"))]
Set = Annotated[list[str] | None, Option("--set", metavar="P=1", help=_translating("parameters"))]
Folder = Annotated[
    Path | None,
    Option("--folder", metavar="DIR", help="store finished runs here; the same command resumes what was interrupted"),
]
Jobs = Annotated[
    int | None, Option("--jobs", metavar="N", help="number of parallel runs; default: number of processors")
]
Cluster = Annotated[
    str | None, Option("--cluster", metavar="ADDRESS", help="run on a Dask cluster: tcp://HOST:8786, or local")
]
Limit = Annotated[list[str] | None, Option("--limit", metavar="NAME=N", help=_translating("limits"))]
Stop = Annotated[float | None, Option("--stop", metavar="T", help=_simulating("stop"))]
Interval = Annotated[float | None, Option("--interval", metavar="DT", help=_simulating("interval"))]
Tolerance = Annotated[float | None, Option("--tolerance", metavar="TOL", help=_simulating("tolerance"))]
Solver = Annotated[str, Option("--solver", metavar="NAME", help=_simulating("solver"))]
EventPasses = Annotated[int | None, Option("--event-passes", metavar="N", help=_simulating("event_passes"))]
Steady = Annotated[bool, Option("--steady", help=_simulating("steady"))]
Init = Annotated[list[str] | None, Option("--init", metavar="X=1", help=_simulating("initial"))]
From = Annotated[str | None, Option("--from", metavar="FILE@T", help=_simulating("start_from"))]
Checkpoint = Annotated[Path | None, Option("--checkpoint", metavar="FILE", help=_simulating("checkpoint"))]
CheckpointInterval = Annotated[
    float | None, Option("--checkpoint-interval", metavar="DT", help=_simulating("checkpoint_interval"))
]
FreeInitial = Annotated[bool, Option("--free-initial", help=_simulating("free_initial"))]
Input = Annotated[list[str] | None, Option("--input", metavar="U=EXPR", help=_simulating("inputs"))]
NoCache = Annotated[bool, Option("--no-cache", help="do not read or write the translation cache")]
Check = Annotated[
    str | None,
    Option("--check", metavar="energy", help="check the balances of power at all cuts; exit code 1 if one fails"),
]
Write = Annotated[
    str | None,
    Option(
        "--write",
        metavar="X,Y",
        help="variables to write to the result file, or patterns: 'arm.*,La.i'; default: what `experiment` plots, the"
        " model's own variables, states, discrete variables, and terminals, inputs, outputs, cut variables of its"
        " submodels, unless these are arrays",
    ),
]
All = Annotated[bool, Option("--all", help="write all variables to the result file")]
Units = Annotated[
    bool, Option("--units", help="write descriptions and units to a second header row of CSV (other formats have them)")
]
Plot = Annotated[
    str | None,
    Option(
        "--plot",
        metavar="X,Y",
        help="variables, patterns and expressions to plot: 'r.q,*.phi,r.q*180/pi,r.w in rpm'; with '' or --figure"
        " alone those of `experiment`; in a window, without display as text",
    ),
]
X = Annotated[str | None, Option("--x", metavar="X", help="plot over this variable or expression; default: time")]
Unit = Annotated[
    str | None,
    Option("--unit", metavar="U,V", help="display units: deg,rpm,mA; default: those declared"),
]
Log = Annotated[str | None, Option("--log", metavar="AXES", help="logarithmic axes of the plot: x, y or xy")]
Events = Annotated[bool, Option("--events", help="mark the events in the plot")]
Figure = Annotated[
    Path | None, Option("--figure", metavar="FILE.png", help="write the plot to this file: .png, .svg, .pdf, .html")
]
Animate = Annotated[
    Path | None,
    Option(
        "--animate",
        metavar="FILE.html",
        help="write an animation of the mechanism (bodies, joints, bars, springs, forces, declared shapes) as .html (a"
        " page complete in itself), .glb, .gif or .mp4",
    ),
]
