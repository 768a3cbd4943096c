"""The translation that flags ask for."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.options import Limits
from acausal.cli.flags.values import names
from acausal.cli.process.session import Session
from acausal.cli.process.standard_input import source_of
from acausal.render.progress import working

if TYPE_CHECKING:
    from acausal.translation import Translation


def translated(
    session: Session,
    file: Path,
    model: str | None,
    asked: tuple[str | None, str | None, str | None],
    parameters: Mapping[str, float],
    most: Limits,
    *,
    cache: bool = True,
) -> "Translation":
    """Report progress on a terminal; `asked` are the flags for what is known, unknown and wanted."""
    from acausal.cached import translate

    known, unknown, outputs = map(names, asked)
    file, text = source_of(file, most)
    with working(f"translating {file}", session.talks):
        return translate(
            file,
            model=model,
            known=known,
            unknown=unknown,
            outputs=outputs,
            parameters=parameters,
            path=session.path or (),
            limits=most,
            cache=cache,
            text=text,
        )
