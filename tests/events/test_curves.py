"""Relations on curves through points: a solver that nothing limits steps over their peaks, and none may be lost."""

import pytest

from acausal import translate

PEAKS = 12
WIDTHS = {"even": 0.5, "narrow": 1e-3, "hair": 1e-6}
"""Half the width of a peak, whose neighbors are 1 apart."""


@pytest.mark.parametrize("solver", ["auto", "dop853", "lsoda"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("argument", ["x", "x + 0.5*sin(x) - 0.5*s"])
def test_every_peak_is_seen(width: str, solver: str, argument: str) -> None:
    """A table that is 1 at 1, 2, 3 ... and 0 around: the relation becomes true once for each."""
    half = WIDTHS[width]
    xs, ys = [0.0], [0.0]
    for k in range(1, PEAKS + 1):
        xs += [k - half, float(k)] if half < 0.5 else [k - 0.5, float(k)]
        ys += [0.0, 1.0]
        if half < 0.5:
            xs, ys = [*xs, k + half], [*ys, 0.0]
    model = translate(
        "model M\n local x (start=0, fixed=true), s (start=0, fixed=true), y\n discrete n (start=0)\n"
        f" der(x) = 1\n der(s) = cos(x)\n y = interp({argument}, {xs}, {ys})\n"
        " when y > 0.75 then\n  new(n) = n + 1\n endwhen\nend",
        cache=False,
    )
    result = model.simulate(stop=PEAKS + 0.4, interval=PEAKS + 0.4, solver=solver)
    assert result["n"][-1] == PEAKS
