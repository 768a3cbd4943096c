"""The command `mechanism`."""

from acausal.cli import flags
from acausal.cli.flag_groups import START, StartFlags
from acausal.cli.session import Session


def mechanism(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    start: StartFlags = START,
) -> None:
    """Show bodies, joints and loops of a mechanism."""
    translation = start.translated(session, file, model)
    found = translation.mechanism()
    session.finish(str(found), found.data(), translation.report)
