"""The command `translate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.cli.flags import flags
from acausal.cli.flags.translated import translated
from acausal.cli.flags.values import limits, names, numbers
from acausal.cli.process.session import Session
from acausal.targets.target_options import TargetOptions, flag_of, target_help
from acausal.targets.target_table import TARGETS, target_named

if TYPE_CHECKING:
    from acausal.translation import Translation

Show = Literal["flat", "sorted", "solved", "latex", "statistics", "code", "graph"]


def _of_targets(name: str) -> str:
    takers = [target for target, row in TARGETS.items() if name in row.options]
    return f"{target_help(name)} (targets: {', '.join(takers) or 'none yet'})"


def translate(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    outputs: flags.Outputs = None,
    set_: flags.Set = None,
    limit: flags.Limit = None,
    show: Annotated[
        Show | None,
        Option(
            "--show",
            help="the output: equations of a stage, statistics, generated code, or graph: an SVG of submodels,"
            " connections and the structure of the equations; default: statistics",
        ),
    ] = None,
    why: Annotated[
        str | None, Option("--why", metavar="X", help="trace X from the model text to the code instead")
    ] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="OUT", help="write to this file")] = None,
    target: Annotated[
        str | None,
        Option("--target", metavar="NAME", help=f"write the model to OUT in this form: {', '.join(TARGETS)}"),
    ] = None,
    step: Annotated[float | None, Option("--step", metavar="DT", help=_of_targets("step"))] = None,
    method: Annotated[str | None, Option("--method", metavar="NAME", help=_of_targets("method"))] = None,
    single: Annotated[bool, Option(flag_of("single"), help=_of_targets("single"))] = False,
    platforms: Annotated[str | None, Option(flag_of("platforms"), metavar="A,B", help=_of_targets("platforms"))] = None,
    source_only: Annotated[bool, Option("--source-only", help=_of_targets("source_only"))] = False,
    kind: Annotated[str | None, Option("--kind", metavar="NAME", help=_of_targets("kind"))] = None,
) -> None:
    """Translate a model; show its equations, statistics or code, or write it in another language."""
    options = TargetOptions.of(step, method, single, names(platforms), source_only, kind)
    if target is None and options.given():
        raise UsageError(Diagnostic("F006", f"{flag_of(options.given()[0])} is an option of targets", help="--target"))
    if target is not None:
        _check_target(target, options, show or why, output)
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=False
    )
    if target is not None and output is not None:
        written = translation.export(
            target,
            output,
            step=step,
            method=method,
            single=single,
            platforms=options.platforms,
            source_only=source_only,
            kind=kind,
        )
        session.say(f"written: {', '.join(map(str, written))}")
        session.finish(data={"written": [str(path) for path in written]}, report=translation.report)
        return
    show = show or "statistics"
    data: dict[str, object]
    if why is not None:
        text = translation.why(why)
        data = {"why": text}
    elif show == "statistics":
        from acausal.causalize.explain.report import statistics_table
        from acausal.render.table import table

        data = dict(translation.statistics)
        text = table(statistics_table(data))
    else:
        text = _shown(translation, show, output)
        data = {show: text}
    if output is None:
        session.finish(text.rstrip("\n"), data, translation.report)
    else:
        from acausal.base.files.writing import save_text

        save_text(output, f"{text.rstrip()}\n")
        session.finish(data=data, report=translation.report)


def _check_target(target: str, options: TargetOptions, other: str | None, output: Path | None) -> None:
    """UsageError before anything is translated."""
    target_named(target, options)
    if other is not None:
        raise UsageError(Diagnostic("F006", "--target writes files, --show and --why text", help="use one of them"))
    if output is None:
        hint = f"-o model{TARGETS[target].suffix}"
        raise UsageError(Diagnostic("F006", f"the target {target} requires an output file", help=hint))


def _shown(translation: "Translation", show: str, output: Path | None) -> str:
    if show == "graph":
        return translation.graph(None if output is None else output.parent)
    return translation.code() if show == "code" else translation.equations(show)
