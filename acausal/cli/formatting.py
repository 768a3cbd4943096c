"""`acausal fmt`: the formatted text of model files."""

from pathlib import Path

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
