"""`m_init` and `m_step` against closed forms: motion, events, nonlinear equations, state that is kept and put back."""

import math
import re
from pathlib import Path

import pytest

import acausal
from acausal.targets.c.core import write_core
from acausal.targets.c.program.identifiers import Identifiers, macros_of
from tests.targets.c.machine import executed

BALL = """model Ball
  local h (start=1, fixed=true), v (start=0, fixed=true)
  parameter e = 0.5, g = 10
  discrete bounces
  der(h) = v
  der(v) = -g
  when h < 0 then
    init(v) = -e*v
    new(bounces) = bounces + 1
  endwhen
end
"""
"""Falls for sqrt(0.2) s, each flight half as long as the one before: the second lasts sqrt(0.2) s, too."""
TANK = """model Tank
  parameter k = 2
  input u
  local x (start=3, fixed=true), c
  discrete n
  der(x) = u - c
  c^3 + c = k*x
  when sample(0.05, 0.1) then
    new(n) = n + 1
  endwhen
end
"""
"""In rest where u = c and k*x = u^3 + u."""
IMPACT = """model Impact
  parameter P = 3, U = 1
  local h (start=1, fixed=true), v (start=0, fixed=true), w (start=4, fixed=true), impulse, IMPACT_M
  IMPACT_M = P + w
  der(h) = v
  der(v) = -10
  der(w) = 0
  impulse = P*v + U*w
  when h < 0 then
    init(impulse) = impulse + 20
  endwhen
end
"""
"""The least change of v and w that gives an impulse of 20 more is 20*(3, 1)/10; names are those of macros."""
LATE = """model Late
  parameter lag = 1
  input u
  local x (start=1, fixed=true), s (start=0, fixed=true), late
  discrete n
  der(x) = -delay(x, lag)
  der(s) = u*cos(time)
  late = delay(s, lag)
  when late > 0.5 then
    new(n) = n + 1
  endwhen
end
"""
"""Up to 3 by the method of steps x is -1/6 + ..., and `late` is sin(time - 1); the history has room for 3 s."""
OVER = """
model Over
  local x (start=-0.735, fixed=true), z (start=0, fixed=true), p (start=1, fixed=true)
  der(x) = 1
  der(z) = sin(x)/x
  der(p) = p/(x - 0.5)
end
"""
STIFF = """model Stiff
  local x (start=1, fixed=true)
  der(x) = -400*sin(x)
end
"""
"""Rest is 400 times a step of 0.01 s away from what explicit methods take; they stay bounded without coming to rest."""
MAIN = r"""
#include <stdio.h>
#include <string.h>
#include "ball.h"
#include "impact.h"
#include "late.h"
#include "over.h"
#include "stiff.h"
#include "tank.h"

static ball_t b;
static ball_t kept;
static unsigned char bytes[2][sizeof(ball_t)];
static tank_t tank;
static impact_t impact;
static late_t late;
static stiff_t stiff;
static over_t over;

int main(void)
{
    ball_parameters parameters;
    ball_out out;
    tank_in in;
    tank_out state;
    impact_out at;
    late_in known;
    late_out then;
    int status;
    ball_default_parameters(&parameters);
    parameters.e = 0.5;
    status = ball_init(&b, 0.0, &parameters, NULL, &out);
    for (int i = 0; i < 80; i++) {
        status += ball_step(&b, NULL, &out);
        if (i == 39) {
            printf("%d %.17g %.17g %.17g %g\n", status, out.time, out.h, out.v, out.bounces);
            ball_copy(&kept, &b);
            ball_serialize(&b, bytes[0]);
        }
    }
    printf("%d %.17g %.17g %.17g %g\n", status, out.time, out.h, out.v, out.bounces);
    for (int i = 0; i < 40; i++) {
        status += ball_step(&kept, NULL, &out);
    }
    printf("%d %.17g %.17g %.17g %g\n", status, out.time, out.h, out.v, out.bounces);
    ball_serialize(&b, bytes[0]);
    status = ball_deserialize(&kept, bytes[0]);
    ball_serialize(&kept, bytes[1]);
    printf("%d %d\n", status, memcmp(bytes[0], bytes[1], sizeof bytes[0]));
    in.u = 1.5;
    status = tank_init(&tank, 0.0, NULL, &in, &state);
    for (int i = 0; i < 400; i++) {
        status += tank_step(&tank, &in, &state);
    }
    printf("%d %.17g %.17g %.17g %g\n", status, state.time, state.x, state.c, state.n);
    tank.u[TANK_FROZEN] = NAN;
    status = tank_step(&tank, NULL, &state);
    printf("%d %s\n", status, tank_explain(&tank));
    status = impact_init(&impact, 0.0, NULL, NULL, &at);
    for (int i = 0; i < 50; i++) {
        status += impact_step(&impact, NULL, &at);
    }
    printf("%d %.17g %.17g %.17g\n", status, at.v, at.w, at.IMPACT_M_2);
    known.u = 1.0;
    status = late_init(&late, 0.0, NULL, &known, &then);
    for (int i = 0; i < 2000; i++) {
        status += late_step(&late, &known, &then);
        if (i == 299) {
            printf("%d %.17g %.17g %g\n", status, then.x, then.late, then.n);
        }
    }
    printf("%d %.17g %g %d\n", status, then.late, then.n, late.history.pieces < late.history.piece_room);
    for (int i = 0; i < 4; i++) {
        status = stiff_init(&stiff, 0.0, NULL, NULL, NULL);
        stiff.method = i == 3 ? 2 : i % 2;
        stiff.step = i < 2 ? 0.01 : 0.001 * (1 + 9 * (i == 3));
        for (int k = 0; k < 200; k++) {
            status += stiff_step(&stiff, NULL, NULL);
        }
        printf("%d %d %d\n", status, stiff.too_long > 0, fabs(stiff.y[0]) < 0.01);
    }
    status = over_init(&over, 0.0, NULL, NULL, NULL);
    for (int i = 0; i < 150; i++) {
        status += over_step(&over, NULL, NULL);
        if (i == 99) {
            printf("%d %d\n", status, (int)over.poles);
        }
    }
    printf("%d %d\n", status, (int)over.poles);
    return 0;
}
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    models = {"ball": acausal.translate(BALL), "tank": acausal.translate(TANK), "impact": acausal.translate(IMPACT)}
    models |= {"late": acausal.translate(LATE), "stiff": acausal.translate(STIFF), "over": acausal.translate(OVER)}
    main = MAIN.replace("#include <stdio.h>", "#include <math.h>\n#include <stdio.h>")
    return executed(tmp_path_factory.mktemp("c"), models, main, 0.01, "rk4")


def test_bounces_at_their_times(lines: list[str]) -> None:
    first = math.sqrt(0.2)
    t, v = 0.4, -4.0
    assert [float(x) for x in lines[0].split()] == pytest.approx([0, t, 1 - 5 * t * t, v, 0], abs=1e-12)
    t = 0.8 - first
    v = 0.5 * 10 * first
    assert [float(x) for x in lines[1].split()] == pytest.approx([0, 0.8, v * t - 5 * t * t, v - 10 * t, 1], abs=1e-10)


def test_state_that_was_kept_goes_on_to_the_same_bits(lines: list[str]) -> None:
    assert lines[2] == lines[1]
    assert lines[3] == "0 0"


def test_input_and_nonlinear_equation_come_to_rest(lines: list[str]) -> None:
    expected = [0, 4.0, (1.5**3 + 1.5) / 2, 1.5, 40]
    found = [float(x) for x in lines[4].split()]
    decay = 4 * 2 / (3 * 1.5**2 + 1)  # of small deviations: exp(-decay), with a first one below 2
    assert found == pytest.approx(expected, abs=2 * math.exp(-decay))
    assert found[:1] + found[4:] == [0, 40]


def test_restart_of_a_variable_that_is_no_state(lines: list[str]) -> None:
    before = -10 * math.sqrt(0.2)
    expected = [0, before + 6 - 10 * (0.5 - math.sqrt(0.2)), 4 + 2, 3 + 6]
    assert [float(x) for x in lines[6].split()] == pytest.approx(expected, abs=1e-8)


def test_delays(lines: list[str]) -> None:
    """x = 1 - t, then 1 - t + (t - 1)^2/2, then 1 - t + (t - 1)^2/2 - (t - 2)^3/6."""
    assert [float(x) for x in lines[7].split()] == pytest.approx([0, -1 / 6, math.sin(2), 1], abs=1e-8)
    events = 1 + math.floor((19 - math.asin(0.5)) / (2 * math.pi))
    assert [float(x) for x in lines[8].split()] == pytest.approx([0, math.sin(19), events, 1], abs=1e-8)


def test_steps_that_are_too_long_are_counted(lines: list[str]) -> None:
    """Heun and Runge-Kutta beyond their limits, Heun below it, implicit Euler."""
    assert lines[9:13] == ["0 1 0", "0 1 0", "0 0 1", "0 0 1"]


def test_poles_are_counted(lines: list[str]) -> None:
    """sin(x)/x at 0.735 s has none, 1/(x - 0.5) at 1.235 s has."""
    assert lines[13:15] == ["0 0", "0 1"]


def test_no_name_is_that_of_a_macro() -> None:
    program = acausal.translate(IMPACT).program
    files = "\n".join(write_core(program, "impact").values())
    defined = re.findall(r"#define (IMPACT_\w+)", files)
    assert len(defined) > 20
    assert set(defined) <= macros_of("impact")
    assert Identifiers(macros_of("m")).take("M.P") == "M_P_2"


def test_program_of_the_manual(tmp_path: Path) -> None:
    page = (Path(acausal.__file__).parent / "manual" / "pages" / "howto" / "c_code.md").read_text(encoding="utf-8")
    model, program = [page.partition(start)[2].partition("```")[0] for start in ("heater.mdl\n", "```c\n")]
    found = executed(tmp_path, {"heater": acausal.translate(model)}, program, 0.5)
    rest = (40 * 22 + 3 * 20) / (40 + 3)
    assert [float(x) for x in found[-1].split()] == pytest.approx([100.0, rest], rel=1e-5)


def test_failure_is_a_status_with_a_text(lines: list[str]) -> None:
    status, text = lines[5].split(" ", 1)
    assert int(status) == 5
    assert text == "a value is not a finite number"
