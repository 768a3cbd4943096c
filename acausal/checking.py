"""`acausal.check`: mistakes and warnings of a model without a run."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_flag
from acausal.base.diagnostics import Diagnostic, LimitError, ModelError, Report, UsageError
from acausal.base.files.model_text import as_source
from acausal.base.gc_pause import gc_paused
from acausal.base.lazy import lazy
from acausal.base.options import Limits, TranslateOptions
from acausal.base.timing import StageTimer
from acausal.elaborate.classes.choose_model import is_library, models_of
from acausal.elaborate.classes.library import load
from acausal.ir.model.classes import Library
from acausal.pipeline import DEFAULT_LIMITS, Analysis, analyze, translate_with

if TYPE_CHECKING:
    from acausal.causalize.explain.assertions import broken_assertion
    from acausal.elaborate.model.check_library import check_library, check_unused_classes
else:
    broken_assertion = lazy("causalize.explain.assertions", "broken_assertion")
    check_library = lazy("elaborate.model.check_library", "check_library")
    check_unused_classes = lazy("elaborate.model.check_library", "check_unused_classes")


def check(
    file: str | Path,
    *,
    model: str | None = None,
    path: Iterable[str | Path] = (),
    limits: Limits = DEFAULT_LIMITS,
    text: str | None = None,
    numeric: bool = False,
) -> Report:
    """All mistakes and warnings that can be found without a run: of each model, and of the classes none of them uses.

    `file` is a file or the text of models, as in `translate`; `model` checks one model or class alone. Of a file of
    classes each is checked by itself.
    With `numeric` also what shows at points of a short run: wrong derivatives given by hand, overconstrained
    loops. Only mistakes of the call itself and limits are raised, as UsageError and LimitError.
    """
    place, content = as_source(file, text)
    options = TranslateOptions.of(model, (), (), (), None, path, limits, content)
    numeric = as_flag("numeric", numeric)
    try:
        with gc_paused():
            library = load(place, options)
            if model is None and is_library(library):
                return check_library(library, options)
        if model is not None or not models_of(library):
            return _of_model(library, place, options, numeric)
        models = [_of_model(library, place, replace(options, model=m.name), numeric) for m in models_of(library)]
        with gc_paused():
            return _merged(*models, check_unused_classes(library, options))
    except (UsageError, LimitError):
        raise
    except ModelError as error:
        return error.report


def _of_model(library: Library, place: Path, options: TranslateOptions, numeric: bool) -> Report:
    try:
        if numeric:
            return _numeric(place, options)
        with gc_paused():
            return _with_assertions(analyze(library, options, StageTimer()))
    except (UsageError, LimitError):
        raise
    except ModelError as error:
        return error.report


def _merged(*reports: Report) -> Report:
    """A mistake in a class that several models use is reported once."""
    found: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in (d for report in reports for d in report.diagnostics):
        found.setdefault((diagnostic.code, diagnostic.primary and diagnostic.primary.span), diagnostic)
    return Report(tuple(found.values()))


def _with_assertions(analysis: Analysis) -> Report:
    """Findings of the analysis, and an assertion about parameters alone that does not hold."""
    broken = broken_assertion(analysis.flat) if analysis.flat.conditions else None
    found = () if broken is None else broken.report.diagnostics
    return Report((*analysis.report.diagnostics, *found))


def _numeric(file: Path, options: TranslateOptions) -> Report:
    """Findings of the translation, and those of a run or what ends it."""
    from acausal.base.diagnostics import SimulationError
    from acausal.runs import RunError
    from acausal.simulate.failure.numeric_check import numeric_faults

    made = translate_with(file, options)
    reported = made.report.diagnostics
    ends: tuple[Diagnostic, ...] = ()
    try:
        result = made.simulate()
    except RunError as error:
        result, ends = error.result, error.report.diagnostics
    except SimulationError as error:
        return Report((*reported, *error.report.diagnostics))
    columns = {name: result[name].tolist() for name in result.names} | {"time": result.time.tolist()}
    stages = made.stages
    faults = numeric_faults(stages.flat, stages.selection, stages.run, columns)
    return Report((*reported, *(faults or ends)))
