"""The command `trim`."""

from pathlib import Path
from typing import Annotated

from typer import Option

from acausal.base.files.output_folder import require_folder
from acausal.cli.flags import flags
from acausal.cli.flags.flag_groups import START, StartFlags
from acausal.cli.flags.values import bounds, each_once, names, numbers, pairs
from acausal.cli.process.session import Session

Fixed = Annotated[
    list[str] | None, Option("--fixed", metavar="Y=1", help="a variable or derivative and its value at the point")
]
Free = Annotated[
    list[str] | None,
    Option("--free", metavar="U=LOW:HIGH", help="an input, parameter or state to solve for, optionally with bounds"),
]
Moving = Annotated[str | None, Option("--moving", metavar="X,Y", help="states whose derivatives need not be zero")]
Rest = Annotated[
    bool, Option("--steady/--not-steady", help="require the derivatives of all other states to be zero, or of none")
]
Output = Annotated[
    Path | None, Option("-o", "--output", metavar="FILE.npz", help="write the point as a state for --from of simulate")
]


def trim(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    fixed: Fixed = None,
    free: Free = None,
    moving: Moving = None,
    steady: Rest = True,
    start: StartFlags = START,
    output: Output = None,
) -> None:
    """Find an operating point at which variables have given values."""
    require_folder(output)
    targets, limited = numbers("--fixed", fixed), each_once("--free", free, bounds)
    translation = start.translated(session, file, model)
    found = translation.trim(
        translation.in_units_of_variables(targets),
        translation.bounds_in_units(limited),
        moving=names(moving),
        steady=steady,
        input_values=pairs("--input", start.input_),
        initial=numbers("--init", start.init),
    )
    if output is not None:
        found.state.write(output)
    written = session.written(output)
    session.finish(str(found), {"trim": found.data(), "written": written}, translation.report)
