"""C code on other machines: single precision, Cortex-M4 and WebAssembly without a C library, other checkers."""

import math
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import acausal
from acausal.targets.c.single_precision import in_single_precision
from tests.targets.c.machine import compiler, executed
from tests.targets.c.test_steps import BALL

FLIGHT = math.sqrt(0.2)
MAIN = r"""
#include <stdio.h>
#include "ball.h"

static ball_t b;

int main(void)
{
    ball_out out;
    int status = ball_init(&b, 0.0f, NULL, NULL, &out);
    for (int i = 0; i < 80; i++) {
        status += ball_step(&b, NULL, &out);
    }
    printf("%d %.9g %.9g %.9g %g %d\n", status, (double)out.time, (double)out.h, (double)out.v, (double)out.bounces,
           (int)sizeof out.h);
    return 0;
}
"""
WASM = """
#include "ball.h"

static ball_t b;
static ball_out out;

int steps(int count)
{
    int status = ball_init(&b, 0.0, NULL, NULL, &out);
    for (int i = 0; i < count; i++) {
        status += ball_step(&b, NULL, &out);
    }
    return status;
}

double height(void)
{
    return out.h;
}
"""
NODE = """
const code = new WebAssembly.Module(require('fs').readFileSync(process.argv[2]));
let own;
const bytes = () => new Uint8Array(own.memory.buffer);
const copy = (to, from, count) => (bytes().copyWithin(to, from, from + count), to);
const known = (choose) => (x, y) => Number.isNaN(x) ? y : Number.isNaN(y) ? x : choose(x, y);
const nearest = (x) => Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x);
const env = {
  memset: (to, value, count) => (bytes().fill(value, to, to + count), to),
  memcpy: copy, memmove: copy, fabs: Math.abs, rint: nearest, fmin: known(Math.min), fmax: known(Math.max),
};
for (const { name } of WebAssembly.Module.imports(code)) env[name] = env[name] || Math[name];
own = new WebAssembly.Instance(code, { env }).exports;
console.log(own.steps(80), own.height());
"""


def height(t: float) -> float:
    """Of the ball behind its first impact."""
    return 5 * FLIGHT * (t - FLIGHT) - 5 * (t - FLIGHT) ** 2


@pytest.fixture(scope="module")
def ball() -> acausal.Translation:
    return acausal.translate(BALL)


def test_single_precision(ball: acausal.Translation, tmp_path: Path) -> None:
    status, t, h, v, bounces, size = [
        float(x) for x in executed(tmp_path, {"ball": ball}, MAIN, 0.01, single=True)[0].split()
    ]
    assert (status, bounces, size) == (0, 1, 4)
    assert t == pytest.approx(0.8, rel=1e-6)
    assert h == pytest.approx(height(0.8), abs=1e-4)
    assert v == pytest.approx(5 * FLIGHT - 10 * (0.8 - FLIGHT), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "scaled", "result"),
    [
        ("double x = sin(1e-05) + y1e5;", False, "float x = sinf(1e-05f) + y1e5;"),
        ("static const double N = 1e-12;", True, f"static const float N = {1e-12 ** (23 / 52)!r}f;"),
        ("x = 1e-200 * 1e300 + 0.5;", True, "x = 1e-36f * 3e+38f + 0.5f;"),
        ("/* double 1.0 */ double y;", True, "/* double 1.0 */ float y;"),
    ],
)
def test_text_in_single_precision(text: str, scaled: bool, result: str) -> None:
    assert in_single_precision(text, scaled=scaled) == result


def zig(folder: Path, *arguments: str, caches: Path | None = None) -> None:
    """A command of the package `ziglang`, without warnings; its caches are in the folder, or in another one."""
    places = dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), str(caches or folder))
    command = [sys.executable, "-m", "ziglang", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **places}
    )
    assert done.returncode == 0, done.stderr


def test_without_a_c_library(ball: acausal.Translation, tmp_path: Path) -> None:
    """Objects for Cortex-M4 and for WebAssembly, which node executes."""
    ball.export("c", tmp_path / "ball.c", step=0.01)
    if not find_spec("ziglang"):  # at least the text is right
        flags = "-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"
        subprocess.run([compiler(), *flags, "ball.c"], cwd=tmp_path, check=True)
        return
    (tmp_path / "steps.c").write_text(WASM, encoding="utf-8")
    (tmp_path / "run.js").write_text(NODE, encoding="utf-8")
    flags = "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c"
    zig(tmp_path, "cc", "-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m4", *flags, "ball.c", "-o", "arm.o")
    for name in ("ball", "steps"):
        zig(tmp_path, "cc", "-target", "wasm32-freestanding", *flags, f"{name}.c", "-o", f"{name}.o")
    names = "--export=steps", "--export=height", "--allow-undefined"
    zig(tmp_path, "wasm-ld", "--no-entry", *names, "ball.o", "steps.o", "-o", "ball.wasm")
    node = shutil.which("node")
    assert node, "node is needed"
    found = subprocess.run([node, "run.js", "ball.wasm"], cwd=tmp_path, capture_output=True, text=True, check=True)
    status, value = found.stdout.split()
    assert status == "0"
    assert float(value) == pytest.approx(height(0.8), abs=1e-10)


def test_other_checkers(ball: acausal.Translation, tmp_path: Path) -> None:
    ball.export("c", tmp_path / "ball.c", step=0.01)
    commands = [
        ("clang", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "ball.c"),
        ("cppcheck", "--std=c99", "--enable=warning,performance,portability", "--error-exitcode=2", "-q", "ball.c"),
    ]
    for command in commands:
        if shutil.which(command[0]):
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
