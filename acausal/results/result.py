"""A result: every variable of a run by its name.

r["r1.q"]      the values at r.time          r.at(0.5)["r1.q"]    the value at one instant
r["der(x)"]    a derivative                  r["load.m"]          a parameter, the same in every row
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_flag, as_names, as_names_in_lists, as_number, as_path, wrong_type
from acausal.base.diagnostics import Diagnostic, Report, UsageError
from acausal.base.optional_library import required
from acausal.ir.names import show_name
from acausal.results.formats.columns import Column, ParameterColumns, VariableColumns, plotted_names
from acausal.results.interpolate import interpolate
from acausal.results.trajectories import NO_PARAMETERS, SHOWN, Trajectories
from acausal.results.values_by_name import Slopes, ValuesByName
from acausal.simulate.rows.event_log import EventLog, RunEvent
from acausal.simulate.run.outcome import Outcome, Stats
from acausal.simulate.state.state import State

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from acausal.codegen.executable import Array
    from acausal.ir.program.program import Program
    from acausal.results.animation.cell import Animation
    from acausal.results.compare import Comparison

NO_STATS = Stats("none", 0, 0, 0, 0.0)


class Result(Trajectories):
    """The variables of one run by name, arrays of shape (rows,) in their units, its events, and notes about it."""

    def __init__(
        self,
        name: str,
        time: "Array",
        stored: "Array",
        columns: Mapping[str, Column],
        parameters: Mapping[str, Column] = NO_PARAMETERS,
        stats: Stats = NO_STATS,
        plotted: tuple[str, ...] = (),
        notes: tuple[Diagnostic, ...] = (),
        events: EventLog | None = None,
    ) -> None:
        super().__init__(name, time, stored, columns, parameters, plotted)
        self.stats = stats
        self.notes = notes
        self.end: State | None = None
        self.again: Callable[[float], Result] | None = None
        self.sensitivity: Slopes | None = None
        self._log = events

    @classmethod
    def of(cls, outcome: Outcome, columns: Mapping[str, Column] | None = None) -> "Result":
        """The result of a run; `columns` where it does not have all variables."""
        program, p = outcome.program, outcome.parameters
        columns = VariableColumns(program, p) if columns is None else columns
        about = outcome.stats, plotted_names(program), outcome.notes, outcome.events
        found = cls(program.name, outcome.time, outcome.stored, columns, ParameterColumns(program, p), *about)
        if program.texts:
            found.texts = {show_name(slot.name): slot for slot in program.texts}
        return found

    @classmethod
    def before(cls, program: "Program", p: "Array | None" = None) -> "Result":
        """A result without rows: it has the names that a run will have, with `p` its parameters too."""
        import numpy as np

        p, none = np.zeros(program.parameter_size) if p is None else p, np.empty((0, 0))
        columns, parameters = VariableColumns(program, p), ParameterColumns(program, p)
        return cls(program.name, np.empty(0), none, columns, parameters, NO_STATS, plotted_names(program))

    @cached_property
    def events(self) -> tuple[RunEvent, ...]:
        """The events of the run in the order of time."""
        return () if self._log is None else self._log.events()

    def at(self, t: float) -> dict[str, float]:
        """All variables at one instant t in seconds, between the first and the last row.

        Cubic (Hermite) where the result also has the derivative of the variable, else linear;
        at an event the side after it.
        """
        number = as_number("t", t)
        if number is None:
            raise wrong_type("t", "a number", t)
        return ValuesByName(interpolate(self, number), self.unknown)

    def state(self, t: float | None = None) -> "State":
        """The state at t (default: at the end), from which `simulate(start_from=...)` goes on.

        The run is repeated up to t, exactly as it was. UsageError A012 where t lies outside of it, or the result does
        not come from a run of this session.
        """
        number = as_number("t", t)
        last = float(self.time[-1]) if len(self.time) else 0.0
        number = last if number is None else number
        if self.again is None:
            hint = "simulate the model here, or continue a file: acausal simulate FILE --from RESULT.npz"
            raise UsageError(Diagnostic("A012", f"how {self.name} was simulated is not known", help=hint))
        if not len(self.time) or not self.time[0] <= number <= last:
            hint = f"it covers {self.time[0]:g} to {last:g}" if len(self.time) else "it has no rows"
            raise UsageError(Diagnostic("A012", f"t = {number:g} is outside the run of {self.name}", help=hint))
        found = self.end if self.end is not None and self.end.time == number else self.again(number).end
        assert found is not None
        return found

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "again"} | {"again": None}

    @property
    def final(self) -> dict[str, float]:
        """All variables in the last row."""
        return ValuesByName({name: float(self[name][-1]) for name in self.columns}, self.unknown)

    @property
    def summary(self) -> str:
        """The run in one line."""
        s = self.stats
        matrix = f", {s.matrix}" if s.matrix else ""
        calls = f"{s.steps} steps, {s.rhs_calls} calls of the derivatives by {s.solver}{matrix}"
        cost = f" ({calls})" if s.rhs_calls else ""
        span = f"{self.time[0]:g} to {self.time[-1]:g} s, " if len(self.time) else ""
        return f"{self.name}: {span}{len(self.time)} rows in {s.seconds:.3g} s{cost}"

    @property
    def visible(self) -> tuple[str, ...]:
        """The variables that files have if nothing else is said (`acausal.codegen.lower.variable_slots.is_visible`)."""
        return tuple([name for name, column in self.columns.items() if column.visible])

    def write(self, path: str | Path, names: Iterable[str] | None = None, *, units: bool = False) -> None:
        """Write a file; its extension gives the format: .csv, .npz, .mat (as Modelica tools have it), .parquet.

        It has the `visible` variables, or those that `names` or patterns such as `*.phi` select: `["*"]` stands for
        all. Units and descriptions are part of the file; of a CSV file only with `units`, as a second header row.
        """
        from acausal.results.write import write

        chosen = self.visible if names is None else self.match(names)
        write(self, as_path("path", path), chosen, units=as_flag("units", units))

    @property
    def event_marks(self) -> tuple[RunEvent, ...]:
        """The events that a plot marks."""
        return super().event_marks if self._log is None else self.events

    def plot(
        self,
        *names: str | Iterable[str],
        figure: str | Path | None = None,
        x: str | None = None,
        unit: str | Iterable[str] = (),
        log: str = "",
        events: bool = False,
        others: "Mapping[str, Result] | Iterable[Result]" = (),
    ) -> "Figure | None":
        """Plot quantities (without any: those of the model's experiment) over time or over `x`; `figure` is a file.

        Quantities are names, patterns such as `arm.*`, and expressions: `crank.q*180/pi`, `crank.q in deg`, one by one
        or in lists. `unit` is one unit or several to display what fits them; `log` is "x", "y" or "xy"; `events` marks
        events; `others` are further results to compare, by the names they shall have in the legend.
        """
        from acausal.results.plot import plot
        from acausal.results.plot_request import options_of, runs_of

        options = options_of(x, as_names("unit", unit), log, as_flag("events", events))
        runs = runs_of(self, others)
        wanted = as_names_in_lists("names", names)
        return plot(runs, wanted, options, None if figure is None else as_path("figure", figure))

    def compare(
        self, other: "Result", tolerance: float = 1e-3, absolute: float = 0.0, names: Iterable[str] = ()
    ) -> "Comparison":
        """Compare with another result, this one being the reference; the comparison is true if they agree.

        A variable may deviate by `tolerance` times its range plus `absolute`, and come earlier or later by `tolerance`
        times the duration. `names` and patterns select variables; without any, all are compared.
        """
        from acausal.results.compare import compare

        if not isinstance(other, Trajectories):
            raise wrong_type("other", "a result", other)
        numbers = [as_number(name, value) for name, value in (("tolerance", tolerance), ("absolute", absolute))]
        return compare(self, other, numbers[0] or 0.0, numbers[1] or 0.0, as_names("names", names))

    def view(self, path: str | Path, others: "Mapping[str, Result] | Iterable[Result]" = ()) -> None:
        """Write a web page to browse the result: its submodels, parameters and curves; `others` are further results."""
        from acausal.results.plot_request import runs_of
        from acausal.results.view.page import write_view

        write_view(runs_of(self, others), self.name, as_path("path", path))

    def animate(
        self,
        path: str | Path | None = None,
        *,
        others: "Mapping[str, Result] | Iterable[Result]" = (),
        curves: Iterable[str] | None = None,
    ) -> "Animation | None":
        """Animate the mechanism of the model: its bodies, joints, bars, springs and declared shapes.

        Writes the file `path`, whose extension gives the format: .html (an interactive page, complete in itself),
        .glb (glTF), .gif, .mp4. Without it, returns an object that a notebook cell shows. `others` are results of
        further runs in the same picture, by the names they shall have, `curves` variables below it (default:
        `plotted`). UsageError F015 where nothing can be drawn, F007 where a format needs a missing library.
        """
        from acausal.results.animation.build import scene_of
        from acausal.results.animation.cell import Animation
        from acausal.results.animation.write import check_extension, write_animation
        from acausal.results.plot_request import runs_of

        file = None if path is None else as_path("path", path)
        if file is not None:
            check_extension(file)
        shown = self.plotted if curves is None else self.match(as_names("curves", curves))
        scene = scene_of(runs_of(self, others), shown)
        self.notes = tuple(dict.fromkeys([*self.notes, *scene.notes]))
        if file is None:
            return Animation(scene)
        write_animation(scene, file)
        return None

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame with the time as index and a column a variable; `attrs` name those that are `not_unique`."""
        with required("to_pandas", "pandas", "'acausal[notebook]'"):
            import pandas as pd
        found = pd.DataFrame({name: self[name] for name in self.columns}, index=pd.Index(self.time, name="time"))
        found.attrs["not_unique"] = list(self.not_unique)
        return found

    def __repr__(self) -> str:
        return f"<Result {self.summary}; {len(self.columns)} variables>"

    def _repr_html_(self) -> str:
        """HTML representation for a notebook."""
        from acausal.base.human_text import human_html
        from acausal.results.html import picture, table

        plotted = self.experiment_plots
        first = tuple(dict.fromkeys([*plotted, *self.names]))
        drawn = picture(lambda: self.plot(*plotted)) if plotted and len(self.time) else ""
        return table(self, self.summary, first, SHOWN) + drawn + human_html(Report(self.notes))
