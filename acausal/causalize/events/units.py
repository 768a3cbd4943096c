"""Functional mock-up units: the number of a running unit is known.

pump.fmu_unit = unit "pump.fmu"     ->     pump.fmu_unit is an input, which the run gives
"""

from dataclasses import replace

from acausal.ir.dae import Dae, UnitInput
from acausal.ir.expr import UNIT
from acausal.ir.external import FmuFile
from acausal.ir.flat import Variable


def take_units(dae: Dae) -> Dae:
    """The system with an input for each unit."""
    found = [e for e in dae.equations if e.right.flags & UNIT]
    if not found:
        return dae
    units = []
    for equation in found:
        file = equation.right.value
        assert isinstance(file, FmuFile)
        units.append(UnitInput(equation.left, file, equation.origin))
    symbols = {u.symbol for u in units}
    return replace(
        dae,
        inputs=(*dae.inputs, *[Variable(u.symbol, "input", "real", u.origin) for u in units]),
        variables=tuple([v for v in dae.variables if v.symbol not in symbols]),
        equations=tuple([e for e in dae.equations if not e.right.flags & UNIT]),
        units=tuple(units),
    )
