"""The language server: requests in, answers out. What is answered is worked out by the features.

Open documents are parsed when they change; the check of the whole document waits until nothing was typed for a
moment, and runs in a process of its own.
"""

import asyncio
import gc
import os
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from acausal.editor.checks.analysis import Snapshot
from acausal.editor.checks.checker import Checker, TooLongError
from acausal.editor.features.problems import Problem, checked_problems, syntax_problems
from acausal.editor.server.protocol import Messages, path_of, uri_of
from acausal.editor.text.document import Document
from acausal.editor.text.findings import Findings, findings_of
from acausal.editor.text.positions import Encoding
from acausal.editor.text.project import Location, Project
from acausal.version import __version__

PAUSE = 0.3
"""Seconds without typing before a document is checked."""


class Server(LanguageServer):
    """The server with its project; `findings` are those of the last check of each open document."""

    def __init__(self, folders: tuple[str, ...] = ()) -> None:
        super().__init__("acausal", __version__)
        self.project = Project()
        self.project.with_path(folders)
        self.checker = Checker()
        self.findings: dict[str, Findings] = {}
        self.uris: dict[str, str] = {}
        self.in_terminal = False
        self._checking: asyncio.Task[None] | None = None
        self._waiting: dict[str, None] = {}
        self._published: dict[str, list[lsp.Diagnostic]] = {}
        self._messages: Messages | None = None

    @property
    def messages(self) -> Messages:
        """Messages in the encoding of positions that was agreed on."""
        if self._messages is None:
            encoding = cast("Encoding", str(getattr(self.workspace.position_encoding, "value", "utf-16")))
            self._messages = Messages(self.project, encoding, self.uris)
        return self._messages

    def configure(self, given: dict[str, Any]) -> None:
        """Take the options of the client: folders to search, the time limit of checks, whether it has a terminal."""
        folders = given.get("path", [])
        if isinstance(folders, list) and all(isinstance(folder, str) for folder in folders) and folders:
            self.project.with_path((*self.project.options.path, *folders))
        limit = given.get("timeLimit")
        if isinstance(limit, int | float) and limit > 0:
            self.checker.time_limit = float(limit)
        self.in_terminal = given.get("terminal") is True

    def document(self, uri: str) -> Document:
        """The document of a URI; one that cannot be read is empty."""
        path = path_of(uri)
        return self.project.document(path) or Document(path, "")

    def at(self, params: Any) -> tuple[Document, int]:  # noqa: ANN401  (parameters with a document and a position)
        """The document and offset of a request."""
        document = self.document(params.text_document.uri)
        position = params.position.line, params.position.character
        return document, self.messages.positions(document.text).offset(position)

    def span(self, document: Document, place: lsp.Range) -> tuple[int, int]:
        """The offsets of a range."""
        positions = self.messages.positions(document.text)
        start, end = place.start, place.end
        return positions.offset((start.line, start.character)), positions.offset((end.line, end.character))

    # --------------------------------------------------------------- checks

    def changed(self, uri: str) -> None:
        """A document was opened or changed: mistakes of syntax at once, the rest after a pause."""
        path = path_of(uri)
        document = self.project.put(path, self.workspace.get_text_document(uri).source)
        self.uris[document.real_path] = uri
        self.publish()
        self._waiting[document.real_path] = None
        for other in self.project.opened:  # what includes it may have other mistakes now
            if other.real_path in self.findings and other is not document:
                self._waiting[other.real_path] = None
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.get_running_loop().create_task(self._check())

    async def _check(self) -> None:
        await asyncio.sleep(PAUSE)
        gc.collect()
        texts = self.project.texts()
        for key in [key for key in self._waiting if key in texts]:
            document = self.project.document(path_of(self.uris[key]))
            if document is None:
                continue
            snapshot = Snapshot(str(document.path), document.text, texts, self.project.options.path)
            try:
                answer = await self.checker.check(snapshot)
            except TooLongError:
                self.window_log_message(
                    lsp.LogMessageParams(
                        lsp.MessageType.Warning,
                        f"{document.path.name}: the check was ended after {self.checker.time_limit:g} s",
                    )
                )
                answer = {}
            if "fault" in answer:
                text = f"{document.path.name}: the check failed: {answer['fault']}"
                self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, text))
            self._waiting.pop(key, None)
            self.findings[key] = findings_of(answer, texts)
        self.publish()
        self._refresh()

    def problems(self) -> dict[str, list[Problem]]:
        """All problems by the real path of the file that they are in; what several checks have found counts once."""
        found: dict[str, dict[tuple[Location, str], Problem]] = {d.real_path: {} for d in self.project.opened}
        others: list[Problem] = []
        for document in self.project.opened:
            made = syntax_problems(document)
            if document.real_path in self.findings:
                made += checked_problems(self.findings[document.real_path], document, self.project)
            for problem in made:
                if os.path.realpath(problem.location.path) == document.real_path:
                    found[document.real_path].setdefault((problem.location, problem.code), problem)
                else:
                    others.append(problem)
        for problem in others:
            known = found.setdefault(os.path.realpath(problem.location.path), {})
            known.setdefault((problem.location, problem.code), problem)
        return {key: list(problems.values()) for key, problems in found.items()}

    def publish(self) -> None:
        """Send the diagnostics of all files where they have changed."""
        now: dict[str, list[lsp.Diagnostic]] = {}
        for key, problems in self.problems().items():
            uri = self.uris.get(key) or (uri_of(problems[0].location.path) if problems else "")
            made = [self.messages.diagnostic(problem) for problem in problems]
            if uri:
                now[uri] = [diagnostic for diagnostic in made if diagnostic is not None]
        for uri in dict.fromkeys([*self._published, *now]):
            if self._published.get(uri) != now.get(uri, []):
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, now.get(uri, [])))
        self._published = now

    def _refresh(self) -> None:
        """Ask for hints and lenses again, where the client can be asked to."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def close(self, uri: str) -> None:
        """A document was closed: its file counts again."""
        key = os.path.realpath(path_of(uri))
        self.project.close(path_of(uri))
        self.findings.pop(key, None)
        self._waiting.pop(key, None)
        self.uris.pop(key, None)
        self.publish()

    async def end(self) -> None:
        """End the check that runs."""
        if self._checking is not None:
            self._checking.cancel()
        await self.checker.stop()
