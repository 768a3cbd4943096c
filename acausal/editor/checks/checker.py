"""The worker process: started when it is needed, ended when its answer is no longer wanted or takes too long."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

from acausal.editor.checks.analysis import Snapshot
from acausal.editor.checks.facts import Json

TIME_LIMIT = 20.0
"""Seconds that a check may take."""
_LONGEST = 1 << 28
"""Bytes of one answer."""


class TooLongError(Exception):
    """The check was ended at its time limit."""


class Checker:
    """One check at a time, in a process of its own: a newer one ends the one that runs."""

    def __init__(self, time_limit: float = TIME_LIMIT) -> None:
        self.time_limit = time_limit
        self._process: Process | None = None
        self._asked: asyncio.Lock = asyncio.Lock()
        self._number = 0

    async def check(self, snapshot: Snapshot) -> Json:
        """The answer for a document; TooLongError at the time limit."""
        request: dict[str, object] = {
            "do": "check",
            "path": snapshot.path,
            "text": snapshot.text,
            "texts": dict(snapshot.texts),
            "folders": list(snapshot.folders),
        }
        return await self._ask(request)

    async def why(self, model: str, name: str) -> Json:
        """Answer about a variable of the last document; empty where no process runs."""
        if self._process is None:
            return {}
        try:
            return await self._ask({"do": "why", "model": model, "name": name})
        except TooLongError:
            return {}

    async def _ask(self, request: dict[str, object]) -> Json:
        async with self._asked:
            process = await self._running()
            self._number += 1
            line = json.dumps({"id": self._number, **request}).encode() + b"\n"
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(line)
                await process.stdin.drain()
                answer = await asyncio.wait_for(process.stdout.readline(), self.time_limit)
            except TimeoutError:
                await self.stop()
                raise TooLongError from None
            except asyncio.CancelledError:
                await self.stop()
                raise
            except (ConnectionError, ValueError):
                answer = b""
            if not answer:
                await self.stop()
                return {"fault": "the process ended"}
            return dict(json.loads(answer))

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            command = (sys.executable, "-P", "-m", "acausal.editor.checks.worker")  # -P: no module of the user's folder
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=_LONGEST
            )
        return self._process

    async def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        try:
            process.kill()
        except ProcessLookupError:
            return
        await process.wait()
