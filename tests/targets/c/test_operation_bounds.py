"""Floating-point operations of compiled models, counted in their assembly code, beside the bounds of the header."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import acausal
from tests.targets.c.machine import WARNINGS
from tests.targets.c.test_steps import BALL, IMPACT, LATE

COUNTED = re.compile(
    r"\s*(add|sub|mul|div|sqrt|max|min|comi|ucomi|cvtt?sd2si|xorp|andp)\w*\s.*xmm|\s*call\s+"
    r"(sin|cos|tan|a(?:sin|cos|tan2?)|sinh|cosh|tanh|exp|log|log10|pow|floor|ceil|fabs|fmax|fmin|fma|sqrt|nearbyint)\b"
)
"""Instructions of x86-64 with numbers of double precision, and calls of libm."""
MAIN = """
#include <stdio.h>
#include "m.h"
long operations;
static m_t m;
int main(void)
{
    long step, most = 0, most_with_events = 0;
    int status = m_init(&m, 0.0, NULL, NULL, NULL), events = 0;
    static m_out out;
    m.method = METHOD;
    for (int i = 0; i < 120 && status == 0; i++) {
        step = operations;
        status = m_step(&m, NULL, &out);
        step = operations - step;
        events += m.events;
        most = m.events == 0 && step > most ? step : most;
        most_with_events = m.events != 0 && step > most_with_events ? step : most_with_events;
    }
    printf("%d %d %ld %ld %.17g %.17g\\n", status, events, most, most_with_events, (double)M_OPERATIONS_STEP,
           (double)M_MAX_OPERATIONS);
    return 0;
}
"""
CIRCUIT = """model Circuit
  parameter R = 2
  local u (start=0, fixed=true), i, v, w (start=0, fixed=true)
  v = if i > 0 then 0.1*i else 20*i
  sin(3*time) - u = R*i + v
  der(u) = i
  w^3 + w = u + der(w)
end
"""
MODELS = {"ball": BALL, "impact": IMPACT, "late": LATE, "circuit": CIRCUIT}


def counted(folder: Path, text: str, method: str, step: float, options: tuple[str, ...] = ()) -> list[float]:
    """What the program prints."""
    acausal.translate(text).export("c", folder / "m.c", step=step, method=method)
    methods = ("heun", "rk4", "implicit-euler")
    (folder / "main.c").write_text(MAIN.replace("METHOD", str(methods.index(method))), encoding="utf-8")
    flags = [*WARNINGS, *options]
    subprocess.run(["gcc", *flags, "-O0", "-S", "m.c", "-o", "m.s"], cwd=folder, check=True)
    lines = (folder / "m.s").read_text(encoding="utf-8").splitlines()
    with_counts = [
        line for one in lines for line in (["\tincq\toperations(%rip)", one] if COUNTED.match(one) else [one])
    ]
    (folder / "m.s").write_text("\n".join([*with_counts, ""]), encoding="utf-8")
    subprocess.run(["gcc", *flags, "main.c", "m.s", "-no-pie", "-lm", "-o", "m"], cwd=folder, check=True)
    done = subprocess.run(["./m"], cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    return [float(x) for x in done.stdout.split()]


can_count = pytest.mark.skipif(
    shutil.which("gcc") is None or platform.machine() != "x86_64", reason="needs gcc for x86-64"
)


@can_count
@pytest.mark.parametrize(
    ("name", "method"),
    [("ball", "rk4"), ("impact", "implicit-euler"), ("late", "rk4"), ("circuit", "implicit-euler")],
)
def test_no_step_takes_more(tmp_path: Path, name: str, method: str) -> None:
    status, _, step, with_events, bound, most = counted(tmp_path, MODELS[name], method, 0.01)
    assert status == 0
    assert 0 < step <= bound
    assert with_events <= most


@can_count
def test_parts_of_a_step_have_a_limit(tmp_path: Path) -> None:
    """A step with a bounce has two parts."""
    status, events, *_ = counted(tmp_path, BALL, "rk4", 0.01, ("-DM_MOST_PARTS=1",))
    assert (status, events) == (8, 0)
