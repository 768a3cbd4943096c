"""Solvers by name."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.simulate.solver.integrator import Integrator
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SUNDIALS = ("cvode", "adams")
SCIPY = {"rk45": "RK45", "rk23": "RK23", "dop853": "DOP853", "radau": "Radau", "bdf": "BDF", "lsoda": "LSODA"}
"""Names as typed, in lower case, and the classes of scipy.integrate."""


def make_integrator(system: System, y: "Array", settings: Settings) -> Integrator:
    """The solver that the settings name, at its start; `auto` is CVODE, where it is missing SciPy's LSODA.

    UsageError F006 for an unknown name, F007 where CVODE is asked for and missing.
    """
    name = check_solver(settings.solver)
    if not len(y):
        return _without_states(system, y, settings)
    if name in SCIPY:
        return _scipy(system, y, settings, SCIPY[name])
    direct = _direct(system, y, settings, "Adams" if name == "adams" else "BDF")
    if direct is not None:
        return direct
    if name == "auto":
        return _scipy(system, y, settings, "LSODA")
    raise _missing(system, name)


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
    """CVODE; None where the model has no machine code, or the library is missing or not as expected."""
    if system.address("cvode_slope") is None:
        return None
    from acausal.simulate.jacobian.sundials_library import sundials_library

    library = sundials_library()
    if library is None:
        return None
    from acausal.simulate.cvode.machine_code import DirectIntegrator

    return DirectIntegrator(system, y, settings, method, library)


def _missing(system: System, name: str) -> UsageError:
    """F007 with what CVODE lacks."""
    from acausal.simulate.jacobian.sundials_library import is_installed

    scipy = "use a solver of SciPy: --solver lsoda"
    if system.address("cvode_slope") is None:
        message, hint = f"the solver {name} needs machine code, which this model has not", scipy
    elif is_installed():
        message = f"the solver {name} needs the SUNDIALS library in scikit-sundae, which is missing or another version"
        hint = f"pip install --force-reinstall scikit-sundae; or {scipy}"
    else:
        message, hint = f"the solver {name} needs scikit-sundae", f"pip install scikit-sundae; or {scipy}"
    return UsageError(Diagnostic("F007", message, help=hint))


def _scipy(system: System, y: "Array", settings: Settings, method: str) -> Integrator:
    from acausal.simulate.solver.scipy_solvers.scipy_solver import ScipyIntegrator

    return ScipyIntegrator(system, y, settings, method)
