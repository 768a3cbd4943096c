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

METHODS = ("heun", "rk4", "implicit-euler")
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
static double larger(double a, double b)
{
    return a > b ? a : b;
}
int main(void)
{
    double step, most = 0.0, share = 0.0;
    int status = m_init(&m, 0.0, NULL, NULL, NULL), events = 0;
    static m_out out;
    m.method = METHOD;
    m.step = STEP;
    for (int i = 0; i < 120 && status == 0; i++) {
        operations = 0;
        status = m_step(&m, NULL, &out);
        step = (double)operations;
        events += m.events;
        if (m.solver.made == 1 && m.events == 0) {
            most = larger(most, step);
        } else {
            share = larger(share, step / (M_OPERATIONS_STEP + (double)m.solver.made * M_OPERATIONS_PART
                + m.events * (M_OPERATIONS_EVENT + PASSES * (double)M_OPERATIONS_PASS)));
        }
    }
    printf("%d %d %.17g %.17g %.17g %.17g\\n", status, events, most, (double)M_OPERATIONS_STEP, share,
           (double)M_MAX_OPERATIONS);
    return 0;
}
"""
"""Of steps of one part the most operations, of others the largest share of their bound with this number of passes."""
PASSES = 3
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


def counted(
    folder: Path, model: acausal.Translation, method: str, step: float, options: tuple[str, ...] = ()
) -> list[float]:
    """The numbers that the program prints."""
    model.export("c", folder / "m.c", step=step, method=method)
    pieces = {"METHOD": str(METHODS.index(method)), "STEP": repr(step), "PASSES": str(PASSES)}
    main = re.sub(rf"\b({'|'.join(pieces)})\b", lambda word: pieces[word[0]], MAIN)
    (folder / "main.c").write_text(main, encoding="utf-8")
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
    ("name", "method", "slack"),
    [("ball", "rk4", 4.0), ("impact", "implicit-euler", 80.0), ("late", "rk4", 60.0), ("circuit", "rk4", 120.0)],
)
def test_no_step_takes_more(tmp_path: Path, name: str, method: str, slack: float) -> None:
    """Steps of one part take at least 1/slack of their bound, with its iterations, or searches for two crossings."""
    model = acausal.translate(MODELS[name])
    status, events, step, bound, share, most = counted(tmp_path, model, method, 0.01)
    assert status == 0
    assert bound / slack < step <= bound < most < 1e16
    assert 0.0 < share <= 1.0 or events == 0.0


@can_count
def test_parts_of_a_step_have_a_limit(tmp_path: Path) -> None:
    """A step with a bounce has two parts."""
    status, events, *_ = counted(tmp_path, acausal.translate(BALL), "rk4", 0.01, ("-DM_MOST_PARTS=1",))
    assert (status, events) == (8, 0)
