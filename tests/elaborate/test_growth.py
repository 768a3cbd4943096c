"""Texts that ask for much work by little: what `check` does grows no faster than they do.

The work is the number of calls of functions, counted by the interpreter, so that nothing depends on a clock.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from acausal.checking import check


def _superclasses(n: int) -> str:
    chain = [f"model class (A{i - 1}(p={i})) A{i}\nend\n" for i in range(1, n)]
    return "model class A0\n  parameter p=1\nend\n" + "".join(chain) + f"model M\n  submodel (A{n - 1}) a\nend\n"


def _local(*lines: str) -> str:
    return "model M\n" + "".join(f"  {line}\n" for line in lines) + "end\n"


TEXTS: dict[str, Callable[[int], str]] = {
    "elements of an array one by one": lambda n: _local(
        f"local x[{n}]", f"for i = 1 to {n}", "x[i] = i*time", "endfor"
    ),
    "classes that inherit each other": _superclasses,
    "the least of many": lambda n: _local("local x", f"x = min({', '.join(f'time*{i}' for i in range(n))})"),
    "nothing determined": lambda n: _local(f"local {', '.join(f'x{i}' for i in range(n))}", "x0 = 1"),
    "parameters in a row": lambda n: _local("parameter p0=1", *[f"parameter p{i}=p{i - 1}+1" for i in range(1, n)]),
    "parameters in a circle": lambda n: _local(*[f"parameter p{i}=p{(i + 1) % n}" for i in range(n)]),
    "names that are alike": lambda n: _local(
        f"local x, {', '.join('a' * 50 + f'{i:05d}' for i in range(n))}", f"x = {'a' * 50}z"
    ),
    "a function of a function": lambda n: (
        "function f(x) = sin(x)*x + x\n" + _local("local x", f"x = {'f(' * (n // 4)}time{')' * (n // 4)}")
    ),
    "a power of a power": lambda n: _local("parameter p0=1.0001", *[f"parameter p{i}=p{i - 1}^2" for i in range(1, 9)]),
}


def _work(text: str, folder: Path) -> int:
    """How many functions are called to check the text."""
    (folder / "m.mdl").write_text(text, encoding="utf-8")
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        check(folder / "m.mdl")
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("name", TEXTS)
def test_work_grows_with_the_text(name: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    _work(text(50), tmp_path)
    small, large = (_work(text(n), tmp_path) for n in (200, 600))
    assert large < 4 * small
