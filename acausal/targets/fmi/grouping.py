"""Variables of an FMU: elements, joined to arrays where FMI has them, with value references; aliases."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from re import sub

from acausal.base.frozen import record
from acausal.ir.names import Symbol, show_name
from acausal.targets.fmi.elements import Attributes, Element, Place

TIME = Attributes("real", "independent", "continuous", None, "s", "Simulation time")
INDICATOR = Attributes("real", "local", "continuous", "calculated", description="event indicator")


@record(frozen=True, slots=True)
class Alias:
    """Another name of a variable."""

    name: str
    attributes: Attributes


@record(frozen=True, slots=True)
class FmuVariable:
    """A variable with its value reference: `symbols` and `places` of its elements, row by row."""

    name: str
    reference: int
    attributes: Attributes
    symbols: tuple[Symbol, ...]
    places: tuple[Place, ...]
    start: tuple[float | str, ...] = ()
    dimensions: tuple[int, ...] = ()
    aliases: tuple[Alias, ...] = ()


def show_symbol(symbol: Symbol) -> str:
    """The name of a variable in the structured naming convention: `x`, `der(x)`, `der(x,2)`."""
    name, order = symbol
    text = sub(r"\w*\$[\w$]*", lambda at: f"'{at[0]}'", show_name(name))  # what functions add to a model
    if order == 0:
        return text
    return f"der({text})" if order == 1 else f"der({text},{order})"


def variables_of(elements: Sequence[Element], indicators: int, with_arrays: bool) -> tuple[FmuVariable, ...]:
    """Time, the elements, in FMI 3 as arrays, and there the event indicators; the position is the value reference."""
    groups = _groups(elements) if with_arrays else [((), (e,)) for e in elements]
    found = [FmuVariable("time", 0, TIME, (), (Place("time"),))]
    owners: dict[object, int] = {}
    for dimensions, group in groups:
        key = _alias_key(group, dimensions)
        may_be_alias = group[0].attributes.causality == "local" and not _role(group[0])
        owner = owners.get(key) if may_be_alias else None
        if owner is not None:
            alias = Alias(_name(group, dimensions), group[0].attributes)
            found[owner] = replace(found[owner], aliases=(*found[owner].aliases, alias))
            continue
        if key is not None and group[0].attributes.causality == "local":
            owners.setdefault(key, len(found))
        found.append(_variable(len(found), dimensions, group))
    if with_arrays:
        taken = {v.name for v in found} | {a.name for v in found for a in v.aliases}
        prefix = "event_indicator"
        while any(f"{prefix}_{i + 1}" in taken for i in range(indicators)):
            prefix += "_"
        for i in range(indicators):
            place = (Place("indicator", i),)
            found.append(FmuVariable(f"{prefix}_{i + 1}", len(found), INDICATOR, (), place))
    return tuple(found)


def _variable(reference: int, dimensions: tuple[int, ...], group: tuple[Element, ...]) -> FmuVariable:
    start = tuple([e.start for e in group if e.start is not None])
    symbols, places = tuple([e.symbol for e in group]), tuple([e.place for e in group])
    return FmuVariable(_name(group, dimensions), reference, group[0].attributes, symbols, places, start, dimensions)


def _name(group: tuple[Element, ...], dimensions: tuple[int, ...]) -> str:
    (name, order) = group[0].symbol
    return show_symbol((name[: len(name) - len(dimensions)], order))


def _alias_key(group: tuple[Element, ...], dimensions: tuple[int, ...]) -> object:
    """Equal for variables that are aliases; None for what is alone."""
    attributes = group[0].attributes
    if attributes.variability == "constant" or any(e.shared is None for e in group):
        return None
    shared = tuple([e.shared for e in group])
    return shared, dimensions, attributes.type, attributes.unit, attributes.variability


def _groups(elements: Iterable[Element]) -> list[tuple[tuple[int, ...], tuple[Element, ...]]]:
    """Arrays with their dimensions where all elements are there and alike, at the place of the first; others alone."""
    arrays: dict[object, list[Element]] = {}
    order: list[list[Element]] = []
    for element in elements:
        name, derivative = element.symbol
        base = name
        while isinstance(base[-1], int):
            base = base[:-1]
        key = (base, derivative) if len(base) < len(name) else element.symbol
        if key not in arrays:
            arrays[key] = []
            order.append(arrays[key])
        arrays[key].append(element)
    found: list[tuple[tuple[int, ...], tuple[Element, ...]]] = []
    for group in order:
        dimensions = _dimensions(group)
        if dimensions:
            found.append((dimensions, tuple(sorted(group, key=_indices))))
        else:
            found += [((), (e,)) for e in group]
    return found


def _indices(element: Element) -> tuple[int, ...]:
    name = element.symbol[0]
    found: list[int] = []
    for part in reversed(name):
        if not isinstance(part, int):
            break
        found.insert(0, part)
    return tuple(found)


def _dimensions(group: list[Element]) -> tuple[int, ...]:
    """The dimensions of an array whose elements are all there and alike; else empty."""
    indices = [_indices(e) for e in group]
    if not indices[0] or len({len(i) for i in indices}) > 1:
        return ()
    dimensions = tuple([max(column) for column in zip(*indices, strict=True)])
    if set(indices) != set(product(*[range(1, n + 1) for n in dimensions])):
        return ()
    first = group[0]
    alike = all(
        e.attributes == first.attributes and _role(e) == _role(first) and (e.start is None) == (first.start is None)
        for e in group
    )
    return dimensions if alike else ()


def _role(element: Element) -> str:
    """States, derivatives and all others do not mix."""
    return element.place.kind if element.place.kind in ("state", "rate") else ""
