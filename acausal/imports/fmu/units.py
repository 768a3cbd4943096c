"""Units of a model description, in which values of FMUs are given, and their conversion to SI units.

<Unit name="km/h"><BaseUnit m="1" s="-1" factor="0.2777777777777778"/></Unit>     value in m/s = factor*value + offset
"""

import math

from acausal.base.frozen import record
from acausal.imports.text.elements import Element
from acausal.units.convert import converted, is_affine, si_unit
from acausal.units.dimension import without_scale
from acausal.units.name_unit import name_unit
from acausal.units.parse_unit import UnitError, parse_unit

BASES = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
_MOST = 20
"""Largest exponent of a base unit."""


@record(frozen=True, slots=True)
class Scale:
    """A unit of FMI: SI unit, and the factor and the offset that convert to it."""

    unit: str
    factor: float = 1.0
    offset: float = 0.0


def unit_definitions(root: Element) -> dict[str, Scale]:
    """The units that have a definition in base units; ModelError for exponents and factors that are none."""
    found: dict[str, Scale] = {}
    for definitions in root.all("UnitDefinitions"):
        for unit in definitions.all("Unit"):
            name = unit.attributes.get("name", "")
            for base in unit.all("BaseUnit"):
                if name in found:
                    raise unit.fault(f"the unit {name!r} is defined twice")
                found[name] = _scale(name, base)
    return found


def _scale(name: str, base: Element) -> Scale:
    factor, offset = [_number(base, key, default) for key, default in (("factor", 1.0), ("offset", 0.0))]
    if factor == 0.0:
        raise base.fault(f"the factor of the unit {name!r} is 0")
    powers = {key: _exponent(base, key) for key in BASES}
    text = "*".join([f"{key}^({e})" if e < 0 else f"{key}^{e}" for key, e in powers.items() if e])
    return Scale(_readable(name, text, factor, offset), factor, offset)


def _readable(name: str, text: str, factor: float, offset: float) -> str:
    """The unit's own name where it is known here and means the same, else base units."""
    wanted = parse_unit(text or "1").dimension
    if factor == 1.0 and offset == 0.0:
        try:
            if parse_unit(name).dimension is wanted and not is_affine(name):
                return name
        except UnitError:
            pass
    return text if "rad" in text else name_unit(wanted)


def named_scale(name: str) -> Scale | None:
    """A unit without definition whose name is known here; None for any other."""
    try:
        unit, wanted = parse_unit(name), si_unit(name)
        offset = converted("0", "", name, wanted)
        factor = converted("1", "", name, wanted) - offset
    except (UnitError, ValueError):
        return None
    same = without_scale(unit.dimension) is unit.dimension and offset == 0.0
    return Scale(name) if same else Scale(wanted, factor, offset)


def _number(element: Element, key: str, default: float) -> float:
    text = element.attributes.get(key)
    try:
        value = default if text is None else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise element.fault(f"{key}={text!r} is not a finite number")
    return value


def _exponent(element: Element, key: str) -> int:
    text = element.attributes.get(key, "0")
    if not text.strip().lstrip("+-").isdecimal() or len(text) > 4 or abs(int(text)) > _MOST:
        raise element.fault(f"{key}={text[:20]!r} is not an exponent from -{_MOST} to {_MOST}")
    return int(text)
