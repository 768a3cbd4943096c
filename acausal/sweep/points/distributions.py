"""Distributions of parameters: by name with numbers, as text, or those of `scipy.stats`."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from acausal.base.arguments import wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.given_values import number_of
from acausal.given_number import value_of
from acausal.units.given_quantity import GivenQuantity

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

FORMS = "uniform(LOW, HIGH), loguniform(LOW, HIGH), normal(MEAN, DEVIATION), lognormal(MEDIAN, FACTOR), "
FORMS += "triangular(LOW, MODE, HIGH)"
_TEXT = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
_COUNTS = {"uniform": 2, "loguniform": 2, "normal": 2, "lognormal": 2, "triangular": 3}

Given = str | Sequence[float | str] | Any
"""`"uniform(90, 110)"`, `("uniform", 90, 110)`, or a frozen distribution of `scipy.stats`."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution as `name` with `arguments`, or a frozen one of `scipy.stats` (`frozen`)."""

    name: str
    arguments: tuple[float, ...] = ()
    frozen: Any = None

    def values(self, shares: "Array") -> "Array":
        """Quantiles at these shares between 0 and 1."""
        import numpy as np

        found: Array = np.asarray(self.of_scipy().ppf(shares), dtype=float)
        return found

    def of_scipy(self) -> Any:  # noqa: ANN401 - SciPy has no types
        """The frozen distribution of `scipy.stats`."""
        from scipy import stats

        if self.frozen is not None:
            return self.frozen
        a, b, *more = self.arguments
        if self.name == "uniform":
            return stats.uniform(a, b - a)
        if self.name == "loguniform":
            return stats.loguniform(a, b)
        if self.name == "normal":
            return stats.norm(a, b)
        if self.name == "lognormal":
            from math import log

            return stats.lognorm(log(b), scale=a)
        return stats.triang((b - a) / (more[0] - a), a, more[0] - a)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{x:g}' for x in self.arguments)})" if self.arguments else self.name


def distributions_of(given: Mapping[str, Given], convert: "Callable[[str, float], float]") -> dict[str, Distribution]:
    """The distributions by parameter; UsageError W005 for one that is none.

    `convert` gives the number of a value with a unit for a parameter.
    """
    if not given:
        raise UsageError(Diagnostic("W005", "no parameter is uncertain", help=f'name one: {{"R.R": "{_EXAMPLE}"}}'))
    return {name: distribution_of(name, value, partial(convert, name)) for name, value in given.items()}


_EXAMPLE = "uniform(90, 110)"


def distribution_of(name: str, given: Given, convert: Callable[[float], float]) -> Distribution:
    """The distribution of a parameter; UsageError W005 for what is none."""
    if hasattr(given, "ppf"):
        kind = getattr(getattr(given, "dist", None), "name", type(given).__name__)
        return Distribution(str(kind), (), given)
    if isinstance(given, str):
        found = _TEXT.fullmatch(given)
        if found is None:
            message = f"{name} has no distribution: {given}"
            raise UsageError(Diagnostic("W005", message, help=f"write one of {FORMS}"))
        given = [found[1], *[part.strip() for part in found[2].split(",")]]
    if isinstance(given, Sequence) and given and isinstance(given[0], str):
        return _named(name, given[0], given[1:], convert)
    raise wrong_type(name, f'a distribution such as "{_EXAMPLE}" or one of scipy.stats', given)


def _named(name: str, kind: str, arguments: Sequence[float | str], convert: Callable[[float], float]) -> Distribution:
    if kind not in _COUNTS or len(arguments) != _COUNTS[kind]:
        what = f"unknown distribution {kind}" if kind not in _COUNTS else f"{kind} has {_COUNTS[kind]} values"
        raise UsageError(Diagnostic("W005", f"{name}: {what}", help=f"the distributions are {FORMS}"))
    numbers = [value_of(name, x) if isinstance(x, str) else number_of(name, x) for x in arguments]
    values = tuple([convert(x) for x in numbers])
    if kind == "normal" and isinstance(numbers[1], GivenQuantity):  # of temperatures a difference
        values = values[0], values[1] - convert(numbers[1].zero)
    elif kind == "lognormal":
        if isinstance(numbers[1], GivenQuantity):
            raise UsageError(Diagnostic("W005", f"{name}: the factor of lognormal has no unit: {arguments[1]}"))
        values = values[0], float(numbers[1])
    mistake = _mistake(kind, values)
    if mistake:
        raise UsageError(Diagnostic("W005", f"{name}: {mistake} in {kind}({', '.join(f'{x:g}' for x in values)})"))
    return Distribution(kind, values)


def _mistake(kind: str, values: tuple[float, ...]) -> str | None:
    """Description of a mistake in the numbers of a distribution."""
    first, second, last = values[0], values[1], values[-1]
    if not all(-inf < x < inf for x in values):
        return "a value is not finite"
    if kind == "normal":
        return None if second > 0 else "the deviation is not positive"
    if kind == "lognormal":
        return None if first > 0 and second > 1 else "the median is not positive or the factor not above 1"
    if kind == "loguniform" and first <= 0:
        return "the low value is not positive"
    if kind == "triangular" and not first <= second <= last:
        return "the mode is not between low and high"
    return None if first < last else "the low value is not below the high one"
