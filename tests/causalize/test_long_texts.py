"""Expressions that share parts: their text has an end wherever it is written, and so has the time for it."""

from pathlib import Path

import pytest

import acausal
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import LONGEST, show_expr
from acausal.render import render

NESTED = "function f0(x) = sin(x) + x*x\n" + "".join(
    f"function f{k}(x) = f{k - 1}(f{k - 1}(x))\n" for k in range(1, 14)
)
"""f13 nests 8192 calls; its text has 2^8192 characters."""


def model(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(f"{NESTED}model M\n" + "".join(f"  {line}\n" for line in lines) + "end\n")
    return file


def test_every_renderer_ends(tmp_path: Path) -> None:
    translation = acausal.translate(model(tmp_path, "local y", "y = f10(time)"), cache=False)
    texts = [translation.equations(stage) for stage in ("flat", "sorted", "solved")]
    texts += [translation.why("y"), translation.code(), repr(translation.stages.flat.equations[0].right)]
    assert max(map(len, texts)) < 1_000_000
    for text in texts[:3]:
        assert "where part$1 = " in text
    lines = texts[3].splitlines()
    assert max(map(len, lines)) < 2 * LONGEST


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("local y, z", "0 = f13(z) + f13(y) + time", "z = f13(y)", "y = f13(z)"), "S001"),
        (("local y", "0 = f13(time)"), "S"),
        (("local y", "y = f13(time)", "y = f13(2*time)"), "S"),
        (("local x (start=f13(0.001))", "der(x) = f13(x)*new(x)"), "E"),
        (("parameter p=f13(2)", "local x (start=f13(p))", "der(x) = f13(x)", "initial x = f13(p)"), ""),
    ],
)
def test_messages_end(tmp_path: Path, lines: tuple[str, ...], code: str) -> None:
    report = acausal.check(model(tmp_path, *lines))
    text = render(report)
    assert len(text) < 20_000
    if code:
        assert report.errors[0].code.startswith(code)


def test_runs_that_fail_tell_it_shortly(tmp_path: Path) -> None:
    file = model(tmp_path, "local y", "y = f13(1 + time)", "experiment (stop=0.1)")
    with pytest.raises(acausal.RunError) as caught:
        acausal.translate(file, cache=False).simulate()
    assert len(render(caught.value.report)) < 20_000


def test_periods_are_found_without_looking_at_all_below_each_sine(tmp_path: Path) -> None:
    file = model(tmp_path, "local y, z", "y = f13(0.001*time)", "z = sin(2*(3*time + 1))")
    program = acausal.translate(file, cache=False).program
    assert len(program.waves) == 2  # those of the innermost sine and of z


def test_deep_and_wide_expressions_are_abbreviated() -> None:
    pool = Pool()
    x, y = pool.variable(("x",)), pool.variable(("y",))
    many = pool.add(*[pool.call("sin", pool.mul(pool.const(i + 2), x)) for i in range(500)])
    assert show_expr(many).startswith("sin(2*x) + sin(3*x) + sin(4*x) + ")
    assert show_expr(many).endswith(" + ...")
    deep = x
    for _ in range(3000):
        deep = pool.call("sin", deep)
    assert show_expr(deep).startswith("sin(sin(sin(")
    assert "..." in show_expr(deep)
    assert len(show_expr(deep)) <= LONGEST
    short = pool.add(x, pool.mul(x, y))
    assert show_expr(short, x) == "[x] + [x]*y"
    doubled = x
    for _ in range(100):
        doubled = pool.node("add", (doubled, doubled))
    assert len(show_expr(doubled)) <= LONGEST


def test_names_of_long_delays_differ(tmp_path: Path) -> None:
    file = model(tmp_path, "local y, z", "y = delay(f9(time), 1)", "z = delay(f9(2*time), 1)")
    delays = acausal.translate(file, cache=False).program.delays
    assert len({slot.name for slot in delays}) == 2


def test_sympy_is_not_given_what_it_cannot_take(tmp_path: Path) -> None:
    for lines in (("local y", "y = f6(time)"), ("local y", f"y = {'sin(' * 190}time{')' * 190}")):
        translation = acausal.translate(model(tmp_path, *lines), cache=False)
        for ask in (translation.to_sympy, lambda t=translation: t.equations("latex")):  # type: ignore[misc]
            with pytest.raises(acausal.LimitError, match="L018"):
                ask()
    translation = acausal.translate(model(tmp_path, "local y", "y = f2(time)"), cache=False)
    assert "align" in translation.equations("latex")
