"""The whole translation on one screen: from the text of a model to the plan of its solution."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_mapping, as_path
from acausal.base.diagnostics import ModelError, Report
from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.base.options import Limits, TranslateOptions
from acausal.base.timing import StageTimer
from acausal.causalize.aliases.eliminate_aliases import eliminate_aliases
from acausal.causalize.arrays.dead_arrays import prune_arrays
from acausal.causalize.arrays.output_names import find_outputs, named_outputs
from acausal.causalize.arrays.scalarize import scalarize
from acausal.causalize.arrays.tunable_parameters import with_tunable
from acausal.causalize.events.delays import take_delays
from acausal.causalize.events.lift_events import hold
from acausal.causalize.events.units import take_units
from acausal.causalize.events.whole_numbers import with_whole_numbers
from acausal.causalize.explain.state_attributes import unmet_preferences
from acausal.causalize.initial.initial_system import initial_system
from acausal.causalize.plan.causalize import causal
from acausal.elaborate.classes.library import load
from acausal.elaborate.connections.open_loops import open_loops
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.given_number import given_values
from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.flat import FlatModel
from acausal.ir.model.classes import Library
from acausal.units.check.check_units import UnitCheck, check_units

if TYPE_CHECKING:
    from acausal.stages import Stages
    from acausal.translation import Translation

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Analysis:
    """Analysis of a model before its equations are solved."""

    flat: FlatModel
    dae: Dae
    selection: StateSelection
    run: SortedSystem
    initial: SortedSystem
    report: Report
    units: UnitCheck


def analyze(library: Library, options: TranslateOptions, clock: StageTimer) -> Analysis:
    """From classes to the sorted equations: all mistakes of a model are found here."""
    flat = flatten(*clock.measured("instantiate", instantiate(library, options)))  # then the instances are freed
    flat = clock.measured("flatten", open_loops(flat, options.opened)[0])
    flat = with_tunable(flat, options.tunable) if options.tunable else flat
    units = clock.measured("units", check_units(flat))
    try:
        wanted = named_outputs(flat, options.outputs)
        needed = clock.measured("prune", prune_arrays(flat, wanted) if wanted else flat)
        dae = clock.measured("scalarize", scalarize(needed, outputs=wanted))
        dae = clock.measured("hold", hold(with_whole_numbers(take_delays(take_units(dae)))))
        dae = clock.measured("alias", eliminate_aliases(dae))
        outputs = find_outputs(dae, options.outputs)
        dae, selection, run = causal(flat, dae, outputs, clock, options.limits.differentiated)
    except ModelError as mistake:
        from acausal.causalize.explain.assertions import at_submodel, broken_assertion

        raise (broken_assertion(flat) or at_submodel(mistake, flat)) from None
    initial = clock.measured("initial", initial_system(selection))
    if initial.folded:
        selection = selection.with_folded(initial.folded)
        dae = selection.reduced.dae
    preferences = unmet_preferences(selection) if [v for v in flat.variables if v.attributes.state != "default"] else ()
    found = (*dae.notes, *preferences, *initial.notes)
    report = Report((*library.notes, *flat.notes, *units.warnings, *found[len(flat.notes) :]))
    return Analysis(flat, dae, selection, run, initial.system, report, units)


def run_stages(file: Path, options: TranslateOptions) -> "Stages":
    """From the text to the plan."""
    from acausal.causalize.plan.make_plan import make_plan  # `check` needs no plan
    from acausal.stages import Stages

    clock = StageTimer()
    a = analyze(clock.measured("parse", load(file, options)), options, clock)
    outputs = find_outputs(a.dae, options.outputs)
    plan = clock.measured("solve", make_plan(a.selection, a.run, a.initial, outputs))
    return Stages(a.flat, a.dae, a.selection, a.run, plan, a.report, a.units, clock.seconds)


def translate(
    file: str | Path,
    *,
    model: str | None = None,
    known: Iterable[str] = (),
    unknown: Iterable[str] = (),
    outputs: Iterable[str] = (),
    parameters: Mapping[str, float | str] | None = None,
    path: Iterable[str | Path] = (),
    limits: Limits = DEFAULT_LIMITS,
    text: str | None = None,
) -> "Translation":
    """Translate a model of a file; `ModelError` with a report where it has mistakes.

    `known` are variables that become inputs, `unknown` inputs that the equations determine in their place, `outputs`
    the variables to compute (empty: all); `parameters` are values by name, `path` folders for included files.
    """
    values = given_values(as_mapping("parameters", parameters))
    options = TranslateOptions.of(model, known, unknown, outputs, values, path, limits, text)
    return translate_with(as_path("file", file), options)


def translate_with(file: Path, options: TranslateOptions) -> "Translation":
    """`translate` with the options in one."""
    return TranslationRequest(file, options)({})


@dataclass(frozen=True, slots=True)
class TranslationRequest:
    """A file with options, which is translated for other values of parameters."""

    file: Path
    options: TranslateOptions

    def __call__(self, changed: Mapping[str, float]) -> "Translation":
        """The translation for these values."""
        from acausal.compiled_model import CompiledModel
        from acausal.sweep.origin import Origin
        from acausal.translation import Translation

        options = self.options.with_values(changed)
        with gc_paused():
            model = CompiledModel(run_stages(self.file, options))
        return Translation(model, self, Origin(self.file, options, translate_with))
