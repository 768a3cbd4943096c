"""The language server: requests in, answers out. What is answered is worked out by the features.

Open documents are parsed when they change; the check of the whole document waits until nothing was typed for a
moment, and runs in a process of its own.
"""

import asyncio
import gc
import os
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from acausal.base.diagnostics import ModelError
from acausal.base.source import SourceFile
from acausal.editor.analysis import Snapshot
from acausal.editor.checker import Checker, TooLongError
from acausal.editor.completion import complete
from acausal.editor.document import Document
from acausal.editor.findings import Findings, findings_of
from acausal.editor.folding import folds
from acausal.editor.hints import hints
from acausal.editor.hover import hover
from acausal.editor.lenses import lenses
from acausal.editor.links import links
from acausal.editor.navigate import (
    RenameError,
    definition,
    highlights,
    references,
    renamable,
    rename,
    type_definition,
)
from acausal.editor.positions import Encoding
from acausal.editor.problems import Problem, checked_problems, syntax_problems
from acausal.editor.project import Location, Project
from acausal.editor.protocol import REFERENCES_COMMAND, Messages, folding, path_of, signature_help, uri_of
from acausal.editor.semantic import MODIFIERS, TYPES, semantic_tokens
from acausal.editor.signature import signature
from acausal.editor.symbols import symbols
from acausal.syntax.format import fmt
from acausal.version import __version__

PAUSE = 0.3
"""Seconds without typing before a document is checked."""
HOVER_WAITS = 3.0
"""Seconds that a hover waits for what the translation knows."""


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


def make_server(folders: tuple[str, ...] = ()) -> Server:
    """The server with its features."""
    server = Server(folders)
    _synchronize(server)
    _write(server)
    _look(server)
    _navigate(server)
    _change(server)
    return server


def _synchronize(server: Server) -> None:
    """Documents: opened, changed, saved, closed."""

    @server.feature(lsp.INITIALIZE)
    def initialize(ls: Server, params: lsp.InitializeParams) -> None:
        given = params.initialization_options if isinstance(params.initialization_options, dict) else {}
        ls.configure(given)
        ls.project.folders = tuple([path_of(uri) for uri in ls.workspace.folders])

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        del params
        ls.publish()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(ls: Server, params: None) -> None:
        del params
        await ls.end()


