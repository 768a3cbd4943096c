"""The command `translate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from acausal.cli import flags
from acausal.cli.session import Session
from acausal.cli.translated import translated
from acausal.cli.values import limits, numbers

if TYPE_CHECKING:
    from acausal.translation import Translation

Show = Literal["flat", "sorted", "solved", "latex", "statistics", "code", "graph"]


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
        Show,
        Option(
            "--show",
            help="the output: equations of a stage, statistics, generated code, or graph: an SVG of submodels,"
            " connections and the structure of the equations",
        ),
    ] = "statistics",
    why: Annotated[
        str | None, Option("--why", metavar="X", help="trace X from the model text to the code instead")
    ] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="OUT", help="write to this file")] = None,
) -> None:
    """Translate a model; show its equations, statistics or code."""
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=False
    )
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
        from acausal.cli.formatting import write_text

        write_text(output, f"{text.rstrip()}\n")
        session.finish(data=data, report=translation.report)


def _shown(translation: "Translation", show: str, output: Path | None) -> str:
    if show == "graph":
        return translation.graph(None if output is None else output.parent)
    return translation.code() if show == "code" else translation.equations(show)
