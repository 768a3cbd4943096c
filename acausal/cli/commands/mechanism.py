"""The command `mechanism`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from acausal.base.files.output_folder import require_folder
from acausal.cli import flags
from acausal.cli.flag_groups import START, StartFlags
from acausal.cli.session import Session
from acausal.cli.values import numbers, pairs

if TYPE_CHECKING:
    from acausal.base.diagnostics import Report
    from acausal.mechanism_analysis import MechanismAnalysis

At = Annotated[
    float | None, Option("--at", metavar="T", help="the pose is that of a run at this time; default: its start")
]
Axes = Annotated[str, Option("--axes", metavar="AXES", help="axes of reactions: joint or inertial")]
Matrices = Annotated[bool, Option("--matrices", help="show the spanning tree and the matrices S, T and B_b")]
Formulation = Annotated[
    str | None,
    Option(
        "--formulation",
        metavar="NAME",
        help="count the operations of the equations of motion: recursive, explicit, absolute, mbsdir or mbsinv",
    ),
]
Code = Annotated[
    Path | None,
    Option("--code", metavar="FILE", help="write the accelerations as FILE.c or FILE.py"),
]
Graph = Annotated[Path | None, Option("--graph", metavar="FILE.svg", help="write the system graph as a picture")]


def mechanism(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    at: At = None,
    axes: Axes = "joint",
    matrices: Matrices = False,
    graph: Graph = None,
    formulation: Formulation = None,
    code: Code = None,
    start: StartFlags = START,
) -> None:
    """Show bodies, joints and loops of a mechanism, its degrees of freedom and its reactions."""
    require_folder(graph)
    require_folder(code)
    translation = start.translated(session, file, model)
    found = translation.mechanism(inputs=pairs("--input", start.input_), initial=numbers("--init", start.init))
    if formulation is not None or code is not None:
        _formulation(session, found, formulation or "recursive", code, translation.report)
        return
    text = found.report(at, axes=axes, matrices=matrices)
    if graph is not None:
        from acausal.base.files.atomic_write import write_text

        write_text(graph, found.graph(graph.parent))
    written = session.written(graph)
    session.finish(text, {**found.data(at, axes=axes), "written": written}, translation.report)


def _formulation(session: Session, found: "MechanismAnalysis", name: str, code: Path | None, report: "Report") -> None:
    """The operations of all formulations, and the file of one."""
    from acausal.mechanism.formulations.formulation import comparison, formulation
    from acausal.mechanism.formulations.texts import formulation_file, operations_data, operations_text

    tree = found.functions.tree
    chosen = formulation(tree, name)
    counts = comparison(tree)
    if code is not None:
        from acausal.base.files.atomic_write import write_text

        write_text(code, formulation_file(chosen, code.suffix))
    data = {**operations_data(counts, name), "written": session.written(code)}
    session.finish(operations_text(counts, name), data, report)