def _write(server: Server) -> None:
    """While writing: completion, signatures, formatting, corrections."""

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", ":", "@", "(", '"', " "])
    )
    def completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        document, offset = ls.at(params)
        if params.context is not None and params.context.trigger_character == " " and not _asks(document, offset):
            return None
        text_document = ls.client_capabilities.text_document
        item = text_document.completion.completion_item if text_document and text_document.completion else None
        found = complete(document, ls.project.names(document), offset)
        return ls.messages.completion(document, found, bool(item and item.snippet_support))

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    def signatures(ls: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document, offset = ls.at(params)
        return signature_help(signature(document, ls.project.names(document), offset))

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        document = ls.document(params.text_document.uri)
        try:
            text = fmt(SourceFile(str(document.path), document.text), document.limits)
        except ModelError:
            return None
        if "\r\n" in document.text:
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        if text == document.text:
            return []
        return [lsp.TextEdit(ls.messages.range(document.text, (0, len(document.text))), text)]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = ls.document(params.text_document.uri)
        start, end = ls.span(document, params.range)
        here = [
            p for p in ls.problems().get(document.real_path, []) if p.location.start <= end and start <= p.location.end
        ]
        made = [ls.messages.action(problem) for problem in here]
        return [action for action in made if action is not None]


def _asks(document: Document, offset: int) -> bool:
    """True behind `connect ` and the like, where a blank asks for names."""
    line = document.text[document.text.rfind("\n", 0, offset) + 1 : offset].split()
    return bool(line) and line[-1] in ("connect", "to", "at", "par", "close", "reversed")


def _look(server: Server) -> None:
    """Features shown in the text: hover, hints, colors, lenses, folds."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovers(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        document, offset = ls.at(params)
        found = hover(ls.project, document, offset, ls.findings.values())
        if found is None:
            return None
        if found.question is not None:
            asked = found.question
            try:
                answer = await asyncio.wait_for(asyncio.shield(ls.checker.why(asked.model, asked.name)), HOVER_WAITS)
            except TimeoutError:
                answer = {}
            models = [m for known in ls.findings.values() for m in known.models if m.name == asked.model]
            unit = models[0].values.get(asked.name, (None, None))[0] if models else None
            found = found.with_answer(
                cast("str | None", answer.get("why")), cast("float | None", answer.get("start")), unit
            )
        return ls.messages.hover(document, found)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = ls.document(params.text_document.uri)
        visible = ls.span(document, params.range)
        found = hints(document, ls.project.names(document), ls.findings.values(), visible)
        return [ls.messages.hint(document, hint) for hint in found]

    legend = lsp.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=list(MODIFIERS))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        document = ls.document(params.text_document.uri)
        return lsp.SemanticTokens(semantic_tokens(document, ls.project.names(document), ls.messages.encoding))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    def tokens_in(ls: Server, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
        document = ls.document(params.text_document.uri)
        visible = ls.span(document, params.range)
        return lsp.SemanticTokens(semantic_tokens(document, ls.project.names(document), ls.messages.encoding, visible))

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def foldings(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = ls.document(params.text_document.uri)
        return [folding(fold) for fold in folds(document, ls.messages.positions(document.text))]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))
    def code_lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = ls.document(params.text_document.uri)
        made = [ls.messages.lens(document, lens, ls.in_terminal) for lens in lenses(document, ls.findings.values())]
        return [lens for lens in made if lens is not None]

    @server.feature(lsp.CODE_LENS_RESOLVE)
    def code_lens(ls: Server, lens: lsp.CodeLens) -> lsp.CodeLens:
        data = cast("dict[str, Any]", lens.data or {})
        document = ls.document(str(data["uri"]))
        offset = ls.messages.positions(document.text).offset((int(data["line"]), int(data["column"])))
        uses = [use.location for use in references(ls.project, document, offset) if not use.declares]
        places = [place for place in map(ls.messages.location, uses) if place is not None]
        title = f"{len(places)} use{'s' * (len(places) != 1)}"
        command = REFERENCES_COMMAND if ls.in_terminal else ""
        return lsp.CodeLens(lens.range, lsp.Command(title, command, arguments=[data["uri"], lens.range.start, places]))


def _navigate(server: Server) -> None:
    """Declarations, uses, outlines, links."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definitions(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
        document, offset = ls.at(params)
        return ls.messages.location(definition(ls.project, document, offset))

    @server.feature(lsp.TEXT_DOCUMENT_TYPE_DEFINITION)
    def type_definitions(ls: Server, params: lsp.TypeDefinitionParams) -> lsp.Location | None:
        document, offset = ls.at(params)
        return ls.messages.location(type_definition(ls.project, document, offset))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def uses(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        document, offset = ls.at(params)
        found = references(ls.project, document, offset)
        wanted = [use.location for use in found if params.context.include_declaration or not use.declares]
        return [place for place in map(ls.messages.location, dict.fromkeys(wanted)) if place is not None]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlighted(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        document, offset = ls.at(params)
        kinds = {True: lsp.DocumentHighlightKind.Write, False: lsp.DocumentHighlightKind.Read}
        return [
            lsp.DocumentHighlight(
                ls.messages.range(document.text, (u.location.start, u.location.end)), kinds[u.declares]
            )
            for u in highlights(ls.project, document, offset)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = ls.document(params.text_document.uri)
        return [ls.messages.symbol(document, symbol) for symbol in symbols(document)]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def search(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        wanted = params.query.lower()
        documents = [d for d in map(ls.project.document, ls.project.files()) if d is not None]
        found = [(d, s) for d in documents for s in symbols(d) if wanted in s.name.lower()]
        return [ls.messages.workspace_symbol(d, s) for d, s in found]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    def document_links(ls: Server, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        document = ls.document(params.text_document.uri)
        return [
            lsp.DocumentLink(ls.messages.range(document.text, link.range), uri_of(link.path))
            for link in links(document, ls.project.names(document))
        ]


def _change(server: Server) -> None:
    """Names changed everywhere."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        document, offset = ls.at(params)
        try:
            place: Location = renamable(ls.project, document, offset)
        except RenameError:
            return None
        return ls.messages.range(document.text, (place.start, place.end))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document, offset = ls.at(params)
        try:
            places = rename(ls.project, document, offset, params.new_name)
        except RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        return ls.messages.edits([(place, params.new_name) for place in places])
