"""Impacts in and beside dead centers of slider-cranks, parallelograms and a five-bar, and passages with rows far apart.

The cases were found by `python -m tests.long "branches, impacts"`; all but those of R016 were wrong without a message.
"""

import numpy as np
import pytest

from tests.branches.struck import outcome, struck

BOTH = "right or R016"
CASES = (
    ("in line", 1e-3, 0.11, "adams", 1e-3, 0.05, "right"),
    ("in line", 1e-5, 2.0, "adams", 1e-3, 0.3, "right"),
    ("in line", -1.136536360841537e-05, -0.15, "adams", 1e-3, 0.01, "right"),
    ("in line", 0.1, -0.05, "cvode", 1e-8, 0.05, "right"),
    ("in line", 0.1, -0.05, "adams", 1e-6, 0.3, "right"),
    ("in line", 0.0, 0.02, "cvode", 1e-6, 0.05, "right"),
    ("2 parallelograms", 1e-9, 0.05, "cvode", 1e-6, 0.3, "right"),
    ("2 parallelograms", -1e-6, 0.3, "dop853", 1e-5, 0.05, "right"),
    ("2 parallelograms", 0.0, 0.0, "radau", 1e-4, 0.05, "R016"),
    ("folding", -9.0, 0.9, "dop853", 1e-5, 0.5, "right"),
    ("folding", -9.0, 0.9, "rk45", 1e-6, 0.3, "right"),
    ("folding, with a delay", -9.0, 0.9, "cvode", 1e-6, 0.5, "right"),
    ("folding, with a delay", -9.0, 0.9, "adams", 1e-6, 0.5, "right"),
    ("folding, with a delay", -9.0, 0.9, "lsoda", 1e-5, 0.5, "right"),
    ("folding", -1e-3, 0.999, "dop853", 1e-5, 0.3, "right"),
    ("folding", -1e-5, 0.999, "bdf", 1e-4, 0.01, "R016"),
    ("folding", -1.7e-12, 0.0, "dop853", 1e-4, 0.05, "R016"),
    ("folding", 0.012700777908892727, 0.01, "cvode", 1e-4, 0.01, BOTH),
    ("folding", 0.012700777908892727, 0.01, "adams", 1e-3, 0.01, BOTH),
    ("folding", 0.01, 0.999, "bdf", 1e-4, 0.3, BOTH),
    ("4 parallelograms", 0.0, -0.15, "cvode", 1e-5, 0.01, BOTH),
)


@pytest.mark.parametrize("case", CASES)
def test_impacts_beside_centers(case: tuple[str, float, float, str, float, float, str]) -> None:
    """Adams' method at 1e-3 passed on to the other branch; in slow bounces rounding errors were extrapolated.

    States of SciPy's solvers, and with delays, were judged at output times alone: the
    five-bar had up to 500 times its energy. A slow one whose states changed beside the center gained 0.66 J there;
    four parallelograms got a speed of -5e9 rad/s, and the run did not come to an end.
    """
    *run, expected = case
    assert outcome(*run) in expected


@pytest.mark.parametrize(("distance", "solver", "tolerance"), [(1e-15, "adams", 1e-4), (0.0, "rk45", 1e-5)])
def test_rows_of_bounces_in_a_center(distance: float, solver: str, tolerance: float) -> None:
    """Rows of the last events in the center: angles were off by 0.12 rad, speeds by 12 rad/s and 2e12 rad/s.

    The crank goes 12 um between the events, in steps near to the resolution of time: points of the branch do not tell
    the rates from which rows begin, the nodes of the derivatives do.
    """
    given = {"distance": distance, "factor": -0.15}
    r = struck("1 parallelograms").simulate(solver=solver, tolerance=tolerance, interval=0.05, parameters=given)
    in_center = np.abs(r["r0.q"] + np.pi / 2) < 1e-12
    assert in_center.sum() >= 7
    for name, sign in (("r1", 1), ("c1", -1)):
        assert np.abs(np.sin(r[f"{name}.q"] - sign * r["r0.q"])).max() < 1e-9
        assert np.abs(r[f"{name}.w"] - sign * r["r0.w"]).max() < 1e-9
