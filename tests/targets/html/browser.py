"""A headless Chromium, driven over its debugging pipe."""

import json
import os
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

FLAGS = (
    *("--headless", "--no-sandbox", "--remote-debugging-pipe", "--hide-scrollbars", "--window-size=1400,800"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking"),
)


def chromium() -> str | None:
    """The command, where there is one."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Page:
    """One page of the browser: what it said on its console, and a way to evaluate expressions."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.messages: list[str] = []
        self.requests: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def open(self, path: Path) -> None:
        """Load a file."""
        self.messages.clear()
        self.requests.clear()
        self._call("Page.navigate", url=path.resolve().as_uri())

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, of a promise the value it resolves to."""
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, condition: str, seconds: float = 60.0) -> None:
        """Until a condition is true."""
        end = monotonic() + seconds
        while not self.evaluate(f"Boolean({condition})"):
            assert monotonic() < end, f"{condition}: {self.messages}"
            self._take(0.05)

    def screenshot(self, path: Path) -> None:
        """A picture of the window."""
        path.write_bytes(b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        number = self._number
        message: dict[str, object] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        end = monotonic() + 120
        while monotonic() < end:
            for found in self._take(1.0):
                if found.get("id") == number:
                    assert "error" not in found, found["error"]
                    result: dict[str, Any] = found["result"]
                    return result
        raise AssertionError(f"no answer to {method}")

    def _take(self, seconds: float) -> list[dict[str, Any]]:
        """Messages that have come."""
        if not select([self._reading], [], [], seconds)[0]:
            return []
        *whole, self._rest = (self._rest + os.read(self._reading, 1 << 20)).split(b"\0")
        found = [json.loads(text) for text in whole]
        for message in found:
            self._note(message)
        return found

    def _note(self, message: dict[str, Any]) -> None:
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.consoleAPICalled":
            self.messages.append(f"{parameters['type']}: {[a.get('value') for a in parameters['args']]}")
        elif message.get("method") == "Runtime.exceptionThrown":
            self.messages.append(f"exception: {parameters['exceptionDetails']}")
        elif message.get("method") == "Log.entryAdded":
            self.messages.append(f"{parameters['entry']['level']}: {parameters['entry']['text']}")
        elif message.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"][:100])


@contextmanager
def browser() -> Iterator[Page]:
    """A page of a browser that ends with the context."""
    command = chromium()
    assert command, "chromium is needed"
    there, writing = os.pipe()
    reading, back = os.pipe()

    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{there} 4>&{back}', "bash", command, *FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(there, back),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(there)
        os.close(back)
        try:
            yield Page(reading, writing)
        finally:
            process.terminate()
            process.wait(20)
            os.close(writing)
            os.close(reading)
