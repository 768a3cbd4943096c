"""Pages of the examples in headless Chromium next to the built-in run; needs chromium and a compiler for WebAssembly.

    python -m tests.long.html_pages [PART OF A NAME] [FOLDER FOR PAGES AND PICTURES]

All states and what the experiment plots, at the output times away from events, to 10 times the tolerance of the
experiment; the built-in run has a thousandth of it. Nothing may appear on the console, nothing may be loaded. Exit code
1 if any differs.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

import acausal
from acausal.base.diagnostics import ModelError
from acausal.ir.names import show_derivative
from tests.collection import WITH_LIBRARY
from tests.targets.html.browser import Page, browser

SMALL = 1e-3
TIMES = 10.0
FINAL = "document.getElementById('state')?.dataset.final === 'yes'"


def deviation(page: Page, translation: acausal.Translation) -> tuple[float, str, bool]:
    """The largest deviation in tolerances, its variable, and whether the page has gone to the end."""
    tolerance = translation.program.experiment.tolerance or 1e-6
    result = translation.simulate(tolerance=max(1e-3 * tolerance, 1e-13))
    times = np.array(page.evaluate("page.times()"))
    events = np.array([*[event.time for event in result.events], *page.evaluate("page.last().events")])
    near = 1e-9 * np.maximum(1, np.abs(times))
    found = np.minimum(np.searchsorted(result.time, times - near), len(result.time) - 1)
    rows = np.abs(result.time[found] - times) < near
    if len(events):
        rows &= np.abs(times[:, None] - events).min(axis=1) > 1e-6
    states = [show_derivative(*slot.symbol) for slot in translation.program.state_slots]
    worst = 0.0, ""
    for name in dict.fromkeys([*states, *result.plotted]):
        values = np.array(page.evaluate(f"page.values({json.dumps(name)})"), dtype=float)
        known = result[name]
        scale = max(SMALL, float(np.abs(known).max())) * tolerance
        worst = max(worst, (float(np.abs(values[rows] - known[found[rows]]).max()) / scale, name))
    return (*worst, bool(abs(times[-1] - result.time[-1]) < 1e-6))


def check(page: Page, path: Path, folder: Path) -> tuple[str, bool]:
    """A line about one example, and whether its page is right."""
    translation = acausal.translate(path)
    begin = perf_counter()
    try:
        (file,) = translation.export("html", folder / f"{path.stem}.html")
    except ModelError as error:
        return error.report.diagnostics[0].message, True
    line = f"{file.stat().st_size / 1e6:5.2f} MB in {perf_counter() - begin:5.1f} s"
    page.open(file)
    page.wait(FINAL, 90)
    worst, name, complete = deviation(page, translation)
    page.screenshot(folder / f"{path.stem}.png")
    state = page.evaluate("document.getElementById('state').textContent")
    silent = not page.messages and all(url.startswith(("file:", "blob:")) for url in page.requests)
    told = "" if silent else f" CONSOLE {page.messages} {page.requests}"
    return f"{line}, {worst:8.3g} tolerances ({name}): {state}{told}", silent and worst <= TIMES and complete


def main() -> int:
    """All examples."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    with TemporaryDirectory() as temporary, browser() as page:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary)
        for path in [path for path in WITH_LIBRARY if wanted in path.stem]:
            line, agrees = check(page, path, folder)
            failed += not agrees
            print(f"{path.stem:16} {'' if agrees else 'FAILED '}{line}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
