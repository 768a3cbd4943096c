"""Solvers by name."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.simulate.solver.integrator import Integrator
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SUNDIALS = ("cvode", "adams", "callback")
"""`callback` is CVODE called through Python, where a model has no machine code or to compare."""
SCIPY = {"rk45": "RK45", "rk23": "RK23", "dop853": "DOP853", "radau": "Radau", "bdf": "BDF", "lsoda": "LSODA"}
"""Names as typed, in lower case, and the classes of scipy.integrate."""


def make_integrator(system: System, y: "Array", settings: Settings) -> Integrator:
    """The solver that the settings name, at its start; `auto` is CVODE, where it is missing SciPy's LSODA.

    UsageError F006 for an unknown name, F007 where scikit-sundae is asked for and missing.
    """
    name = check_solver(settings.solver)
    if not len(y):
        return _without_states(system, y, settings)
    if name in SCIPY:
        return _scipy(system, y, settings, SCIPY[name])
    method = "Adams" if name == "adams" else "BDF"
    direct = None if name == "callback" else _direct(system, y, settings, method)
    if direct is not None:
        return direct
    if system.delays.times:
        if name == "auto":
            return _scipy(system, y, settings, "LSODA")
        hint = f"use auto, or one of {', '.join(SCIPY)}"
        raise UsageError(Diagnostic("R009", f"the solver {name} does not support delays", help=hint))
    try:
        from acausal.simulate.cvode.callbacks import SundialsIntegrator
    except ImportError:
        if name == "auto":
            return _scipy(system, y, settings, "LSODA")
        hint = "pip install scikit-sundae; or use a SciPy solver: --solver lsoda"
        raise UsageError(Diagnostic("F007", f"the solver {name} needs scikit-sundae", help=hint)) from None
    return SundialsIntegrator(system, y, settings, method)


def check_solver(requested: str) -> str:
    """Name of a solver in lower case; UsageError F006 for an unknown one."""
    name = requested.lower().removeprefix("scipy:")
    if name != "auto" and name not in SUNDIALS and name not in SCIPY:
        known = ", ".join(["auto", *SUNDIALS, *SCIPY])
        raise UsageError(Diagnostic("F006", f"unknown solver {requested}", help=f"the solvers are {known}"))
    return name


def _without_states(system: System, y: "Array", settings: Settings) -> Integrator:
    from acausal.simulate.solver.stateless import NoStates, TimeInstance

    if system.address("variables") is None:
        return NoStates(system, y, settings.start)
    from acausal.simulate.cvode.loop_integrator import LoopIntegrator

    return LoopIntegrator("none", TimeInstance(system, settings), (system, y, settings), by_loop=True)


def _direct(system: System, y: "Array", settings: Settings, method: str) -> Integrator | None:
    """CVODE without Python in between, where there is machine code and the library is as expected."""
    if system.address("cvode_slope") is None:
        return None
    from acausal.simulate.jacobian.sundials_library import sundials_library

    library = sundials_library()
    if library is None:
        return None
    from acausal.simulate.cvode.machine_code import DirectIntegrator

    return DirectIntegrator(system, y, settings, method, library)


def _scipy(system: System, y: "Array", settings: Settings, method: str) -> Integrator:
    from acausal.simulate.solver.scipy_solvers.scipy_solver import ScipyIntegrator

    return ScipyIntegrator(system, y, settings, method)
