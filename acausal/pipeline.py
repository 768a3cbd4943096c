"""The whole translation on one screen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_path
from acausal.base.diagnostics import Diagnostic, LimitError, ModelError, Report, UsageError
from acausal.base.gc_pause import gc_paused
from acausal.base.options import Limits, TranslateOptions
from acausal.base.timing import Laps
from acausal.causalize.aliases.eliminate_aliases import eliminate_aliases
from acausal.causalize.arrays.output_names import find_outputs, named_outputs
from acausal.causalize.arrays.scalarize import scalarize
from acausal.causalize.events.delays import take_delays
from acausal.causalize.events.lift_events import hold
from acausal.causalize.initial.initial_system import initial_system
from acausal.causalize.plan.causalize import causal
from acausal.elaborate.classes.choose_model import is_library
from acausal.elaborate.classes.library import load
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.ir.classes import Library
from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.flat import FlatModel
from acausal.units.check_units import UnitCheck, check_units

if TYPE_CHECKING:
    from acausal.translation import Stages, Translation

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a model before its equations are solved."""

    flat: FlatModel
    dae: Dae
    selection: StateSelection
    run: SortedSystem
    initial: SortedSystem
    report: Report
    units: UnitCheck


def analyse(library: Library, options: TranslateOptions, clock: Laps) -> Analysis:
    """From classes to the sorted equations: everything that can be wrong with a model is found here."""
    tree, world = clock.lap("instantiate", instantiate(library, options))
    flat = clock.lap("flatten", flatten(tree, world))
    units = clock.lap("units", check_units(flat))
    try:
        wanted = named_outputs(flat, options.outputs)
        needed = clock.lap("prune", _needed(flat, wanted))
        dae = clock.lap("scalarize", scalarize(needed, outputs=wanted))
        dae = clock.lap("hold", hold(take_delays(dae)))
        dae = clock.lap("alias", eliminate_aliases(dae))
        asked = find_outputs(dae, options.outputs)
        dae, selection, run = causal(flat, dae, asked, clock, options.limits.differentiated)
    except ModelError as mistake:
        raise _cause(flat, mistake) from None
    initial = clock.lap("initial", initial_system(selection))
    if initial.folded:
        selection = selection.with_folded(initial.folded)
        dae = selection.reduced.dae
    wishes = _unmet(flat, selection)
    found = (*dae.notes, *_held_twice(flat, dae), *wishes, *initial.notes)
    report = Report((*library.notes, *flat.notes, *units.warnings, *found[len(flat.notes) :]))
    return Analysis(flat, dae, selection, run, initial.system, report, units)


def _cause(flat: FlatModel, mistake: ModelError) -> ModelError:
    """Loaded only for a model with a mistake."""
    from acausal.causalize.explain.assertions import broken_assertion

    return broken_assertion(flat) or mistake


def _needed(flat: FlatModel, outputs: tuple[str, ...]) -> FlatModel:
    """Loaded only for outputs."""
    if not outputs:
        return flat
    from acausal.causalize.arrays.dead_arrays import prune_arrays

    return prune_arrays(flat, outputs)


def _held_twice(flat: FlatModel, dae: Dae) -> tuple[Diagnostic, ...]:
    """Loaded only for a model with loops."""
    if not flat.loops:
        return ()
    from acausal.causalize.loops.drop_closures import notes_of

    return tuple(notes_of(dae, flat.loops))


def run_stages(file: Path, options: TranslateOptions) -> "Stages":
    """From the text to the plan."""
    from acausal.causalize.plan.make_plan import make_plan
    from acausal.translation import Stages

    clock = Laps()
    a = analyse(clock.lap("parse", load(file, options)), options, clock)
    outputs = find_outputs(a.dae, options.outputs)
    plan = clock.lap("solve", make_plan(a.selection, a.run, a.initial, outputs))
    return Stages(a.flat, a.dae, a.selection, a.run, plan, a.report, a.units, clock.seconds)


