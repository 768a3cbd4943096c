"""Documents that the client opens, changes, saves and closes."""

from lsprotocol import types as lsp

from acausal.editor.server.protocol import path_of
from acausal.editor.server.server import Server


def answer_documents(server: Server) -> None:
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
