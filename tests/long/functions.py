"""CasADi and JAX functions of all examples next to the native code; run where both libraries are installed.

    python -m tests.long.functions

Derivatives at the first instant, and the Jacobian of CasADi next to that of JAX; exit code 1 if any differs.
"""

import sys
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np

import acausal
from acausal.base.diagnostics import ModelError
from tests.collection import EXAMPLES

SAME = 1e-5
"""Nonlinear equations are solved to other tolerances."""
MOST_FOR_JACOBIAN = 1000
"""Instructions: JAX compiles longer ones for minutes."""


def check(path: Any) -> tuple[str, bool]:
    """A line about one example, and whether all agree."""
    jax, casadi = import_module("jax"), import_module("casadi")
    begin = perf_counter()
    translation = acausal.translate(path)
    native, start = translation.derivative, translation.program.experiment.start
    run = translation.simulate(stop=start + 1e-9)
    y = np.array([run[name][0] for name in native.states])
    u = np.zeros(len(native.inputs))
    expected, scale = native(start, y, u), 1.0
    scale = float(np.abs(expected).max()) + 1e-9
    try:
        model, other = translation.to_casadi(), translation.to_jax()
    except ModelError as error:
        return f"{path.name:24s} {error.report.diagnostics[0].message}", True
    found = model.derivative(start, y, u, list(model.arguments.values)).full().ravel()
    again = np.asarray(jax.jit(other.derivative)(start, y, u))
    errors = [float(np.abs(values - expected).max()) / scale for values in (found, again)]
    if len(translation.program.derivatives.code) < MOST_FOR_JACOBIAN:
        dae = model.dae
        jacobian = casadi.Function("J", [dae[k] for k in "txup"], [casadi.jacobian(dae["ode"], dae["x"])])
        one = jacobian(start, y, u, list(model.arguments.values)).full()
        two = np.asarray(jax.jacobian(other.derivative, argnums=1)(start, y, u))
        errors.append(float(np.abs(one - two).max()) / (float(np.abs(two).max()) + 1e-9))
    shown = " ".join([f"{error:.1e}" for error in errors])
    return f"{path.name:24s} {shown}   {perf_counter() - begin:.1f} s", all(error <= SAME for error in errors)


def main() -> int:
    """All examples."""
    import_module("jax").config.update("jax_enable_x64", True)
    failed = 0
    for path in EXAMPLES:
        line, agrees = check(path)
        failed += not agrees
        print(line if agrees else f"{line}   DIFFERS", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
