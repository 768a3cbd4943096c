"""Derivatives of an FMU: exact ones, along a seed, backwards, by parameters and start values."""

import ctypes
from math import exp
from pathlib import Path

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.importer import OK, Bool, Double, Fmu, Instance, Size


def test_directional_derivatives(instance: Instance) -> None:
    instance.initialize()
    references = instance.fmu.references
    unknowns = (ctypes.c_uint32 * 2)(references["der(v)"], references["height"])
    knowns = (ctypes.c_uint32 * 2)(references["f"], references["h"])
    found = (Double * 2)()
    seed = (Double * 2)(1.0, 2.0)
    arguments = unknowns, Size(2), knowns, Size(2), seed, Size(2), found, Size(2)
    assert instance.call("GetDirectionalDerivative", *arguments) == OK
    assert list(found) == pytest.approx([0.5, 2000.0], rel=1e-8)


def derivative(made: Instance, function: str, unknowns: str, knowns: str, *seed: float) -> list[float]:
    """Derivatives of some variables by others, along a seed or backwards."""
    references = [[made.fmu.references[name] for name in names.split()] for names in (unknowns, knowns)]
    count = len(references[1] if function == "GetAdjointDerivative" else references[0])
    found = (Double * count)()
    lists = [item for each in references for item in ((ctypes.c_uint32 * len(each))(*each), Size(len(each)))]
    arguments = *lists, (Double * len(seed))(*seed), Size(len(seed)), found, Size(count)
    assert made.call(function, *arguments) == OK
    return list(found)


def test_adjoint_derivatives(instance: Instance) -> None:
    instance.initialize()
    found = derivative(instance, "GetAdjointDerivative", "der(v) height pair", "f h", 2.0, 3.0, 5.0, 7.0)
    assert found == pytest.approx([2.0 * 0.5, 3.0 * 1000.0 + 5.0], rel=1e-8)


def test_derivatives_by_parameters_and_start_values(instance: Instance) -> None:
    no, zero = Bool(False), Double(0.0)
    assert instance.call("EnterInitializationMode", no, zero, zero, no, zero) == OK
    found = derivative(instance, "GetDirectionalDerivative", "der(v) doubled height", "g h", 1.0, 0.5)
    assert found == pytest.approx([-1.0, 2.0, 500.0], rel=1e-8)
    assert instance.call("ExitInitializationMode") == OK
    assert derivative(instance, "GetDirectionalDerivative", "der(v)", "g", 1.0) == pytest.approx([-1.0], rel=1e-8)
    assert instance.get("g") == [9.81]


BLOCK = """
model Block
  parameter k(tunable=true) = 1e-3
  local x(start=0.3, fixed=true), z(start=1, fixed=true), w
  der(x) = z - k*exp(5*x)
  der(z) = -x*z + w
  w^3 + w = x
end
"""


def test_derivatives_along_states_are_exact(tmp_path: Path) -> None:
    files = fmu_files(acausal.translate(BLOCK)._model, "block", TargetOptions(source_only=True, kind="me"), 3)
    made = Fmu(tmp_path, ("-O0",), files).model_exchange().initialize()
    w = 0.3
    for _ in range(50):
        w -= (w**3 + w - 0.3) / (3.0 * w**2 + 1.0)
    unknowns = (ctypes.c_uint32 * 2)(*[made.fmu.references[name] for name in ("der(x)", "der(z)")])
    known, seed, found = ctypes.c_uint32(made.fmu.references["x"]), Double(2.0), (Double * 2)()
    arguments = unknowns, Size(2), ctypes.byref(known), Size(1), ctypes.byref(seed), Size(1), found, Size(2)
    assert made.call("GetDirectionalDerivative", *arguments) == OK
    expected = [-2.0 * 5e-3 * exp(1.5), 2.0 * (-1.0 + 1.0 / (3.0 * w**2 + 1.0))]
    assert list(found) == pytest.approx(expected, rel=1e-14)
    made.free()
