"""Rows beside rumoca (`pip install rumoca`) and beside right-hand sides written by hand (`tests.bench.hand`).

The same model, tolerance and output times; values at the end are compared before anything is measured.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from acausal.cached import translate as translate_or_take
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.translation import Translation
from tests.bench import modelica
from tests.bench.events import BALL, MODELICA_BALL, MODELICA_RECTIFIER, Work
from tests.bench.hand import HANDS, TOLERANCE, with_scipy, with_sundae
from tests.bench.ladder import ladder_text
from tests.bench.measure import Row, compared
from tests.events.test_reference import RECTIFIER

EXAMPLES = Path(__file__).parents[2] / "examples"
CIRCUIT = """@electrical.lib
model Circuit
  submodel (sinevoltage) U(amplitude=1, f=10/(2*pi))
  submodel (resistor) R(R=1)
  submodel (capacitor) C(C=0.1) (ic u=0)
  submodel (ground) G
  connect G - U - R - C - G
end
"""
LADDER_EQUATIONS = """model Ladder
  parameter R=1, C=1
  local u[{n}] (start=0, fixed=true), i[{n}]
  R*i[1] = 1 - u[1]
  for k = 2 to {n}
    R*i[k] = u[k-1] - u[k]
  endfor
  for k = 1 to {m}
    C*der(u[k]) = i[k] - i[k+1]
  endfor
  C*der(u[{n}]) = i[{n}]
end
"""


@dataclass(frozen=True, slots=True)
class Side:
    """What is measured, and the last value of what it makes."""

    run: Callable[[], Any]
    last: Callable[[Any], float]


def _example(name: str) -> str:
    return (EXAMPLES / f"{name}.mdl").read_text(encoding="utf-8")


def works() -> list[Work]:
    """Those whose simulation alone is compared."""
    return [
        Work("Cartesian pendulum", _example("pendulum"), modelica.PENDULUM, "Pendulum", 10, 0.02, ("x", "x")),
        Work("first-order circuit", CIRCUIT, modelica.CIRCUIT, "Circuit", 10, 0.02, ("C.u", "u")),
        Work("bouncing ball", BALL, MODELICA_BALL, "Ball", 3.5, 0.01, ("h", "h")),
        Work("rectifier", RECTIFIER, MODELICA_RECTIFIER, "Rectifier", 0.1, 1e-4, ("C1.u", "vc1"), 0.1),
    ]


DOUBLE = Work("double pendulum", _example("double_pendulum"), modelica.DOUBLE, "Double", 3, 0.005, ("j1.q", "q1"))


def simulation_rows(rounds: int) -> Iterator[Row]:
    """Simulation alone: compiled beforehand, run again and again."""
    for work in works():
        hand = HANDS[work.name]
        sides: dict[str, Side | None] = {
            "ours": _ours(work),
            "rumoca": _rumoca(work),
            "by hand, scikit-sundae": Side(with_sundae(hand, work.stop, work.interval), float),
            "by hand, SciPy": Side(with_scipy(hand, work.stop, work.interval), float),
        }
        aims = {"rumoca": 1.0, "by hand, scikit-sundae": 1.0, "by hand, SciPy": 10.0}
        yield from _compared(f"{work.name}: simulation", work, sides, aims, rounds)


def pendulum_rows(rounds: int) -> Iterator[Row]:
    """The double pendulum: simulation alone, and text to result."""
    sides = {"ours": _ours(DOUBLE), "rumoca": _rumoca(DOUBLE)}
    yield from _compared("double pendulum: simulation", DOUBLE, sides, {"rumoca": 3.0}, rounds)
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"ACAUSAL_CACHE": "off"}):
        # nothing is kept from run to run: machine code is made anew, too
        whole = {"ours": _from_text(DOUBLE, Path(folder)), "rumoca": _rumoca(DOUBLE, from_text=True)}
        yield from _compared("double pendulum: text to result", DOUBLE, whole, {"rumoca": 1.0}, rounds)
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"ACAUSAL_CACHE": folder}):
        again = {"ours": _from_kept(DOUBLE, Path(folder)), "rumoca": _rumoca(DOUBLE, from_text=True)}
        yield from _compared("double pendulum: text to result, again", DOUBLE, again, {}, rounds)


def ladder_rows(rounds: int) -> Iterator[Row]:
    """1000 cells, text to result: as a circuit of parts, and as equations of arrays."""
    written = LADDER_EQUATIONS.format(n=1000, m=999)
    parts = Work("", ladder_text(1000), modelica.ladder(1000), "Ladder", 10, 0.02, ("C1.u", "C[1].u"))
    equations = Work("", written, modelica.ladder_equations(1000), "Ladder", 10, 0.02, ("u[1]", "u[1]"))
    for name, work, aim in (("circuit", parts, 5.0), ("equations", equations, None)):
        aims = {} if aim is None else {"rumoca": aim}
        with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"ACAUSAL_CACHE": "off"}):
            sides = {"ours": _from_text(work, Path(folder)), "rumoca": _rumoca(work, from_text=True)}
            yield from _compared(f"RC ladder of 1000, {name}: text to result", work, sides, aims, rounds)


# ------------------------------------------------------------------ runs


def _ours(work: Work) -> Side:
    with tempfile.TemporaryDirectory() as folder:
        translation = _translated(work, Path(folder) / "model.mdl")
    return Side(lambda: _simulated(translation, work), lambda result: float(result[work.shown[0]][-1]))


def _from_text(work: Work, folder: Path) -> Side:
    """A file that was never seen before in each run; libraries may stay in the process, as with an import."""
    numbers = count()

    def run() -> Result:
        return _simulated(_translated(work, folder / f"model{next(numbers)}.mdl"), work)

    return Side(run, _ours(work).last)


def _from_kept(work: Work, folder: Path) -> Side:
    """The translation is taken from the cache from the second run on."""
    file = folder / "model.mdl"
    file.write_text(work.text, encoding="utf-8")
    last = _ours(work).last
    return Side(lambda: _simulated(translate_or_take(file), work), last)


def _simulated(translation: Translation, work: Work) -> Result:
    return translation.simulate(stop=work.stop, interval=work.interval, tolerance=TOLERANCE)


def _translated(work: Work, file: Path) -> Translation:
    file.write_text(work.text, encoding="utf-8")
    return translate(file)


def _rumoca(work: Work, *, from_text: bool = False) -> Side | None:
    """None where rumoca is missing."""
    try:
        import rumoca  # type: ignore[import-not-found, unused-ignore]  # optional
    except ImportError:
        return None
    config = rumoca.SimConfig(rtol=TOLERANCE, atol=TOLERANCE)
    made = None if from_text else rumoca.Session().loads(work.modelica, model=work.model)

    def run() -> Any:
        model = made or rumoca.Session().loads(work.modelica, model=work.model)
        return model.simulate(t=(0, work.stop), dt=work.interval, config=config)

    return Side(run, lambda result: float(result.to_dict()["data"][work.shown[1]][-1]))


def _compared(
    title: str, work: Work, sides: dict[str, Side | None], aims: dict[str, float], rounds: int
) -> Iterator[Row]:
    """Measured, if all simulate the same: else the comparison would say nothing."""
    values = {name: side.last(side.run()) for name, side in sides.items() if side is not None}
    mine = values["ours"]
    wrong = {name: value for name, value in values.items() if abs(value - mine) > work.close * max(1.0, abs(mine))}
    if wrong:
        message = f"{title}: ours ends at {mine}, others at {wrong}"
        raise SystemExit(message)
    runs = {name: None if side is None else side.run for name, side in sides.items()}
    yield from compared(title, runs, aims, rounds)
