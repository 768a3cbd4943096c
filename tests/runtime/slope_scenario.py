"""Runs with slopes in Python."""

from array import array
from typing import Any

import numpy as np

from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.runtime.slope_context import SlopeContext
from acausal.simulate.sensitivities.native_slopes import slope_fields
from acausal.simulate.system.settings import Settings

SLOPES = {
    "slopes": (
        """model M
  parameter a (tunable=true) = 9.81, b (tunable=true) = 0.4
  local h (start=0.3, fixed=true), v (start=0, fixed=true), x (start=1, fixed=true)
  discrete n, top, k
  der(h) = v
  der(v) = -a
  der(x) = -b*x + n
  when h < 0 then
    init(v) = -0.8*v
  endwhen
  when v < 0 then
    new(top) = b*h
  endwhen
  when sample(0.1*b, 0.3*b) then
    new(n) = n + b
  endwhen
  when sample(0.1*b, 0.6*b) then
    new(k) = k + 1
  endwhen
end
""",
        1.2,
    )
}
"""Models with parameters."""


def slope_context(augmented: Augmented, stop: float, most: int) -> SlopeContext:
    """The fields for Python."""
    settings = Settings(0.0, stop, stop / 12, 1e-6, "cvode")
    values: dict[str, Any] = dict(slope_fields(settings, augmented, most))
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            values[name] = array("d" if value.dtype == np.float64 else "q", value.tobytes())
    values["event_slopes"] = np.frombuffer(values["event_slopes"])  # kernels take parts of it
    return SlopeContext(**values)
