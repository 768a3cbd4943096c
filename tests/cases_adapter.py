"""How text cases reach the translator: the only place of the tests that knows the pipeline's calls."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acausal.base.diagnostics import ModelError, Report
from acausal.cli.flags.values import limits, names, numbers, pairs


def diagnose(main: Path, options: Mapping[str, str], run: Mapping[str, str] | None = None) -> Report:
    """All that `check`, or a run with these options, has to say of the file: errors, warnings, notes."""
    from acausal.checking import check
    from acausal.pipeline import translate

    try:
        if run is None and options.keys() <= {"model", "limits", "path"}:
            return check(main, **keywords(options))
        translation = translate(main, **keywords(options))
        if run is None:
            return translation.report
        inputs = pairs("--input", [run["inputs"]] if "inputs" in run else [])
        if "steady" in run:
            translation = translation.steady_state
        times = {name: float(value) for name, value in run.items() if name not in ("inputs", "steady")}
        return translation.report.with_(*translation.simulate(inputs=inputs, **times).notes)
    except ModelError as error:
        return error.report


def dump(main: Path, stage: str, options: Mapping[str, str]) -> str:
    """The canonical text of a stage (`flat`, `sorted`, `solved`, `code`), ending in a newline."""
    from acausal.ir.show.program import show_program
    from acausal.pipeline import translate

    translation = translate(main, **keywords(options))
    text = show_program(translation.program) if stage == "code" else translation.equations(stage)
    return text.rstrip("\n") + "\n"


def keywords(options: Mapping[str, str]) -> dict[str, Any]:
    """The options of a case as the pipeline takes them."""
    forms = {
        "model": str,
        "limits": lambda text: limits([text]),
        "parameters": lambda text: numbers("--set", [text]),
    }
    return {name: forms.get(name, names)(value) for name, value in options.items()}
