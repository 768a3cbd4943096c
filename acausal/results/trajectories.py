"""Variables of a run over time by their names, without what is made of them (files, plots, tables)."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from acausal.base.arguments import as_names, wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.near_names import did_you_mean, known_names
from acausal.ir.program.slots import TextSlot
from acausal.results.formats.columns import Column
from acausal.simulate.rows.event_log import RunEvent

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

NO_PARAMETERS: Mapping[str, Column] = {}
NO_TEXTS: Mapping[str, TextSlot] = {}
SHOWN = 12
"""Variables that a plot or table shows if nothing else is said."""


class UnknownNameError(UsageError, KeyError):
    """Error for an unknown name of a variable; also a KeyError, as of any mapping."""

    __str__ = UsageError.__str__


class Trajectories(Mapping[str, "Array"]):
    """The variables of one run: a mapping from `time` and the names of variables to arrays of shape (rows,).

    `time` may hold an instant twice: both sides of an event. `columns` says where the values of a
    variable are in `stored` (rows, stored variables). Parameters are found by name like variables, but are no items;
    `texts` are those that are strings.
    """

    def __init__(
        self,
        name: str,
        time: "Array",
        stored: "Array",
        columns: Mapping[str, Column],
        parameters: Mapping[str, Column] = NO_PARAMETERS,
        plotted: tuple[str, ...] = (),
    ) -> None:
        self._plotted = plotted
        self.texts = NO_TEXTS
        self.name = name
        self.time = time
        self.stored = stored
        self.columns = columns
        self.parameters = parameters

    @property
    def names(self) -> tuple[str, ...]:
        """All variables, in the order of the model; parameters are in `parameters`."""
        return tuple(self.columns)

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Reactions of redundant constraints: one of many values that give the same motion (minimum norm)."""
        return tuple([name for name, column in self.columns.items() if not column.unique])

    @property
    def plotted(self) -> tuple[str, ...]:
        """The variables that a plot has if nothing else is said: those of the model's experiment, else the first."""
        return self.experiment_plots or self.names[:SHOWN]

    @property
    def experiment_plots(self) -> tuple[str, ...]:
        """The variables that the model's experiment plots, as far as they are here."""
        return tuple([name for name in self._plotted if name in self])

    @property
    def event_marks(self) -> tuple[RunEvent, ...]:
        """The events that a plot marks; of a file, the instants that stand in it twice."""
        doubled = self.time[1:][self.time[1:] == self.time[:-1]]
        return tuple([RunEvent(t, ()) for t in dict.fromkeys(doubled.tolist())])

    def __getitem__(self, name: str) -> "Array":
        """The values of a variable or parameter at `time`."""
        return self.column(name).values(self.time, self.stored)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name == "time" or name in self.columns or name in self.parameters)

    def __iter__(self) -> Iterator[str]:
        yield "time"
        yield from self.columns

    def __len__(self) -> int:
        return 1 + len(self.columns)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def column(self, name: str) -> Column:
        """Column of a variable, and its unit; UnknownNameError F005 if there is none."""
        if not isinstance(name, str):
            raise wrong_type("a variable", "addressed by its name", name)
        if name == "time":
            return Column(None, is_time=True, unit="s")
        column = self.columns.get(name) or self.parameters.get(name)
        if column is None:
            raise self.unknown(name)
        return column

    def match(self, patterns: Iterable[str]) -> tuple[str, ...]:
        """The variables that names and patterns such as `*.phi` stand for; each of them must fit something."""
        found: dict[str, None] = {}
        for pattern in as_names("names", patterns):
            if pattern in self:
                found[pattern] = None
                continue
            fitting = self.fits(pattern)
            if not fitting:
                raise self.unknown(pattern)
            found |= dict.fromkeys(fitting)
        return tuple(found)

    def fits(self, pattern: str) -> list[str]:
        """The variables that a pattern such as `*.phi` stands for."""
        return [n for n in self.columns if "*" in pattern and fnmatchcase(n, pattern.replace("[", "[[]"))]

    def unknown(self, name: str) -> UnknownNameError:
        """The error for a name of no variable."""
        known = [*self.columns, *self.parameters]
        hint = did_you_mean(name, known) or known_names(known)
        return UnknownNameError(Diagnostic("F005", f"the result has no variable {name}", help=hint))