def _unmet(flat: FlatModel, selection: StateSelection) -> tuple[Diagnostic, ...]:
    """Loaded only for a model with wishes for states."""
    if all(v.attributes.state == "default" for v in flat.variables):
        return ()
    from acausal.causalize.explain.state_attributes import unmet_wishes

    return tuple(unmet_wishes(selection))


def _checked_classes(library: Library, options: TranslateOptions) -> Report:
    """Loaded only for a file of classes."""
    from acausal.elaborate.model.check_library import check_library

    return check_library(library, options)


def translate(
    file: str | Path,
    *,
    model: str | None = None,
    known: Iterable[str] = (),
    unknown: Iterable[str] = (),
    outputs: Iterable[str] = (),
    parameters: Mapping[str, float] | None = None,
    path: Iterable[str | Path] = (),
    limits: Limits = DEFAULT_LIMITS,
    text: str | None = None,
) -> "Translation":
    """Translate a model of a file; `ModelError` with a report where it has mistakes.

    `known` and `unknown` say what the model is asked, `outputs` what is wanted of it
    (empty: all); `parameters` are values by name, `path` folders for included files.
    """
    options = TranslateOptions.of(model, known, unknown, outputs, parameters, path, limits, text)
    return translate_with(as_path("file", file), options)


def translate_with(file: Path, options: TranslateOptions) -> "Translation":
    """`translate` with the options in one."""
    return Recipe(file, options)({})


@dataclass(frozen=True, slots=True)
class Recipe:
    """A file with options, which is translated for other values of parameters."""

    file: Path
    options: TranslateOptions

    def __call__(self, changed: Mapping[str, float]) -> "Translation":
        """The translation for these values."""
        from acausal.sweep.origin import Origin
        from acausal.translation import Translation

        options = self.options.with_values(changed)
        with gc_paused():
            return Translation(run_stages(self.file, options), self, origin=Origin(self.file, options, translate_with))


def check(
    file: str | Path,
    *,
    model: str | None = None,
    path: Iterable[str | Path] = (),
    limits: Limits = DEFAULT_LIMITS,
    text: str | None = None,
    numeric: bool = False,
) -> Report:
    """All mistakes and warnings of the model that can be found without a run; of a file of classes those of each.

    With `numeric` also what shows at points of a short run: wrong derivatives given by hand, loops that are held
    twice. Only mistakes of the call itself and limits are raised, as UsageError and LimitError.
    """
    options = TranslateOptions.of(model, (), (), (), None, path, limits, text)
    file = as_path("file", file)
    try:
        with gc_paused():
            library = load(file, options)
            if model is None and is_library(library):
                return _checked_classes(library, options)
            if not numeric:
                return _with_assertions(analyse(library, options, Laps()))
        return _numeric(file, options)
    except (UsageError, LimitError):
        raise
    except ModelError as error:
        return error.report


def _with_assertions(analysis: Analysis) -> Report:
    """What was found, and an assertion about parameters alone that does not hold; loaded only where there are some."""
    if not analysis.flat.conditions:
        return analysis.report
    from acausal.causalize.explain.assertions import broken_assertion

    broken = broken_assertion(analysis.flat)
    found = () if broken is None else broken.report.diagnostics
    return Report((*analysis.report.diagnostics, *found))


def _numeric(file: str | Path, options: TranslateOptions) -> Report:
    """What `check` tells, with what a run shows or what ends it."""
    from acausal.base.diagnostics import SimulationError
    from acausal.results.run import RunError
    from acausal.simulate.failure.numeric_check import numeric_faults

    made = translate(file, model=options.model, path=options.path, limits=options.limits)
    told = made.report.diagnostics
    ends: tuple[Diagnostic, ...] = ()
    try:
        result = made.simulate()
    except RunError as error:
        result, ends = error.result, error.report.diagnostics
    except SimulationError as error:
        return Report((*told, *error.report.diagnostics))
    columns = {name: result[name].tolist() for name in result.names} | {"time": result.time.tolist()}
    stages = made.stages
    faults = numeric_faults(stages.flat, stages.selection, stages.run, columns)
    return Report((*told, *(faults or ends)))
