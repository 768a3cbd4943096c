"""Models of the tests of FMUs."""

from collections.abc import Mapping
from functools import cache

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions

BALL = """
model Ball
  parameter e(tunable=true, min=0, max=1) = 0.7 "restitution", g(unit="m/s^2") = 9.81, doubled = 2*g
  parameter integer count = 3
  parameter boolean is_on = true
  parameter string shape = "box & \\"ball\\""
  parameter mass(unit="kg") = 1
  input f(unit="N", start=0.5)
  output height(unit="mm"), pair[2]
  local h(start=1, fixed=true, unit="m", nominal=2), v(start=0, fixed=true), other
  discrete integer bounces(start=0)
  local boolean is_low
  mass*der(h) = mass*v
  der(v) = -g + f/(mass + 1)
  height = 1000*h + count - 3
  pair = [h; 3*v]
  other = h
  is_low = h < 0.5
  when h < 0 then
    init(v) = -e*v
    new(bounces) = bounces + 1
  endwhen
  experiment (stop=1, interval=0.01, tolerance=1e-6)
end
"""


@cache
def ball_sources(version: int, kind: str = "both") -> Mapping[str, str | bytes]:
    """The files of its archive without binaries."""
    return fmu_files(ball()._model, "ball", TargetOptions(source_only=True, kind=kind), version)


@cache
def ball() -> acausal.Translation:
    """A bouncing ball with parameters, inputs and outputs of all kinds."""
    return acausal.translate(BALL)
