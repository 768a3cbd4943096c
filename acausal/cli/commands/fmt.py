"""The command `fmt`."""

from typing import Annotated

from typer import Option

from acausal.base.diagnostics import ModelError, Report
from acausal.cli.flags import flags
from acausal.cli.flags.values import limits
from acausal.cli.process.session import Session


def fmt(
    session: Session,
    files: flags.Files,
    check: Annotated[bool, Option("--check", help="do not change files; exit code 1 if one would change")] = False,
    stdout: Annotated[bool, Option("--stdout", help="write to standard output instead of the files")] = False,
    limit: flags.Limit = None,
) -> None:
    """Format model files."""
    from acausal.base.files.writing import save_text
    from acausal.cli.formatting import formatted
    from acausal.cli.process.standard_input import DASH

    report, texts, changed = Report(), [], []
    for file in files:
        try:
            before, after = formatted(file, limits(limit))
        except ModelError as error:
            report = report.with_(*error.report.diagnostics)
            continue
        texts.append(after)
        if before != after:
            changed.append(str(file))
            if not (check or stdout or str(file) == DASH):
                save_text(file, after)
    stdout = stdout or (DASH in map(str, files) and not check)
    for name in [] if stdout else changed:
        session.say(f"{name}: {'would change' if check else 'formatted'}")
    failed = bool(report.errors or (check and changed))
    text = "".join(texts).rstrip("\n") if stdout else ""
    session.finish(text, {"changed": changed}, report, ModelError.exit_code if failed else 0)
