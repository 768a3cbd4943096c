"""Answers about places: definitions, references, symbols, links, and renaming."""

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from acausal.editor.features.links import links
from acausal.editor.features.navigate import (
    RenameError,
    definition,
    highlights,
    references,
    renamable,
    rename,
    type_definition,
)
from acausal.editor.features.symbols import symbols
from acausal.editor.server.protocol import uri_of
from acausal.editor.server.server import Server
from acausal.editor.text.project import Location


def answer_navigation(server: Server) -> None:
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


def answer_renaming(server: Server) -> None:
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
