"""Answers that are shown in the text: hover, hints, colors, lenses, folds."""

import asyncio
from typing import Any, cast

from lsprotocol import types as lsp

from acausal.editor.features.folding import folds
from acausal.editor.features.hints import hints
from acausal.editor.features.hover import hover
from acausal.editor.features.lenses import lenses
from acausal.editor.features.navigate import (
    references,
)
from acausal.editor.features.semantic import MODIFIERS, TYPES, semantic_tokens
from acausal.editor.server.protocol import REFERENCES_COMMAND, folding
from acausal.editor.server.server import Server

HOVER_WAITS = 3.0
"""Seconds that a hover waits for what the translation knows."""


def answer_reading(server: Server) -> None:
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
