"""The command `mechanism`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.base.given_values import finite_number
from acausal.cli.flags import flags
from acausal.cli.flags.flag_groups import START, StartFlags
from acausal.cli.flags.values import each_once, need_check, numbers, pairs
from acausal.cli.process.session import Session

if TYPE_CHECKING:
    from acausal.base.diagnostics import Report
    from acausal.mechanism_analysis import MechanismAnalysis
    from acausal.translation import Translation

At = Annotated[
    float | None, Option("--at", metavar="T", help="the pose is that of a run at this time; default: its start")
]
Axes = Annotated[str, Option("--axes", metavar="AXES", help="axes of reactions: joint or inertial")]
Compliance = Annotated[
    list[str] | None,
    Option(
        "--compliance",
        metavar="JOINT=CF:CT",
        help="share reactions that are not unique as elastic joints do, with compliances CF [m/N] and CT [rad/(N.m)]",
    ),
]
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
Graph = Annotated[Path | None, Option("--graph", metavar="FILE.svg", help="write the system graph as a picture: .svg")]
Check = Annotated[
    str | None,
    Option(
        "--check",
        metavar="energy",
        help="run the model, to T if given, and check its balances at all cuts, also without a mechanism",
    ),
]
AXES = ("joint", "inertial")


def mechanism(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    at: At = None,
    axes: Axes = "joint",
    compliance: Compliance = None,
    matrices: Matrices = False,
    graph: Graph = None,
    check: Check = None,
    formulation: Formulation = None,
    code: Code = None,
    start: StartFlags = START,
) -> None:
    """Show bodies, joints and loops of a mechanism, its degrees of freedom and its reactions."""
    require_folder(graph)
    require_folder(code)
    asked = {"--check": check, "--formulation": formulation, "--code": code}
    has_equations = formulation is not None or code is not None
    shown = {
        "--at": at if has_equations else None,
        "--graph": graph,
        "--matrices": matrices or None,
        "--compliance": compliance,
    }
    _check_flags([f for f, x in asked.items() if x is not None], [f for f, x in shown.items() if x is not None])
    _check_values(check, axes, graph)
    if has_equations:
        from acausal.mechanism.formulations.formulation import need_formulation
        from acausal.mechanism.formulations.texts import need_suffix

        need_formulation(formulation or "recursive")
        need_suffix(code)
    compliances = each_once("--compliance", compliance, _compliances) or None
    translation = start.translated(session, file, model)
    if check is not None:
        _energy(session, translation, at, start)
        return
    found = translation.mechanism(inputs=pairs("--input", start.input_), initial=numbers("--init", start.init))
    if has_equations:
        _formulation(session, found, formulation or "recursive", code, translation.report)
        return
    text = found.report(at, axes=axes, compliances=compliances, matrices=matrices)
    if graph is not None:
        from acausal.base.files.atomic_write import write_text

        write_text(graph, found.graph(graph.parent))
    data = found.data(at, axes=axes, compliances=compliances)
    session.finish(text, {**data, "written": session.written(graph)}, translation.report)


def _check_flags(asked: list[str], shown: list[str]) -> None:
    """UsageError F006 for flags of which each asks for something else."""
    others = [flag for flag in asked if flag == "--check"] + [flag for flag in asked if flag != "--check"][:1] + shown
    if asked and len(others) > 1:
        hint = "run the command once for each of them"
        raise UsageError(Diagnostic("F006", f"{others[0]} and {others[1]} are mutually exclusive", help=hint))


def _check_values(check: str | None, axes: str, graph: Path | None) -> None:
    """UsageError F006 for what cannot be done, before time is spent on a translation."""
    need_check(check)
    if axes not in AXES:
        raise UsageError(Diagnostic("F006", f"unknown axes {axes!r}", help=f"the axes are {' and '.join(AXES)}"))
    if graph is not None and graph.suffix.lower() != ".svg":
        raise UsageError(Diagnostic("F006", f"{graph} is not the name of an SVG file", help="name it like graph.svg"))


def _compliances(flag: str, text: str) -> tuple[str, tuple[float, float]]:
    """Joint and compliances of JOINT=CF or JOINT=CF:CT; UsageError F006 for anything else."""
    name, _, values = text.partition("=")
    along, colon, about = values.partition(":")
    found = finite_number(along), finite_number(about) if colon else 0.0
    if found[0] is None or found[1] is None:
        hint = f"{flag} hinge=1e-8:1e-7, compliances for forces [m/N] and for torques [rad/(N.m)]"
        raise UsageError(Diagnostic("F006", f"{flag} {text} is not of the form JOINT=CF:CT", help=hint))
    return name.strip(), (found[0], found[1])


def _energy(session: Session, translation: "Translation", stop: float | None, start: StartFlags) -> None:
    """The balances of a run, also of a model without mechanism; exit code 1 where they do not hold."""
    from acausal.mechanism.checks.run_check import need_checkable
    from acausal.mechanism.checks.texts import check_data, check_text

    need_checkable(translation.stages.flat)
    inputs, initial = pairs("--input", start.input_), numbers("--init", start.init)
    result = translation.simulate(stop=stop, inputs=inputs, initial=initial)
    found = translation.check_energy(result)
    report, code = translation.report.with_(*result.notes), 0 if found.holds else 1
    session.finish(check_text(found, translation.name), {"energy_check": check_data(found)}, report, code)


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
    forces = [force.name for force in found.forces]
    data = {**operations_data(counts, name, forces), "written": session.written(code)}
    session.finish(operations_text(counts, name, forces), data, report)
