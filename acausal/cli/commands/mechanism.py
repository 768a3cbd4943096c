"""The command `mechanism`."""

from pathlib import Path
from typing import Annotated

from typer import Option

from acausal.base.files.output_folder import require_folder
from acausal.cli import flags
from acausal.cli.flag_groups import START, StartFlags
from acausal.cli.session import Session
from acausal.cli.values import numbers, pairs

At = Annotated[
    float | None, Option("--at", metavar="T", help="the pose is that of a run at this time; default: its start")
]
Axes = Annotated[str, Option("--axes", metavar="AXES", help="axes of reactions: joint or inertial")]
Matrices = Annotated[bool, Option("--matrices", help="show the spanning tree and the matrices S, T and B_b")]
Graph = Annotated[Path | None, Option("--graph", metavar="FILE.svg", help="write the system graph as a picture")]


def mechanism(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    at: At = None,
    axes: Axes = "joint",
    matrices: Matrices = False,
    graph: Graph = None,
    start: StartFlags = START,
) -> None:
    """Show bodies, joints and loops of a mechanism, its degrees of freedom and its reactions."""
    require_folder(graph)
    translation = start.translated(session, file, model)
    found = translation.mechanism(inputs=pairs("--input", start.input_), initial=numbers("--init", start.init))
    text = found.report(at, axes=axes, matrices=matrices)
    if graph is not None:
        from acausal.base.files.atomic_write import write_text

        write_text(graph, found.graph(graph.parent))
    written = session.written(graph)
    session.finish(text, {**found.data(at, axes=axes), "written": written}, translation.report)
