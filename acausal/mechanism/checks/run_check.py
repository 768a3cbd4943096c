"""All balances of a run: power at the nodes of the model, power, forces and momentum of its mechanism."""

from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.analyses.power.balance import PowerBalance, power_balance
from acausal.analyses.power.run_values import indices
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.flat import FlatModel, Parameter
from acausal.ir.names import show_name
from acausal.mechanism.checks.power_balance import EnergyCheck, check_energy
from acausal.mechanism.extract import mechanism_in
from acausal.mechanism.model import Mechanism

if TYPE_CHECKING:
    from acausal.results.result import Result

REGROUPED = "_regrouped"
"""End of the names of the libraries whose cuts do not carry the forces of the joints."""


@dataclass(frozen=True, slots=True)
class RunCheck:
    """Balances of a run: `power` at nodes, and those of the `mechanism`, None for a model without joints."""

    power: PowerBalance
    mechanism: EnergyCheck | None

    @property
    def imbalance(self) -> float:
        """The largest imbalance of power as a share of the largest power; small where it is rounding."""
        return max(self.power.imbalance, 0.0 if self.mechanism is None else self.mechanism.imbalance)

    @property
    def holds(self) -> bool:
        """True if everything balances to rounding; also where no cut carries a power."""
        return self.power.holds and (self.mechanism is None or self.mechanism.holds)


def check_run(flat: FlatModel, result: "Result") -> RunCheck:
    """The balances of a run that has all variables; UsageError F006 as for `need_checkable`."""
    need_checkable(flat)
    mechanism = mechanism_in(replace(flat, parameters=tuple([_of_run(p, result) for p in flat.parameters])))
    found = None if mechanism is None else check_energy(mechanism, result)
    return RunCheck(power_balance(flat, result), found)


def _of_run(parameter: Parameter, result: "Result") -> Parameter:
    """A parameter with the value of a run."""
    name, value = show_name(parameter.symbol.name), parameter.value
    if isinstance(value, tuple):
        names = [show_name((*parameter.symbol.name, *index)) for index in indices(parameter.symbol.shape)]
        of_run = tuple([_value(n, x, result) for n, x in zip(names, value, strict=True)])
        return parameter if of_run == value else replace(parameter, value=of_run)
    of_run_scalar = _value(name, value, result) if isinstance(value, float) else value
    return parameter if of_run_scalar == value else replace(parameter, value=of_run_scalar)


def _value(name: str, value: float | str, result: "Result") -> float | str:
    column = None if isinstance(value, str) else result.parameters.get(name)
    return value if column is None else float(column.values(result.time[:1], result.stored[:1])[0])


def need_checkable(flat: FlatModel) -> None:
    """UsageError F006 for a model whose mechanism has cuts that do not carry the forces of the joints."""
    found = mechanism_in(flat)
    if found is not None:
        need_forces(found, "this check")


def need_forces(mechanism: Mechanism, what: str) -> None:
    """UsageError F006 for libraries whose cuts do not carry the forces of the joints."""
    if mechanism.library.endswith(REGROUPED):
        plain = mechanism.library.removesuffix(REGROUPED)
        message = f"the cuts of {mechanism.library}.lib do not carry the forces of the joints"
        raise UsageError(Diagnostic("F006", message, help=f"include @{plain}.lib for {what}"))
