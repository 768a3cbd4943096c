"""Small models of library classes with what their variables must be over time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from acausal.results.result import Result

Curve = Callable[[np.ndarray], np.ndarray]
GROUND = "submodel (ground) G"


@dataclass(frozen=True, slots=True)
class Example:
    """The items of a model, and its variables as functions of time; `within` is a share of each one's range."""

    body: str
    expected: Mapping[str, Curve]
    stop: float = 2.0
    within: float = 1e-6


def flat(value: float) -> Curve:
    """A constant."""
    return lambda t: np.full_like(t, value)


def solved(slope: Callable[..., object], start: list[float], stop: float) -> Callable[[np.ndarray], np.ndarray]:
    """All states of a right-hand side written by hand, by DOP853 at 1e-11; Radau where it is stiff is not needed."""
    found = solve_ivp(slope, (0, stop), start, "DOP853", rtol=1e-11, atol=1e-12, dense_output=True)
    return lambda t: found.sol(np.clip(t, 0, stop))  # type: ignore[no-any-return]


def run(libraries: str, body: str, folder: Path, stop: float, tolerance: float = 1e-9) -> Result:
    """The result of a model; its units must hold."""
    file = folder / "m.mdl"
    included = "".join(f"@{name}.lib\n" for name in libraries.split())
    file.write_text(f"{included}model M\n{body}\nend\n", encoding="utf-8")
    translation = translate(file)
    assert [d.message for d in translation.report.diagnostics if d.code.startswith("U")] == []
    return translation.simulate(stop=stop, tolerance=tolerance)


def compare(libraries: str, example: Example, folder: Path) -> None:
    """Runs an example and compares each variable, jumps left out."""
    result = run(libraries, example.body, folder, example.stop)
    time = np.asarray(result.time)
    for variable, curve in example.expected.items():
        exact = curve(time)
        span = max(np.ptp(exact), np.abs(exact).max()) or 1.0
        smooth = np.abs(curve(time + 1e-7) - curve(time - 1e-7)) < 1e-3 * span
        assert smooth.sum() > 0.9 * len(time), "most of the points are between jumps"
        assert np.abs(result[variable] - exact)[smooth].max() < example.within * span, variable
