"""Requests for sensitivities: names of parameters and variables, and the run."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.arguments import as_names, wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.near_names import unknown_name
from acausal.base.options import SimulateOptions
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.simulate.inputs.inputs import InputValue

SHOWN = 6
"""Names that a message lists at most."""


@dataclass(frozen=True, slots=True)
class SensitivityRequest:
    """Names of `parameters` and `variables` (None: all), and `times` of rows (None: those of the run).

    Of `integrals` integrals over the run are further variables.
    """

    parameters: tuple[str, ...]
    variables: tuple[str, ...] | None
    times: tuple[float, ...] | None
    integrals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SensitivityRun:
    """The run of a request: its options, the values `given` to parameters, and those of inputs."""

    options: SimulateOptions
    given: dict[str, float]
    inputs: "Mapping[str, InputValue] | None"


def sensitivity_request(parameters: object, variables: object, times: object) -> SensitivityRequest:
    """The request from arguments of Python; UsageError F006 for what does not fit."""
    names = _different("parameters", as_names("parameters", parameters))
    if not names:
        raise UsageError(
            Diagnostic("F006", "no parameters are named", help='name at least one: ["R.R"], or --parameters R.R')
        )
    chosen = None if variables is None else _different("variables", as_names("variables", variables))
    return SensitivityRequest(names, chosen, None if times is None else _times(times))


def _different(what: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise UsageError(Diagnostic("F006", f"{twice} is listed twice among the {what}"))
    return names


def _times(times: object) -> tuple[float, ...]:
    import numpy as np

    try:
        found = tuple(np.asarray(times, dtype=float).ravel().tolist())
    except (TypeError, ValueError):
        raise wrong_type("times", "increasing numbers", times) from None
    if not found or not all(map(isfinite, found)) or any(b <= a for a, b in pairwise(found)):
        raise wrong_type("times", "increasing numbers", times)
    return found


def parameter_places(program: Program, names: Sequence[str]) -> tuple[int, ...]:
    """Positions in p; UsageError F005 for a name that is not that of a parameter."""
    known = {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)}
    return tuple([known[_known("parameter", name, known)] for name in names])


def variable_symbols(program: Program, names: Sequence[str] | None) -> tuple[Symbol, ...]:
    """Symbols of variables; UsageError F005 for an unknown one."""
    if names is None:
        return tuple([slot.symbol for slot in program.variable_slots])
    known = {show_derivative(*slot.symbol): slot.symbol for slot in program.variable_slots}
    return tuple([known[_known("variable", name, known)] for name in names])


def _known(what: str, name: str, known: Collection[str]) -> str:
    if name in known:
        return name
    raise unknown_name(what, name, known)
