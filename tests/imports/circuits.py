"""Netlists to import, with the vectors of ngspice that belong to variables of the models."""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("netlists")


@dataclass(frozen=True, slots=True)
class Netlist:
    """`signals`: variable of the model -> vector of ngspice; `step` is the greatest step of ngspice.

    `bound` is the agreed difference, as a share of the range of each signal.
    """

    name: str
    stop: float
    step: float
    bound: float
    signals: dict[str, str]

    @property
    def file(self) -> Path:
        """The netlist."""
        return FOLDER / f"{self.name}.cir"


NETLISTS = (
    Netlist("filter", 3e-3, 3e-7, 1e-5, {"I2.Vb": "v(out)", "X1.v_b": "v(mid)"}),
    Netlist("rectifier", 60e-3, 2e-6, 1e-3, {"D1.Vb": "v(out)", "S1.Vb": "v(load)", "L2.i": "@l2[i]"}),
    Netlist("amplifier", 0.4e-3, 4e-8, 1e-3, {"RC.Vb": "v(c)", "Cout.Vb": "v(load)", "F1.Vb": "v(mon)"}),
    Netlist("chain", 20e-9, 2e-12, 1e-3, {"X1.v_z": "v(d)"}),
    Netlist(
        "opamp",
        2e-3,
        2e-8,
        1e-3,
        {"Rb.Va": "v(tri)", "X1.v_out": "v(sq)", "B1.Vb": "v(abs)", "E2.Vb": "v(q)", "H1.Vb": "v(cur)"},
    ),
)
