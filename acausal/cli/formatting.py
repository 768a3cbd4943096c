"""`acausal fmt`: the formatted text of model files."""

from pathlib import Path

from acausal.base.files import atomic_write as atomic
from acausal.base.files.output_folder import cannot_write
from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.cli.process.standard_input import source_of


def formatted(path: Path, limits: Limits) -> tuple[str, str]:
    """The text of a file as it is and formatted; ModelError as the parser's."""
    from acausal.syntax.format import fmt
    from acausal.syntax.read import read_source

    name, text = source_of(path, limits)
    source = read_source(path, limits=limits) if text is None else SourceFile(str(name), text)
    return source.text, fmt(source, limits)


def write_text(path: Path, text: str) -> None:
    """Write a text file; UsageError F008 where that is not possible."""
    try:
        atomic.write_text(path, text)
    except OSError as error:
        raise cannot_write(path, error) from None
