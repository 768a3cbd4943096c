"""Examples as C against the built-in runs: events, samples, hidden crossings, nonlinear equations of a closed loop.

Steps are so short that their error, of the fourth power of the length, is far below the tolerance of 1e-6; variables
agree within ten times that, as a share of their largest value. Where that is rounding of zero it counts as 1e-3.
"""

from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.ir.names import show_derivative
from tests.targets.c.machine import executed

EXAMPLES = Path(acausal.__file__).parents[1] / "examples"
TOLERANCE = 1e-6
STOPS = {"h_bridge": (0.0375, 1e-5), "suspension": (1.1, 1e-3), "slider_crank": (0.11, 1e-4)}
"""Ends of the runs, not at events, and steps."""
RUN = """
static %(name)s_t %(name)s;
static void run_%(name)s(void)
{
    static double v[%(upper)s_VARIABLES + %(upper)s_CONDITIONS];
    int status = %(name)s_init(&%(name)s, 0.0, NULL, NULL, NULL);
    %(name)s.step = %(step)r;
    while (status == 0 && %(name)s.time < %(stop)r - 0.5 * %(step)r) {
        status = %(name)s_step(&%(name)s, NULL, NULL);
    }
    status += %(name)s_variables(&%(name)s, %(name)s.time, %(name)s.y, v);
    printf("%%d", status);
    for (int i = 0; i < %(upper)s_VARIABLES; i++) {
        printf(" %%.17g", v[i]);
    }
    printf("\\n");
}
"""


@pytest.fixture(scope="module")
def models() -> dict[str, acausal.Translation]:
    return {name: acausal.translate(EXAMPLES / f"{name}.mdl") for name in STOPS}


def test_examples(models: dict[str, acausal.Translation], tmp_path: Path) -> None:
    runs = [
        RUN % {"name": name, "upper": name.upper(), "stop": stop, "step": step} for name, (stop, step) in STOPS.items()
    ]
    calls = "\n".join([f"    run_{name}();" for name in STOPS])
    first = "\n".join(["#include <stdio.h>", *[f'#include "{name}.h"' for name in STOPS]])
    program = f"{first}\n{''.join(runs)}\nint main(void)\n{{\n{calls}\n    return 0;\n}}\n"
    lines = executed(tmp_path, models, program, 1e-3)
    for line, (name, (stop, _)) in zip(lines, STOPS.items(), strict=True):
        status, *values = [float(x) for x in line.split()]
        assert status == 0
        result = models[name].simulate(stop=stop, interval=stop / 50, tolerance=1e-9)
        wrong = {}
        for slot in models[name].program.variable_slots:
            text = show_derivative(*slot.symbol)
            if slot.kind == "stored" and text in result:
                known = result[text]
                error = abs(slot.sign * values[slot.position] - known[-1]) / max(1e-3, float(np.abs(known).max()))
                wrong |= {text: error} if error > 10 * TOLERANCE else {}
        assert wrong == {}, name
