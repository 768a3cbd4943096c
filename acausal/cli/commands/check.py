"""The command `check`."""

from typing import Annotated

from typer import Option

from acausal.base.diagnostics import ModelError, Report
from acausal.cli.flags import flags
from acausal.cli.flags.values import limits
from acausal.cli.process.session import Session
from acausal.cli.process.standard_input import source_of
from acausal.render.progress import working


def check(
    session: Session,
    files: flags.Files,
    model: flags.Model = None,
    limit: flags.Limit = None,
    numeric: Annotated[
        bool, Option("--numeric", help="also check derivatives given by hand at points of a short run")
    ] = False,
) -> None:
    """Check the models and classes of files for errors, without running them."""
    from acausal.checking import check as check_file

    most, path, report, code = limits(limit), session.path or (), Report(), 0
    for file in files:
        try:
            name, text = source_of(file, most)
            with working(f"checking {name}", session.talks):
                found = check_file(name, model=model, path=path, limits=most, numeric=numeric, text=text)
            code = max(code, ModelError.exit_code if found.errors else 0)
        except ModelError as error:
            found, code = error.report, max(code, error.exit_code)
        report = report.with_(*found.diagnostics)
        if not found.diagnostics:
            session.say(f"{name}: no errors found")
    session.finish(report=report, code=code)
