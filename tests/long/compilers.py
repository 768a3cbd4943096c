"""C code of all examples through gcc, clang, cppcheck, and zig for Cortex-M4 and WebAssembly, which node executes.

    python -m tests.long.compilers [NAME ...]               with gcc, clang, cppcheck, node and ziglang
    python -m tests.long.compilers --fast [NAME ...]        without cppcheck, which takes minutes for large models

Each model is written in double and in single precision. No compiler may warn, with `-Wall -Wextra -Werror -pedantic`.
The objects for Cortex-M4 and WebAssembly are made without a C library. STEPS steps in node are to lead to the states of
the same steps in gcc's program, to CLOSE of their size, as sine and exponential function differ in their last bits, or
to the same status (power_supply: explicit steps are not stable there).
Exit code 1 otherwise.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import acausal
from tests.collection import WITH_LIBRARY
from tests.targets.c.test_portable import NODE, zig

STEPS = 100
FAST = "--fast"
CLOSE = 1e-6
FLAGS = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")
STATES = r"""
#include "m.h"
static m_t m;
int steps(int count)
{
    int status = m_init(&m, M_START, NULL, NULL, NULL);
    for (int i = 0; i < count && status == 0; i++) {
        status = m_step(&m, NULL, NULL);
    }
    return status;
}
double height(void)
{
#if M_STATES > 0
    static int i = 0;
    if (i < M_STATES) {
        return m.y[i++];
    }
#endif
    return m.time;
}
"""
MAIN = r"""
#include <stdio.h>
int steps(int count);
double height(void);
int main(void)
{
    printf("%%d", steps(%d));
    for (int i = 0; i < %d; i++) {
        printf(" %%.17g", height());
    }
    return 0;
}
"""


def main(words: list[str]) -> int:
    """These models, or all."""
    names, is_fast, failed = [word for word in words if word != FAST], FAST in words, 0
    with TemporaryDirectory() as caches:
        for path in [p for p in WITH_LIBRARY if not names or p.stem in names]:
            begin = perf_counter()
            with TemporaryDirectory() as folder:
                problems = list(_problems(acausal.translate(path), Path(folder), Path(caches), is_fast))
            failed += bool(problems)
            shown = "; ".join(problems) or "no warnings, node as gcc"
            print(f"{path.stem:18s} {shown}, {perf_counter() - begin:.0f} s", flush=True)
    return int(failed > 0)


def _problems(translation: acausal.Translation, folder: Path, caches: Path, is_fast: bool) -> Iterator[str]:
    experiment = translation.program.experiment
    stop = experiment.start + 1.0 if experiment.stop is None else experiment.stop
    step = (stop - experiment.start) / 10_000
    translation.export("c", folder / "single.c", step=step, single=True)
    translation.export("c", folder / "m.c", step=step)
    states = len(translation.program.state_slots)
    (folder / "steps.c").write_text(STATES.replace("M_START", repr(experiment.start)), encoding="utf-8")
    (folder / "main.c").write_text(MAIN % (STEPS, states + 1), encoding="utf-8")
    commands = [
        ("gcc", *FLAGS, "-O2", "m.c", "steps.c", "main.c", "-lm", "-o", "m"),
        ("gcc", *FLAGS, "-O2", "-c", "single.c"),
        *[("clang", *FLAGS, "-fsyntax-only", f"{name}.c") for name in ("m", "single")],
        ("cppcheck", "--std=c99", "--enable=warning,performance,portability", "--error-exitcode=2", "-q", "m.c"),
    ]
    refused = []
    for command in commands[: -1 if is_fast else None]:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            refused.append(f"{command[0]}: {(done.stdout + done.stderr).strip()[:300]}")
    yield from refused
    if refused:
        return
    try:
        arm = "-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m4"
        for name in ("m", "single"):
            zig(folder, "cc", *arm, *FLAGS, "-O1", "-c", f"{name}.c", "-o", "arm.o", caches=caches)
        for name in ("m", "steps"):
            web = "-target", "wasm32-freestanding"
            zig(folder, "cc", *web, *FLAGS, "-O1", "-c", f"{name}.c", "-o", f"{name}.o", caches=caches)
        exports = "--export=steps", "--export=height", "--allow-undefined"
        zig(folder, "wasm-ld", "--no-entry", *exports, "m.o", "steps.o", "-o", "m.wasm", caches=caches)
    except AssertionError as error:
        yield f"zig: {str(error)[:300]}"
        return
    yield from _difference(folder, states)


def _difference(folder: Path, states: int) -> Iterator[str]:
    line = f"console.log([own.steps({STEPS}), ...Array.from({{length: {states + 1}}}, own.height)].join(' '))"
    (folder / "run.js").write_text(NODE.replace("console.log(own.steps(80), own.height())", line), encoding="utf-8")
    outcomes = []
    for command in (["./m"], ["node", "run.js", "m.wasm"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            yield f"{command[0]} ends with {done.returncode}: {done.stderr[-200:]}"
            return
        outcomes.append([float(word) for word in done.stdout.split()])
    (status, *here), (other, *there) = outcomes
    size = max(abs(x) for x in here)
    off = max(abs(a - b) for a, b in zip(here, there, strict=True)) / max(size, 1e-3)
    if other != status or not off <= CLOSE:
        yield f"status {status:g} and {other:g}, states {off:.2g} apart"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
