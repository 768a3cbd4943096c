"""Answers while the user writes: completion, signatures, formatting, corrections."""

from lsprotocol import types as lsp

from acausal.base.diagnostics import ModelError
from acausal.base.source import SourceFile
from acausal.editor.features.completion import complete
from acausal.editor.features.signature import signature
from acausal.editor.server.protocol import signature_help
from acausal.editor.server.server import Server
from acausal.editor.text.document import Document
from acausal.syntax.format import fmt


def answer_writing(server: Server) -> None:
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
