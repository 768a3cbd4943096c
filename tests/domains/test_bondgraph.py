"""Bond graphs against the equations of what they are drawn for."""

from pathlib import Path

import numpy as np
import pytest

from tests.domains.examples import Example, compare, flat, solved

MOTOR = """
submodel (SE1) U(E0=12)
submodel (R1) Ra(R=0.5), d(R=0.01)
submodel (I1) La(I=0.02) (ic f=0), J(I=0.05) (ic f=0)
submodel (bond) b1, b2
submodel (GY) k(r=0.3)
node current, speed, x, y
connect U at current, Ra at current, La at current, b1 at (current, x), k at (x, y), b2 at (y, speed),
  J at speed, d at speed
"""


def motor(_: float, y: np.ndarray) -> list[float]:
    """Armature current and speed."""
    i, w = y
    return [(12 - 0.5 * i - 0.3 * w) / 0.02, (0.3 * i - 0.01 * w) / 0.05]


EXAMPLES = {
    "SE R C I at a 0-junction": Example(
        "submodel (SF) F(F0=2)\nsubmodel (R) r(R=4)\nsubmodel (C) c(C=0.5) (ic e=0)\nnode n\n"
        "connect F at n, r at n, c at n",
        {"c.e": lambda t: 8 * (1 - np.exp(-t / 2)), "r.f": lambda t: 2 * (1 - np.exp(-t / 2))},
    ),
    "signalSE bond I": Example(
        "submodel (signalSE) S\nsubmodel (I) i(I=2) (ic f=0)\nnode n\nconnect S at n, i at n\nS.e = 4*time",
        {"i.f": lambda t: t**2},
    ),
    "SE bond to a 1-junction of R1 and C1": Example(
        "submodel (SE) S(E0=6)\nsubmodel (bond) b\nsubmodel (R1) r(R=2)\nsubmodel (C1) c(C=0.25) (ic e=1)\n"
        "node n, one\n"
        "connect S at n, b at (n, one), r at one, c at one",
        {"c.e": lambda t: 6 - 5 * np.exp(-2 * t), "S.f": lambda t: -2.5 * np.exp(-2 * t)},
    ),
    "TF SF1": Example(
        "submodel (SF1) S(F0=3)\nsubmodel (bond) b\nsubmodel (TF) t(m=4)\nsubmodel (R) r(R=2)\nnode one, x, y\n"
        "connect S at one, b at (one, x), t at (x, y), r at y",
        {"r.f": flat(12), "S.e": flat(-96)},
    ),
    "GY: a motor": Example(
        MOTOR,
        {
            "La.f": lambda t: solved(motor, [0, 0], 2.0)(t)[0],
            "J.f": lambda t: solved(motor, [0, 0], 2.0)(t)[1],
        },
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_graph_against_its_equations(name: str, tmp_path: Path) -> None:
    compare("bondgraph", EXAMPLES[name], tmp_path)
