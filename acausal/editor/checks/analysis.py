"""The check of a document with everything open in the editor: diagnostics of all its models, facts about each."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.files.open_texts import open_texts
from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.base.options import TranslateOptions
from acausal.causalize.explain.assertions import broken_assertion
from acausal.causalize.explain.provenance import Why
from acausal.causalize.explain.way_text import show_ways
from acausal.editor.checks.facts import Json, diagnostic_data, facts_of
from acausal.elaborate.classes.choose_model import is_library, models_of
from acausal.elaborate.classes.library import load
from acausal.elaborate.model.check_library import check_library, check_unused_classes
from acausal.pipeline import run_stages
from acausal.stages import Stages


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document at one time: its path and text, the texts of all open documents by real path, search folders."""

    path: str
    text: str
    texts: Mapping[str, str]
    folders: tuple[str, ...] = ()

    @property
    def options(self) -> TranslateOptions:
        """The options of a translation."""
        return TranslateOptions(path=self.folders, text=self.text)


class Analyzer:
    """Checks documents; keeps the stages of the last one, to answer questions about them."""

    def __init__(self) -> None:
        self._models: dict[str, tuple[Stages, Snapshot]] = {}
        self._starts: dict[str, dict[str, float]] = {}

    def check(self, snapshot: Snapshot) -> Json:
        """Diagnostics and facts."""
        self._models.clear()
        self._starts.clear()
        found: dict[Diagnostic, None] = {}
        models: list[Json] = []
        with open_texts({path: text.encode("utf-8", "surrogatepass") for path, text in snapshot.texts.items()}):
            try:
                for name in self._check_classes(snapshot, found):
                    models += self._check_model(snapshot, name, found)
            except ModelError as error:
                found |= dict.fromkeys(error.report.diagnostics)
        return {"diagnostics": [diagnostic_data(d) for d in found], "models": models}

    @staticmethod
    def _check_classes(snapshot: Snapshot, found: dict[Diagnostic, None]) -> list[str]:
        """The names of the models, after the check of the classes that none of them uses."""
        with gc_paused():
            library = load(Path(snapshot.path), snapshot.options)
            classes = check_library if is_library(library) else check_unused_classes
            found |= dict.fromkeys(classes(library, snapshot.options).diagnostics)
        return [model.name for model in models_of(library)]

    def _check_model(self, snapshot: Snapshot, name: str, found: dict[Diagnostic, None]) -> list[Json]:
        try:
            with gc_paused():
                stages = run_stages(Path(snapshot.path), replace(snapshot.options, model=name))
        except ModelError as error:
            found |= dict.fromkeys(error.report.diagnostics)
            return []
        found |= dict.fromkeys(stages.report.diagnostics)
        broken = broken_assertion(stages.flat) if stages.flat.conditions else None
        found |= dict.fromkeys(() if broken is None else broken.report.diagnostics)
        self._models[name] = stages, snapshot
        return [facts_of(stages)]

    def why(self, model: str, name: str) -> Json:
        """The way of a variable from the text to its assignment, and its value at the start of the run."""
        if model not in self._models:
            return {"why": None, "start": None}
        stages, _ = self._models[model]
        answers = Why(stages.flat, stages.dae, stages.selection, stages.run, stages.plan)
        try:
            text = show_ways(answers.ways(answers.leaf(name)))
        except UsageError:
            text = None
        return {"why": text, "start": self._start_values(model).get(name)}

    def _start_values(self, model: str) -> dict[str, float]:
        """The values at the start of the run; none where it cannot start."""
        if model not in self._starts:
            from acausal.pipeline import translate_with
            from acausal.runs import RunError

            _, snapshot = self._models[model]
            try:
                made = translate_with(Path(snapshot.path), replace(snapshot.options, model=model))
                result = made.simulate(stop=0)
            except RunError as error:  # what is no finite number is shown, too
                result = error.result
            except ModelError:
                self._starts[model] = {}
                return self._starts[model]
            self._starts[model] = {name: float(result[name][0]) for name in result.names if len(result.time)}
        return self._starts[model]
