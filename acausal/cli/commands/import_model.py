"""The command `import`."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from acausal.cli.flags import flags
from acausal.cli.flags.values import limits
from acausal.cli.process.session import Session

Base = Literal["fixed", "floating", "open"]


def import_(
    session: Session,
    file: Annotated[
        Path,
        Argument(
            metavar="FILE",
            help="a robot description (.urdf), a netlist (.cir, .net, .sp) or an FMU (.fmu)",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        Option("-o", "--output", metavar="OUT", help="write the model to this file; default: standard output"),
    ] = None,
    base: Annotated[
        Base,
        Option("--base", help="root link of a robot: fixed to the ground, free to move, or open (a cut to connect)"),
    ] = "fixed",
    limit: flags.Limit = None,
) -> None:
    """Convert a robot description (URDF), a SPICE netlist or an FMU."""
    from acausal.imports.import_model import import_model

    folder = Path() if output is None else output.parent
    made = import_model(file, base=base, path=session.path or (), limits=limits(limit), folder=folder)
    if output is None:
        session.finish(made.text.rstrip("\n"), {"text": made.text}, made.report)
        return
    made.write(output)
    session.say(f"written: {output}; its first lines describe it")
    session.finish(data={"written": [str(output)]}, report=made.report)
