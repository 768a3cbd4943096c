"""Results made from formulas."""

import numpy as np

from acausal.results.formats.columns import Column
from acausal.results.result import Result


def made(rows: int = 11) -> Result:
    """sin and its derivative, the negative of it, time, a constant; a parameter k."""
    time = np.linspace(0.0, 1.0, rows)
    stored = np.column_stack([np.sin(time), np.cos(time), time**2])
    columns = {
        "x": Column(0, unit="m", description="place"),
        "der(x)": Column(1),
        "a.y": Column(0, sign=-1.0, unit="m"),
        "clock": Column(None, is_time=True),
        "g": Column(None, 9.81),
        "T[1,2]": Column(2, unit="N.m"),
    }
    return Result("made", time, stored, columns, {"k": Column(None, 0.1)})
