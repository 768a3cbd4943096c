"""Model of an interactive session: translated when it is first needed, and again after changes."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from acausal.ir.names import show_derivative, show_name
from acausal.ir.program.slots import ParameterSlot
from acausal.render.progress import working
from acausal.repl.state import Source, State, Translated, differ, misunderstood
from acausal.results.result import Result

Translate = Callable[..., Translated]
"""`acausal.pipeline.translate`."""
MOST_UNDONE = 20
"""States that `undo` can return to; each may hold a result."""


class Model:
    """Current state of the session and the earlier ones.

    `shown` if progress is displayed, `color` if text has colors.
    """

    def __init__(
        self, translate: Translate, path: Iterable[str | Path], shown: bool = False, color: bool = False
    ) -> None:
        self.state = State()
        self.shown = shown
        self.color = color
        self.entering = False
        self.run_file: Callable[[Path], str] = lambda _: ""
        self._translate = translate
        self._path = tuple(path)
        self._earlier: list[tuple[str, State]] = []

    def load(self, source: Source) -> Translated:
        """Begin with another model; what was set before is forgotten, but not values with names of their own."""
        old = self.state
        self.state = State(source, values=old.values, language=old.language, output=old.output)
        return self.translation

    def retranslate(self) -> None:
        """The translation no longer fits."""
        self.state = replace(self.state, translation=None)

    def remember(self, line: str, before: State) -> None:
        """Let `undo` return to the state before a line, if the line changed anything."""
        if differ(before, self.state):
            self._earlier = [*self._earlier, (line, before)][-MOST_UNDONE:]

    def undo(self) -> str:
        """Return to the state before the last change; the line that made it."""
        if not self._earlier:
            raise misunderstood("nothing to undo", None)
        line, state = self._earlier.pop()
        self.state = state
        return line

    @property
    def translation(self) -> Translated:
        """The model translated with what is known; UsageError F010 without one."""
        state = self.state
        if state.source is None:
            raise misunderstood("no model is loaded", "load FILE, or enter model")
        if state.translation is not None:
            return state.translation
        file, text, name = state.source.file, state.source.text, state.source.model
        with working(f"translating {file}", self.shown):
            made = self._translate(
                file, model=name, known=state.known, unknown=state.unknown, path=self._path, text=text
            )
        self.state = replace(self.state, translation=made, named=made)
        return made

    @property
    def result(self) -> Result:
        """The last result; UsageError F010 before the first run."""
        if self.state.last is None:
            raise misunderstood("no result yet", "simulate")
        return self.state.last

    @property
    def earlier_result(self) -> Result | None:
        """The result before the last one."""
        results = [state.last for _, state in self._earlier if state.last not in (None, self.state.last)]
        return results[-1] if results else None

    def role(self, name: str, known: bool) -> None:
        """Make a variable known or unknown; the opposite choice is dropped."""
        state = self.state
        to, other = (state.known, state.unknown) if known else (state.unknown, state.known)
        if name in other:
            other = tuple([n for n in other if n != name])
        elif name not in to:
            to = (*to, name)
        ours = (to, other) if known else (other, to)
        self.state = replace(state, known=ours[0], unknown=ours[1], translation=None)

    @property
    def present_inputs(self) -> dict[str, str]:
        """The signals of what is an input at present: what was made unknown again keeps its signal for later."""
        inputs = self.input_names()
        return {name: signal for name, signal in self.state.inputs.items() if name in inputs}

    def input_names(self) -> tuple[str, ...]:
        """The inputs and known variables."""
        return tuple([show_derivative(*symbol) for symbol in self._named.program.input_slots])

    def variable_names(self) -> tuple[str, ...]:
        """The variables, derivatives among them; UsageError F010 without a model."""
        slots = self._named.program.variable_slots
        return tuple(dict.fromkeys([*[show_derivative(*slot.symbol) for slot in slots], *self.input_names()]))

    def parameters(self) -> dict[str, ParameterSlot]:
        """The parameters, constants among them; UsageError F010 without a model."""
        return {show_name(slot.name): slot for slot in self._named.program.parameter_slots}

    def settable(self) -> dict[str, str]:
        """The parameters that can be set, with their types."""
        return {name: slot.type for name, slot in self.parameters().items() if not slot.constant}

    def parameter_value(self, name: str) -> float:
        """Value of a parameter in the next run: as set, or by its binding."""
        given = self.state.parameters
        if name in given:
            return float(given[name])
        slot = self.parameters()[name]
        if slot.bound and given:
            slots = self.translation.for_values(given).program.parameter_slots
            return next(other.value for other in slots if other.name == slot.name)
        return slot.value

    @property
    def _named(self) -> Translated:
        return self.state.named or self.translation
