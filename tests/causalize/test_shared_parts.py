"""Solved equations whose parts are shared: written once, and short."""

from math import cos
from pathlib import Path

from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr
from acausal.ir.show.shared_parts import show_parts
from acausal.pipeline import translate
from tests.collection import ROOT


def test_what_is_short_stays_whole() -> None:
    pool = Pool()
    x = pool.variable(("x",))
    expr = pool.add(pool.call("sin", x), pool.pow(pool.call("sin", x), pool.const(2)))
    assert show_parts([expr]) == ([], [show_expr(expr)])


def test_parts_are_equations_of_the_same_value(tmp_path: Path) -> None:
    """60 times doubled, written out 2^60 characters. Its parts, translated as a model, give the value again."""
    pool = Pool()
    expr = pool.variable(("x",))
    for k in range(60):
        expr = pool.mul(pool.call("cos", pool.add(expr, pool.const(k))), pool.add(expr, pool.const(0.5)))
    parts, (text,) = show_parts([expr])
    lines = [line.replace("$", "_") for line in (*parts, f"y = {text}")]
    names = ", ".join(line.split(" = ")[0] for line in lines)
    file = tmp_path / "m.mdl"
    file.write_text("model M\nlocal x = 0.3\nlocal " + names + "\n" + "\n".join(lines) + "\nend\n", encoding="utf-8")
    value = 0.3
    for k in range(60):
        value = cos(value + k) * (value + 0.5)
    assert abs(translate(file).simulate(stop=0.1).final["y"] - value) < 1e-12
    assert sum(map(len, lines)) < 10_000


def test_solved_equations_of_the_robot() -> None:
    text = translate(ROOT / "examples" / "robot" / "robot.mdl").equations("solved")
    assert len(text) < 1_000_000
    assert "f4.s = " in text
