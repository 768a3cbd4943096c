"""Designs of experiments: points that fill the ranges of several parameters with far fewer runs than a grid.

A design gives shares between 0 and 1; a parameter has a range LOW:HIGH, LOW:HIGH:log, or a distribution, whose
quantiles at these shares are its values. The same seed gives the same points.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from acausal.base.arguments import as_count, as_text
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.sweep.points.distributions import FORMS, Distribution, distribution_of
from acausal.sweep.points.ranges import too_many

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

GRID, LATIN_HYPERCUBE, SOBOL = "grid", "lhs", "sobol"
DESIGNS = (GRID, LATIN_HYPERCUBE, SOBOL)
SAMPLES = 100
_SPAN = "with this design a parameter has a range LOW:HIGH or LOW:HIGH:log, or a distribution: "


@dataclass(frozen=True, slots=True)
class Design:
    """The kind of a design, its number of runs and its seed; a grid has all combinations of the values."""

    kind: str = GRID
    samples: int = SAMPLES
    seed: int = 1


COMBINATIONS: Final = Design()


def design_of(kind: object, samples: object, seed: object) -> Design:
    """From the arguments of a call; UsageError F006 for what does not fit."""
    name = as_text("design", kind)
    if name not in DESIGNS:
        raise UsageError(Diagnostic("F006", f"unknown design {name}", help=f"the designs are {', '.join(DESIGNS)}"))
    if name == GRID and samples is not None:
        hint = "choose a design: lhs (Latin hypercube) or sobol; a grid has the combinations of all values"
        raise UsageError(Diagnostic("F006", "a grid has no number of samples", help=hint))
    return Design(name, SAMPLES if samples is None else as_count("samples", samples), as_count("seed", seed))


def sampled(
    design: Design, spans: Mapping[str, Any], most: int, convert: Callable[[str, float], float]
) -> list[tuple[float, ...]]:
    """A row of values for each run; UsageError W001, W005 for what is no range, LimitError W003 above `most` runs."""
    if design.samples > most:
        raise too_many(design.samples, most)
    distributions = [_distribution(name, span, partial(convert, name)) for name, span in spans.items()]
    make = sobol_points if design.kind == SOBOL else latin_hypercube
    shares = make(design.samples, len(distributions), design.seed)
    columns = [found.values(shares[:, k]).tolist() for k, found in enumerate(distributions)]
    return list(zip(*columns, strict=True))


def _distribution(name: str, span: Any, convert: Callable[[float], float]) -> Distribution:  # noqa: ANN401 - as given
    if not isinstance(span, str):
        if isinstance(span, tuple | list) and not (span and isinstance(span[0], str)):
            raise UsageError(Diagnostic("W001", f"{name} has values, not a range", help=_SPAN + FORMS))
        return distribution_of(name, span, convert)
    if "(" in span:
        return distribution_of(name, span, convert)
    low, *others = [part.strip() for part in span.split(":")]
    is_log = others[1:] == ["log"]
    if len(others) != 1 and not is_log:
        raise UsageError(Diagnostic("W001", f"{name}={span} is not a range", help=_SPAN + FORMS))
    return distribution_of(name, ("loguniform" if is_log else "uniform", low, others[0]), convert)


def sobol_points(count: int, dimensions: int, seed: int) -> "Array":
    """Points of the Sobol sequence in the unit cube (count, dimensions), shifted at random.

    Shift modulo 1: R. Cranley, T. N. L. Patterson, SIAM Journal on Numerical Analysis 13, 1976.
    """
    import warnings

    import numpy as np
    from scipy.stats import qmc

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The balance properties", UserWarning)  # of other counts than powers of 2
        found = qmc.Sobol(dimensions, scramble=False).random(count)
    shift = np.random.default_rng(seed).random(dimensions)
    return _inside((found + shift) % 1.0)


def latin_hypercube(count: int, dimensions: int, seed: int) -> "Array":
    """Points in the unit cube (count, dimensions): each of `count` equal intervals of a coordinate has one point.

    M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21, 1979, section 2.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    cells = np.column_stack([generator.permutation(count) for _ in range(dimensions)])
    return _inside((cells + generator.random((count, dimensions))) / count)


def _inside(shares: "Array") -> "Array":
    """Without 0 and 1, where quantiles may be infinite."""
    import numpy as np

    found: Array = np.clip(shares, np.finfo(float).tiny, 1.0 - 2**-53)
    return found
