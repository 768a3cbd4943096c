"""The process that checks documents, so that a long or endless translation can be ended: `python -m ... worker`.

It reads one request a line from standard input and writes one answer a line to standard output, both JSON.
"""

import json
import sys
from typing import BinaryIO

from acausal.base.diagnostics import InternalError
from acausal.editor.checks.analysis import Analyzer, Snapshot
from acausal.editor.checks.streams import own_output


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the input ends."""
    analyzer = Analyzer()
    for line in requests:
        request = json.loads(line)
        try:
            answer = _answer(analyzer, request)
        except (InternalError, ArithmeticError, LookupError, AssertionError, RecursionError, MemoryError) as fault:
            answer = {"fault": f"{type(fault).__name__}: {fault}"}
        answers.write(json.dumps({"id": request["id"], **answer}).encode() + b"\n")
        answers.flush()


def _answer(analyzer: Analyzer, request: dict[str, object]) -> dict[str, object]:
    match request:
        case {"do": "check", "path": str(path), "text": str(text), "texts": dict(texts), "folders": list(folders)}:
            return analyzer.check(Snapshot(path, text, texts, tuple(folders)))
        case {"do": "why", "model": str(model), "name": str(name)}:
            return analyzer.why(model, name)
        case _:
            return {"fault": "unknown request"}


def main() -> None:
    """Serve on the streams of the process; whatever else prints goes to the error stream."""
    serve(sys.stdin.buffer, own_output())


if __name__ == "__main__":
    main()
