"""Settings of CVODE, and what its statuses mean."""

AT_ONCE = 5_000
"""Steps in one call: between calls the run is examined, and Python sees whether the user wants to stop."""
TOO_MUCH_WORK = -1
"""CVODE's status behind so many."""
ERROR_FAILURES, CONVERGENCE_FAILURES = 20, 30
"""Failed attempts at one step before CVODE gives up, of its error test and of its Newton iteration.

A failed attempt shortens the step to a tenth or to a quarter. CVODE's own limits (7 and 10) end a run where the step
has to become a millionth of what it was, as where a diode with a time constant of 1 ps begins to conduct or to block
in a circuit that moves in milliseconds. With these, only a step that rounding ends (2^-52 of the step before) does.
"""
CLOSE_CROSSINGS = -22
"""CVODE's status where a crossing stays at zero (it says CV_ILL_INPUT)."""
STOPPED = 1
"""CVODE's status where it stopped at the time beyond which it must not go; it forgets that time then."""
ROOT = 2
"""CVODE's status where it stopped at a crossing."""

NO_SOLUTION = "Newton's method fails to converge at the minimum step size"
STALLED = "the step size falls below the resolution of time"
TOO_INEXACT = "the error test fails at the minimum step size"
WHY = {
    -2: "the tolerance is below the rounding error of double precision",
    -3: TOO_INEXACT,
    -4: NO_SOLUTION,
    -6: STALLED,
    -8: STALLED,
    -9: "the derivatives cannot be evaluated",
    -10: "the derivatives cannot be evaluated",
    -12: "the root functions of the events cannot be evaluated",
}
