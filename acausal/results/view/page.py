"""The page of the result browser, complete in one file: works offline, from a disk."""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.writing import save_text
from acausal.results.drawing.style import COLORS
from acausal.results.formats.columns import Column
from acausal.results.view.reduce import reduced
from acausal.results.view.tree import Item, joined, tree_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST_BYTES = 2_700_000
"""Of all curves of a page: 4 for a value, 12 where a curve has times of its own; as text a third more."""
FEWEST = 40
"""Points of a curve that are kept at least."""
LONGEST_TEXT = 300
PLACES = ("head", "controls", "beside", "scripts")
"""Of the page, for what other pages have beside the browser."""
NOTHING: Mapping[str, str] = {}


class Browsable(Protocol):
    """A result, as far as the page needs it (`acausal.results.trajectories.Trajectories`)."""

    @property
    def time(self) -> "Array":
        """The instants."""
        ...

    @property
    def stored(self) -> "Array":
        """The stored variables, a row an instant."""
        ...

    @property
    def columns(self) -> Mapping[str, Column]:
        """The variables."""
        ...

    @property
    def parameters(self) -> Mapping[str, Column]:
        """The parameters."""
        ...

    @property
    def plotted(self) -> tuple[str, ...]:
        """The variables that are shown first."""
        ...


def write_view(results: Mapping[str, Browsable], title: str, path: Path) -> None:
    """Write the page; UsageError F008 where that is not possible, F006 for results without rows."""
    save_text(path, page(results, title))


def page(results: Mapping[str, Browsable], title: str) -> str:
    """The text of the page."""
    empty = [name for name, result in results.items() if not len(result.time)]
    if empty:
        raise UsageError(Diagnostic("F006", f"the result {empty[0]} has no rows", help="see why its run failed"))
    return composed(title, page_data(results))


def composed(title: str, data: Mapping[str, object], further: Mapping[str, str] = NOTHING) -> str:
    """The page of these data; `further` are texts for its places `head`, `controls`, `beside` and `scripts`."""
    place = files("acausal.results.view")
    parts = {
        **dict.fromkeys(PLACES, ""),
        **further,
        "title": escape(title),
        "uplot_css": (place / "uplot.css").read_text(encoding="utf-8"),
        "uplot_js": (place / "uplot.js").read_text(encoding="utf-8"),
        "view_js": (place / "view.js").read_text(encoding="utf-8"),
        "data": embedded(data),
    }
    pieces = (place / "view.html").read_text(encoding="utf-8").split("{{")
    made = [pieces[0]]
    for piece in pieces[1:]:
        key, _, rest = piece.partition("}}")
        made += [parts[key], rest]
    return "".join(made)


def embedded(data: object) -> str:
    """JSON that may stand within <script>."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")


def page_data(results: Mapping[str, Browsable]) -> dict[str, object]:
    """The results as data: times and curves in base64, and the tree."""
    sizes = [(len(result.time), len(_positions(result))) for result in results.values()]
    most = max(rows for rows, _ in sizes)
    if sum(rows * (8 + 4 * curves) for rows, curves in sizes) > MOST_BYTES:
        most = max(FEWEST, MOST_BYTES // (12 * max(1, sum(curves for _, curves in sizes))))
    runs = [_run(name, result, most) for name, result in results.items()]
    cut = [name for name, result in results.items() if len(result.time) > most]
    note = (
        f"Each curve of {', '.join(cut)} is reduced to {most} points: the smallest and largest values of its intervals."
        if cut
        else ""
    )
    return {"runs": runs, **names_data(results), "note": note}


def names_data(results: Mapping[str, Browsable]) -> dict[str, object]:
    """The part of the data that has no rows: the tree, units, and what is selected first."""
    names = joined(name for result in results.values() for name in result.columns if name != "time")
    parameters = joined(name for result in results.values() for name in result.parameters if name not in names)
    items = {name: _item(name, results.values(), False) for name in names}
    items |= {name: _item(name, results.values(), True) for name in parameters}
    first = next(iter(results.values()))
    return {
        "tree": tree_of(items).data(),
        "units": {name: item.unit for name, item in items.items() if item.unit and not item.parameter},
        "selected": [name for name in first.plotted if name in names],
        "colors": COLORS,
    }


def _positions(result: Browsable) -> list[int]:
    """Stored variables that curves show, each once."""
    found = {column.position for column in result.columns.values() if column.position is not None}
    return sorted(found)


def _run(name: str, result: Browsable, most: int) -> dict[str, object]:
    """The curves of a run: `t` is the number of its times, `v` of its values, `s` its sign, `c` a constant."""
    times = _apart(result.time)
    kinds: list[Array] = [times if len(times) <= most else times[[0, -1]]]
    curves: list[str] = []
    where: dict[int, tuple[int, int]] = {}
    for position in _positions(result):
        rows = reduced(result.stored[:, position], most)
        if rows is None:
            where[position] = 0, len(curves)
            values = result.stored[:, position]
        else:
            where[position] = len(kinds), len(curves)
            kinds.append(times[rows])
            values = result.stored[rows, position]
        curves.append(_text(values.astype("<f4")))
    variables: dict[str, dict[str, object]] = {}
    for label, column in result.columns.items():
        if column.position is not None:
            t, v = where[column.position]
            variables[label] = {"t": t, "v": v, "s": column.sign}
        elif column.is_time:
            where.setdefault(-1, (0, len(curves)))
            if where[-1][1] == len(curves):
                curves.append(_text(kinds[0].astype("<f4")))
            variables[label] = {"t": 0, "v": where[-1][1], "s": column.sign}
        else:
            variables[label] = {"t": 0, "c": column.value}
    return {"name": name, "times": [_text(t.astype("<f8")) for t in kinds], "curves": curves, "variables": variables}


def _apart(times: "Array") -> "Array":
    """The times, of those that stand twice the second a little later: the page needs them to ascend."""
    import numpy as np

    made = times.copy()
    for i in np.flatnonzero(times[1:] <= times[:-1]) + 1:
        made[i] = np.nextafter(made[i - 1], np.inf)
    return made


def _text(values: "Array") -> str:
    return b64encode(values.tobytes()).decode("ascii")


def _item(name: str, results: Iterable[Browsable], parameter: bool) -> Item:
    """A variable or parameter with the unit and description of the first result that has it."""
    places: Sequence[Column | None] = [(r.parameters if parameter else r.columns).get(name) for r in results]
    known = [column for column in places if column is not None]
    unit = next((column.unit for column in known if column.unit), None)
    text = next((column.about for column in known if column.about), None)
    constant = all(column.position is None and not column.is_time for column in known)
    values = tuple([None if column is None else _finite(column.value) for column in places]) if constant else None
    return Item(name, name, unit, text and text[:LONGEST_TEXT], parameter, values)


def _finite(value: float) -> float | None:
    return value if value - value == 0.0 else None
