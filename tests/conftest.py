"""What all tests share: `--update` for text cases, and property tests that repeat from run to run."""

import os

import pytest
from hypothesis import settings

from acausal.base.timing import StageTimer
from acausal.ir.check.stage import need_sound

os.environ["ACAUSAL_CACHE"] = "off"  # nothing is taken from earlier runs; tests/cache have folders of their own

StageTimer.verify = need_sound  # every stage of every translation is checked

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected dumps of tests/cases")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that collect garbage come first: it takes seconds once other tests have made millions of objects."""
    items.sort(key=lambda item: not item.path.name.startswith("test_gc_"))


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    terminalreporter.write_line("of the large campaigns a seeded share was run; in full: python -m tests.long")
