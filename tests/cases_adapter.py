"""How text cases reach the translator: the only place of the tests that knows the pipeline's calls."""

from collections.abc import Mapping
from pathlib import Path

from acausal.cli.values import names
from acausal.diagnostics import ModelError, Report


def diagnose(main: Path, options: Mapping[str, str]) -> Report:
    """All that `check` has to say of the file, errors and warnings."""
    from acausal.pipeline import check

    try:
        return check(main, **keywords(options))
    except ModelError as error:
        return error.report


def dump(main: Path, stage: str, options: Mapping[str, str]) -> str:
    """The canonical text of a stage (`flat`, `sorted`, ...), ending in a newline."""
    from acausal.pipeline import translate

    return translate(main, **keywords(options)).equations(stage).rstrip("\n") + "\n"


def keywords(options: Mapping[str, str]) -> dict[str, str | tuple[str, ...]]:
    """The options of a case as the pipeline takes them."""
    return {name: value if name == "model" else names(value) for name, value in options.items()}
