"""Result of a sweep: a table with a row for each run, and each run's whole result on request.

s.table["k"]           the values of a parameter          s.runs[17]       the result of a run
s.table["max(C.u)"]    a quantity, nan where a run failed  s.failures       run -> why it failed
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

from acausal.base.arguments import as_flag, as_names, as_names_in_lists, as_path
from acausal.base.diagnostics import Diagnostic, PicklableError, UsageError
from acausal.base.files.writing import writing
from acausal.base.frozen import dataclass
from acausal.base.optional_library import required
from acausal.results.result import Result
from acausal.sweep.points.points import Points
from acausal.sweep.storage.rows import OK, shown_failure
from acausal.sweep.table_text import shown_table, table_cells, write_rows

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from acausal.codegen.executable import Array
    from acausal.results.drawing.picture import Picture
    from acausal.results.plot import PlotOptions


@dataclass(frozen=True, slots=True)
class SweepStats:
    """`done` runs were made in `seconds`, `found` were kept by an earlier call; `translations` besides the first."""

    done: int
    found: int
    translations: int
    seconds: float
    jobs: int


class Runs(Sequence[Result]):
    """The results of the runs: those kept, else computed again on demand."""

    def __init__(self, count: int, make: Callable[[int], Result]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(f"the sweep has {self._count} runs")
        return self._make(index % self._count)


class SweepResult:
    """The runs of a sweep in the order of their values, whatever order they were made in.

    `table` has a column for each parameter and each quantity, `failures` says by number why runs failed, `missing`
    are runs that an interruption left undone, `notes` what else there is to say.
    """

    def __init__(
        self,
        name: str,
        points: Points,
        columns: Mapping[str, "Array"],
        failures: Mapping[int, Diagnostic],
        missing: frozenset[int],
        runs: Runs,
        stats: SweepStats,
        notes: tuple[Diagnostic, ...] = (),
    ) -> None:
        self.name = name
        self.table = columns
        self.failures = failures
        self.missing = missing
        self.runs = runs
        self.stats = stats
        self.notes = notes
        self._points = points

    def __len__(self) -> int:
        return len(self._points)

    def __getitem__(self, name: str) -> "Array":
        """A column of the table; UsageError F005 if there is none."""
        if name not in self.table:
            hint = f"the columns are {', '.join(self.table)}"
            raise UsageError(Diagnostic("F005", f"unknown column {name} of the sweep", help=hint))
        return self.table[name]

    def given(self, index: int) -> dict[str, float]:
        """The values of a run."""
        return self._points.row(index)

    def status(self, index: int) -> str:
        """`ok`, why the run failed, or nothing if it was not done."""
        if index in self.failures:
            return shown_failure(self.failures[index])
        return "" if index in self.missing else OK

    @property
    def summary(self) -> str:
        """The sweep in one line."""
        s = self.stats
        found = f"{s.found} from the folder, " if s.found else ""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        left = f", {len(self.missing)} not done" if self.missing else ""
        each = f" ({s.seconds / s.done * 1e3:.3g} ms a run)" if s.done else ""
        return f"{self.name}: {len(self)} runs, {found}{s.done} in {s.seconds:.3g} s{each}{failed}{left}"

    def plot(
        self,
        *names: str | Iterable[str],
        figure: str | Path | None = None,
        bands: bool = False,
        x: str | None = None,
        unit: str | Iterable[str] = (),
        log: str = "",
        events: bool = False,
    ) -> "Figure | None":
        """Plot quantities of all runs that succeeded, as `Result.plot`, or with `bands` their median and percentiles.

        Runs that were not kept (`keep`) are made again.
        """
        from acausal.results.drawing.output import drawn
        from acausal.results.plot_request import options_of

        options = options_of(x, as_names("unit", unit), log, as_flag("events", events))
        picture = self.picture(as_names_in_lists("names", names), options, as_flag("bands", bands))
        return drawn(picture, None if figure is None else as_path("figure", figure))

    def picture(self, names: Iterable[str], options: "PlotOptions", bands: bool) -> "Picture":
        """The content of a plot of all runs."""
        from acausal.sweep.plot import bands_of, curves_of, run_labels

        done = [i for i in range(len(self)) if i not in self.failures and i not in self.missing]
        labels = run_labels([self.given(i) for i in done])
        runs = {label: self.runs[i] for label, i in zip(labels, done, strict=True)}
        return (bands_of if bands else curves_of)(self.name, runs, names, options)

    def write(self, path: str | Path) -> None:
        """Write the table; its ending says which kind: .csv, .npz. UsageError F008 for another or a wrong place."""
        path = Path(path)
        kinds = {".csv": self._write_csv, ".npz": self._write_npz}
        if path.suffix.lower() not in kinds:
            hint = f"known formats: {', '.join(kinds)}"
            raise UsageError(
                Diagnostic("F008", f"{path}: unknown table format {path.suffix or '(no extension)'}", help=hint)
            )
        with writing(path) as temporary:
            kinds[path.suffix.lower()](temporary)

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame with a row for each run."""
        with required("to_pandas", "pandas", "'acausal[notebook]'"):
            import pandas as pd
        status = [self.status(i) for i in range(len(self))]
        return pd.DataFrame({**self.table, "status": status}, index=pd.RangeIndex(len(self), name="run"))

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The table as text: its head, then the runs, numbers with all their digits."""
        yield ("run", *self.table, "status")
        lists = [column.tolist() for column in self.table.values()]
        for index, numbers in enumerate(zip(*lists, strict=True)):
            yield (str(index), *["" if x != x else repr(x) for x in numbers], self.status(index))

    def _write_csv(self, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            write_rows(file, self.rows())

    def _write_npz(self, path: Path) -> None:
        import numpy as np

        values = np.column_stack(list(self.table.values()))
        status = np.array([self.status(i) for i in range(len(self))])
        with path.open("wb") as file:
            np.savez_compressed(file, names=np.array(list(self.table)), values=values, status=status)

    def __str__(self) -> str:
        """The table with its middle left out if it is long, and the summary."""
        return "\n".join([*shown_table(self.table, len(self), self.status), self.summary])

    def __repr__(self) -> str:
        return f"<SweepResult {self.summary}; columns {', '.join(self.table)}>"

    def _repr_html_(self) -> str:
        """HTML representation for a notebook."""
        from html import escape

        def row(cells: Sequence[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        head, *rows = table_cells(self.table, len(self), self.status)
        body = "".join(row(cells, "td") for cells in rows)
        return f"<p>{escape(self.summary)}</p><table>{row(head, 'th')}{body}</table>"


class SweepInterrupted(PicklableError, KeyboardInterrupt):  # noqa: N818  (no error)
    """The user ended the sweep; `result` has the runs that were done by then."""

    def __init__(self, result: SweepResult) -> None:
        super().__init__(f"interrupted: {len(result) - len(result.missing)} of {len(result)} runs are done")
        self.result = result

    def _render_traceback_(self) -> list[str]:
        """Lines that IPython and notebooks show in place of a traceback."""
        return [str(self)]
