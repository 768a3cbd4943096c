"""The command `compare`: two result files, within a tolerance."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from acausal.cli.session import Session

DIFFERENT = 1
"""Exit code for results that differ."""
TOLERANCE = 1e-3

Reference = Annotated[Path, Argument(metavar="A", help="the result file taken as reference", show_default=False)]
Other = Annotated[Path, Argument(metavar="B", help="the result file to compare with it", show_default=False)]
Variables = Annotated[
    list[str] | None,
    Argument(metavar="X Y", help="variables to compare, or patterns; default: all of A", show_default=False),
]
Relative = Annotated[
    float,
    Option(
        "--tolerance",
        metavar="REL",
        help="allowed deviation as a share of a variable's range, and allowed shift as a share of the duration",
    ),
]
Absolute = Annotated[float, Option("--abs", metavar="TOL", help="further allowed deviation, in the variable's unit")]


def compare(
    session: Session,
    reference: Reference,
    other: Other,
    variables: Variables = None,
    tolerance: Relative = TOLERANCE,
    absolute: Absolute = 0.0,
) -> None:
    """Compare two result files: every variable of A within a tube; exit code 0 if they agree, 1 if they differ."""
    from acausal.results.compare import compare as compare_results
    from acausal.results.read import read

    found = compare_results(read(reference), read(other), tolerance, absolute, tuple(variables or ()))
    session.finish(str(found), found.data(), code=0 if found.equal else DIFFERENT)
