"""The process that checks: ended at its time limit and by newer texts, and started again."""

import asyncio
from pathlib import Path

import pytest

from acausal.editor.checks.analysis import Snapshot
from acausal.editor.checks.checker import Checker, TooLongError
from tests.editor.cursor import CIRCUIT


@pytest.mark.asyncio
async def test_a_check_can_be_ended(tmp_path: Path) -> None:
    checker = Checker(time_limit=0.01)
    snapshot = Snapshot(str(tmp_path / "a.mdl"), CIRCUIT.replace("twice(", "twize(", 1), {})
    with pytest.raises(TooLongError):
        await checker.check(snapshot)
    checker.time_limit = 60
    task = asyncio.create_task(checker.check(snapshot))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    answer = await checker.check(snapshot)
    assert [found["code"] for found in answer["diagnostics"]] == ["T004"]  # type: ignore[attr-defined]
    assert (await checker.why("Main", "y")).get("why") is None
    await checker.stop()
    assert await checker.why("Main", "y") == {}
