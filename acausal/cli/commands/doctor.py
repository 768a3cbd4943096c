"""The command `doctor`."""

from typing import Annotated

from typer import Option

from acausal.cli.process.session import Session


def doctor(
    session: Session,
    clear_cache: Annotated[bool, Option("--clear-cache", help="empty the translation cache")] = False,
) -> None:
    """Check the installation."""
    from dataclasses import asdict

    from acausal.base.diagnostics import InternalError
    from acausal.cache import store
    from acausal.doctor import State, examine, show

    if clear_cache:
        session.say(f"{store.clear()} files removed")
    findings = examine()
    broken = any(finding.state is State.FAULT for finding in findings)
    data: dict[str, object] = {"findings": [asdict(finding) for finding in findings]}
    session.finish(show(findings), data, code=InternalError.exit_code if broken else 0)
