"""Variables of a model description."""

import math

from acausal.base.options import Limits
from acausal.imports.fmu.description import OTHERS, SCALARS, FmuVariable
from acausal.imports.fmu.units import Scale, named_scale, unit_definitions
from acausal.imports.text.elements import Element

LONGEST_NAME = 1000
MOST_REFERENCE = 2**32 - 1
_CAUSALITIES = (
    *("parameter", "calculatedParameter", "structuralParameter"),
    *("input", "output", "local", "independent", "dependent"),
)
_VARIABILITIES = ("constant", "fixed", "tunable", "discrete", "continuous")
_INITIAL = ("exact", "approx", "calculated")
_TRUTHS = {"true": 1.0, "1": 1.0, "false": 0.0, "0": 0.0}


def read_variables(root: Element, version: int, limits: Limits) -> tuple[FmuVariable, ...]:
    """All variables in their order; ModelError F050 for one that is not valid."""
    found = next(root.all("ModelVariables"), None)
    if found is None:
        raise root.fault("the model description has no <ModelVariables>")
    reading = _Reading(root, version, limits, found)
    return tuple([reading.variable(number, element) for number, element in enumerate(found.children, 1)])


class _Reading:
    """Context of variables: types, units and dimensions that they refer to, names that were met."""

    def __init__(self, root: Element, version: int, limits: Limits, variables: Element) -> None:
        self.version, self.limits = version, limits
        self.units = unit_definitions(root)
        self.types = {
            kind.attributes.get("name", ""): kind.children[0] if version == 2 and kind.children else kind
            for types in root.all("TypeDefinitions")
            for kind in types.children
        }
        self.names: dict[str, Element] = {}
        self.elements = 0
        self.sizes = {
            e.attributes.get("valueReference", ""): e
            for e in variables.children
            if e.attributes.get("causality") == "structuralParameter" or e.attributes.get("variability") == "constant"
        }

    def variable(self, place: int, element: Element) -> FmuVariable:
        """One variable; in FMI 2 its type is an element of its own."""
        kind = element
        if self.version == 2:
            if element.tag != "ScalarVariable" or not element.children:
                raise element.fault(f"<{element.tag}> is not a variable", "a <ScalarVariable> contains its type")
            kind = next((c for c in element.children if c.tag != "Annotations"), element)
        if kind.tag not in SCALARS and kind.tag not in OTHERS:
            raise kind.fault(f"<{kind.tag[:40]}> is not a type of FMI {self.version}")
        name = text(element, "name", LONGEST_NAME)
        if name in self.names:
            raise element.fault(f"the variable {name} is declared twice", None, self.names[name])
        self.names[name] = element
        real = SCALARS.get(kind.tag) == "real"
        causality = choice(element, "causality", _CAUSALITIES, "local")
        usual = "fixed" if "arameter" in causality else "continuous" if real else "discrete"
        variability = choice(element, "variability", _VARIABILITIES, usual)
        shape = self._shape(element)
        about = self.types.get(kind.attributes.get("declaredType", ""))
        derivative = kind.attributes.get("derivative")
        return FmuVariable(
            name,
            place,
            whole(element, "valueReference", MOST_REFERENCE),
            kind.tag,
            causality,
            variability,
            choice(element, "initial", _INITIAL, _usual_initial(causality, variability)),
            shape,
            self._starts(kind, shape) if kind.tag in SCALARS else (),
            self._unit(kind, about) if real else None,
            self._bound("min", kind, about),
            self._bound("max", kind, about),
            self._bound("nominal", kind, about),
            element.attributes.get("description", ""),
            None if derivative is None else whole(kind, "derivative", MOST_REFERENCE),
            "clocks" in element.attributes,
        )

    def _shape(self, element: Element) -> tuple[int, ...]:
        sizes = []
        for dimension in element.all("Dimension"):
            size = dimension
            if "start" not in dimension.attributes:
                reference = dimension.attributes.get("valueReference", "")
                if reference not in self.sizes:
                    raise dimension.fault("the dimension refers to no structural parameter")
                size = self.sizes[reference]
            sizes.append(whole(size, "start", MOST_REFERENCE))
        count = math.prod(sizes)
        self.elements += count
        if count > self.limits.array_size or self.elements > self.limits.scalars:
            message = f"the array has {count} elements, at most {self.limits.array_size} are allowed"
            raise element.fault(message, "raise the limit with --limit array_size=NUMBER")
        return tuple(sizes)

    def _starts(self, kind: Element, shape: tuple[int, ...]) -> tuple[float, ...]:
        given = kind.attributes.get("start")
        if given is None:
            return ()
        words = given.split()
        values = [_TRUTHS.get(w) if kind.tag == "Boolean" else _finite(w) for w in words]
        if SCALARS[kind.tag] == "integer":
            values = [v if v is not None and v == int(v) else None for v in values]
        found = [v for v in values if v is not None]
        count = math.prod(shape)
        if len(found) != len(words) or len(found) not in (1, count) or not found:
            message = f"start={given[:40]!r} is not a start value"
            raise kind.fault(message, f"it has {count} finite values of the type {kind.tag}")
        return tuple(found) if len(found) == count else tuple(found) * count

    def _unit(self, kind: Element, about: Element | None) -> Scale | None:
        name = kind.attributes.get("unit") or ("" if about is None else about.attributes.get("unit", ""))
        return (self.units.get(name) or named_scale(name)) if name else None

    def _bound(self, key: str, kind: Element, about: Element | None) -> float | None:
        given = kind if key in kind.attributes else about
        words = [] if given is None else given.attributes.get(key, "").split()
        return _finite(words[0]) if len(words) == 1 else None


def _usual_initial(causality: str, variability: str) -> str:
    """The default of FMI for `initial`."""
    if causality in ("parameter", "structuralParameter", "input") or variability == "constant":
        return "exact"
    return "calculated"


def _finite(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in word else None


def text(element: Element, key: str, most: int) -> str:
    """An attribute that must be there."""
    found = element.attributes.get(key)
    if found is None:
        raise element.fault(f"<{element.tag[:40]}> has no attribute {key}")
    if not found or len(found) > most or not found.isprintable():
        raise element.fault(f"{key}={found[:40]!a} is not valid")
    return found


def choice(element: Element, key: str, known: tuple[str, ...], default: str) -> str:
    """One of several words."""
    found = element.attributes.get(key, default)
    if found not in known:
        raise element.fault(f"{key}={found[:40]!a} is not valid", f"known: {', '.join(known)}")
    return found


def whole(element: Element, key: str, most: int) -> int:
    """A number without sign."""
    found = text(element, key, 20)
    if not (found.isascii() and found.isdecimal()) or int(found) > most:
        raise element.fault(f"{key}={found!a} is not a number from 0 to {most}")
    return int(found)


def number(element: Element, key: str) -> float | None:
    """A finite number, or None without the attribute."""
    found = element.attributes.get(key)
    value = None if found is None else _finite(found)
    if found is not None and value is None:
        raise element.fault(f"{key}={found[:40]!a} is not a finite number")
    return value


def flag(element: Element, key: str, *, default: bool) -> bool:
    """A truth value."""
    found = element.attributes.get(key)
    if found is not None and found not in _TRUTHS:
        raise element.fault(f"{key}={found[:40]!a} is neither true nor false")
    return default if found is None else _TRUTHS[found] == 1.0
