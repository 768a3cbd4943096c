"""The model structure: outputs, states and initial unknowns with what each depends on."""

from collections.abc import Callable
from typing import NamedTuple

from acausal.imports.fmu.description import FmuVariable, Unknown
from acausal.imports.fmu.variables import MOST_REFERENCE, whole
from acausal.imports.text.elements import Element

MOST_INDICATORS = 100_000


class Structure(NamedTuple):
    """The unknowns of the FMU; `indicators` counts event indicators."""

    outputs: tuple[Unknown, ...]
    states: tuple[Unknown, ...]
    initial: tuple[Unknown, ...]
    indicators: int


def read_structure(root: Element, version: int, variables: tuple[FmuVariable, ...]) -> Structure:
    """The structure; ModelError F050 where it names variables that do not exist."""
    found = next(root.all("ModelStructure"), None)
    if found is None:
        raise root.fault("the model description has no <ModelStructure>")
    by_reference: dict[int, FmuVariable] = {}
    for v in variables:  # the first of several aliases
        by_reference.setdefault(v.reference, v)

    def numbered(place: int, /) -> FmuVariable | None:
        return variables[place - 1] if 0 < place <= len(variables) else None

    def referred(reference: int, /) -> FmuVariable | None:
        return by_reference.get(reference)

    if version == 2:
        groups = [[e for g in found.all(tag) for e in g.all("Unknown")] for tag in _GROUPS]
        key, look_up = "index", numbered
        count = root.attributes.get("numberOfEventIndicators", "0")
        indicators = whole(root, "numberOfEventIndicators", MOST_INDICATORS) if count != "0" else 0
    else:
        groups = [list(found.all(tag)) for tag in _ELEMENTS]
        key, look_up = "valueReference", referred
        indicators = sum([_size(e, key, look_up) for e in found.all("EventIndicator")])
    outputs, rates, initial = [tuple([_unknown(e, key, look_up) for e in group]) for group in groups]
    for rate, element in zip(rates, groups[1], strict=True):
        _check_derivative(rate.variable, element, look_up)
    return Structure(outputs, rates, initial, indicators)


_GROUPS = ("Outputs", "Derivatives", "InitialUnknowns")
_ELEMENTS = ("Output", "ContinuousStateDerivative", "InitialUnknown")
LookUp = Callable[[int], FmuVariable | None]


def _unknown(element: Element, key: str, look_up: LookUp) -> Unknown:
    given = element.attributes.get("dependencies")
    if given is None:
        return Unknown(_named(element, key, look_up), None)
    known = []
    for word in given.split():
        variable = look_up(int(word)) if word.isascii() and word.isdecimal() and len(word) < 12 else None
        if variable is None:
            raise element.fault(f"dependencies name the unknown variable {word[:20]!a}")
        known.append(variable)
    return Unknown(_named(element, key, look_up), tuple(known))


def _named(element: Element, key: str, look_up: LookUp) -> FmuVariable:
    place = whole(element, key, MOST_REFERENCE)
    variable = look_up(place)
    if variable is None:
        raise element.fault(f"{key}={place} is not a variable of the FMU")
    return variable


def _size(element: Element, key: str, look_up: LookUp) -> int:
    return _named(element, key, look_up).size


def _check_derivative(rate: FmuVariable, element: Element, look_up: LookUp) -> None:
    """ModelError where a derivative is not that of a variable of the same shape, or of itself in circles."""
    if rate.type not in ("Real", "Float64"):
        raise element.fault(f"the derivative {rate.name} is not a real variable")
    seen, current = {rate.number}, rate
    while current.derivative is not None:
        state = look_up(current.derivative)
        if state is None or state.shape != rate.shape or state.type != rate.type:
            raise element.fault(f"{current.name} is not the derivative of a real variable")
        if state.number in seen:
            raise element.fault(f"{rate.name} is a derivative of itself")
        seen.add(state.number)
        current = state
    if rate.derivative is None:
        raise element.fault(f"{rate.name} does not say which variable it is the derivative of")


def state_of(rate: FmuVariable, version: int, variables: tuple[FmuVariable, ...]) -> FmuVariable:
    """The state that a derivative belongs to."""
    assert rate.derivative is not None
    if version == 2:
        return variables[rate.derivative - 1]
    return next(v for v in variables if v.reference == rate.derivative)
