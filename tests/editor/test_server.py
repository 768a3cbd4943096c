"""Sessions with the language server: one process for all of them; what it answers is tested in `test_features`."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient
from pytest_lsp.client import make_test_lsp_client

from tests.editor.cursor import CIRCUIT

TEXT = CIRCUIT.replace("{ Low pass:", "{ 𝜑 Tiefpass, ä:").replace(" (ic u=0)", "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name has a blank and an umlaut."""
    made = tmp_path_factory.mktemp("Über uns")
    (made / "mine.lib").write_text("model class Tank\n  parameter area=1\n  terminal h\n  h = area\nend\n")
    return made


def uri(path: Path) -> str:
    """The URI as VS Code writes it."""
    return f"file://{quote(str(path))}"


@pytest_asyncio.fixture(scope="module")
async def client(folder: Path) -> AsyncIterator[LanguageClient]:
    """A client of a server in a process of its own."""
    made = make_test_lsp_client()
    await made.start_io(sys.executable, "-m", "acausal", "lsp", "--stdio")
    can = lsp.ClientCapabilities(
        text_document=lsp.TextDocumentClientCapabilities(
            completion=lsp.CompletionClientCapabilities(
                completion_item=lsp.ClientCompletionItemOptions(snippet_support=True)
            )
        )
    )
    await made.initialize_session(
        lsp.InitializeParams(
            capabilities=can, workspace_folders=[lsp.WorkspaceFolder(uri(folder), "work")],
            initialization_options={"timeLimit": 60, "terminal": True},
        )
    )  # fmt: skip
    yield made
    await made.shutdown_session()
    await made.stop()


class File:
    """A document that is open in the client."""

    def __init__(self, client: LanguageClient, path: Path, text: str) -> None:
        self.client, self.uri, self.text, self.version = client, uri(path), text, 1
        item = lsp.TextDocumentItem(self.uri, "acausal", 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        self.id = lsp.TextDocumentIdentifier(self.uri)

    def position(self, found: str, after: int = 0) -> lsp.Position:
        """The position of a text, in UTF-16 code units."""
        before = self.text[: self.text.index(found) + after]
        line = before.count("\n")
        return lsp.Position(line, len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2)

    def type(self, old: str, new: str) -> None:
        """Replace a text that stands once, as an editor sends it."""
        start, end = self.position(old), self.position(old, len(old))
        change = lsp.TextDocumentContentChangePartial(lsp.Range(start, end), new)
        self.text, self.version = self.text.replace(old, new, 1), self.version + 1
        identifier = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [change]))

    async def errors(self, *wanted: str) -> list[lsp.Diagnostic]:
        """The errors, when they have these codes."""
        found: list[lsp.Diagnostic] | None = None
        for _ in range(600):
            found = self.client.diagnostics.get(self.uri)
            errors = [d for d in found or [] if d.severity == lsp.DiagnosticSeverity.Error]
            if found is not None and [d.code for d in errors] == list(wanted):
                return errors
            await asyncio.sleep(0.05)
        raise AssertionError(found)

    async def checked(self) -> list[lsp.Diagnostic]:
        """All diagnostics, when the check has found that there are no errors, and says how the states start."""
        for _ in range(600):
            found = list(self.client.diagnostics.get(self.uri, []))
            if [d.code for d in found] == ["I010"]:
                return found
            await asyncio.sleep(0.05)
        raise AssertionError(found)

    def close(self) -> None:
        """Close it."""
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.id))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_session_of_typing(client: LanguageClient, folder: Path) -> None:
    file = File(client, folder / "a b.mdl", TEXT)
    await file.checked()
    # a mistake of syntax, its correction, and that of a name
    file.type("u = C1.Va", "u == C1.Va")
    (wrong,) = await file.errors("P012")
    assert (wrong.range.start, wrong.range.end) == (file.position("=="), file.position("==", 2))
    context = lsp.CodeActionContext([wrong])
    (action,) = await client.text_document_code_action_async(lsp.CodeActionParams(file.id, wrong.range, context))
    assert (action.title, action.edit.changes[file.uri][0].new_text) == ("write `=`", "=")
    file.type("u == C1.Va", "u = C1.Vaa")
    (wrong,) = await file.errors("N002")
    context = lsp.CodeActionContext([wrong])
    (action,) = await client.text_document_code_action_async(lsp.CodeActionParams(file.id, wrong.range, context))
    assert action.title == "did you mean Va?"
    # completion while the line is not finished
    file.type("u = C1.Vaa", "u = C1.")
    made = await client.text_document_completion_async(lsp.CompletionParams(file.id, file.position("u = C1.", 7)))
    labels = [item.label for item in made.items]
    assert "Va" in labels
    assert "R1" not in labels
    file.type("u = C1.", "u = C1.Va")
    await file.checked()
    for _ in range(20):  # a hover does not wait long for the translation
        hover = await client.text_document_hover_async(lsp.HoverParams(file.id, file.position("C1.Va", 3)))
        if "at the start" in hover.contents.value:
            break
    assert "`filter.C1.Va`" in hover.contents.value
    assert "at the start of the run: `filter.C1.Va` = 0 V" in hover.contents.value
    assert "solved" in hover.contents.value  # how it is computed, from `why`
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(file.id, everything))
    assert " Ohm" in [hint.label for hint in hints]
    assert "  → y" in [hint.label for hint in hints]
    file.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_session_of_reading(client: LanguageClient, folder: Path) -> None:
    file = File(client, folder / "c.mdl", TEXT)
    # behind a character of two UTF-16 units
    at = file.position("R=R", 2)
    place = await client.text_document_definition_async(lsp.DefinitionParams(file.id, at))
    assert (place.uri, place.range.start) == (file.uri, file.position('R (unit="Ohm")'))
    place = await client.text_document_definition_async(lsp.DefinitionParams(file.id, file.position("(resistor)", 1)))
    assert place.uri.endswith("/stdlib/electrical.lib")
    uses = lsp.ReferenceParams(lsp.ReferenceContext(True), file.id, at)
    assert len(await client.text_document_references_async(uses)) == 3
    assert len(await client.text_document_document_highlight_async(lsp.DocumentHighlightParams(file.id, at))) == 3
    outline = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(file.id))
    assert [symbol.name for symbol in outline] == ["LowPass", "twice", "Main"]
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("tank"))
    assert [(s.name, s.location.uri) for s in found if s.name == "Tank"] == [("Tank", uri(folder / "mine.lib"))]
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(file.id))
    assert (folds[0].start_line, folds[0].end_line) == (3, 11)
    (link,) = await client.text_document_document_link_async(lsp.DocumentLinkParams(file.id))
    assert link.target.endswith("/stdlib/electrical.lib")
    inside = file.position("filter(R=", 7)
    signature = await client.text_document_signature_help_async(lsp.SignatureHelpParams(file.id, inside))
    assert signature.signatures[0].label == "LowPass(R=1000, C=1e-6)"
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(file.id))
    assert len(tokens.data) % 5 == 0
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    part = await client.text_document_semantic_tokens_range_async(lsp.SemanticTokensRangeParams(file.id, everything))
    assert part.data == tokens.data
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(file.id))
    uses_of_class = await client.code_lens_resolve_async(lenses[0])
    assert uses_of_class.command.title == "1 use"
    assert next(lens.command.title for lens in lenses if lens.command) == "simulate Main"
    file.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_session_of_changes(client: LanguageClient, folder: Path) -> None:
    """A file with \\r\\n, a library that is open and not saved, and a name that is changed in both."""
    library = File(
        client, folder / "mine.lib", "model class Tank\r\n  parameter size=1\r\n  terminal h\r\n  h = size\r\nend\r\n"
    )
    file = File(
        client, folder / "d.mdl", "@mine.lib\r\nmodel M\r\n  submodel (Tank) t(size=2)\r\n  local   x=t.h\r\nend\r\n"
    )
    await file.errors()
    at = file.position("size=2")
    assert await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(file.id, at))
    edit = await client.text_document_rename_async(lsp.RenameParams(file.id, at, "area"))
    changes = {
        name: sorted((e.range.start.line, e.range.start.character) for e in es) for name, es in edit.changes.items()
    }
    assert changes == {library.uri: [(1, 12), (3, 6)], file.uri: [(2, 20)]}
    with pytest.raises(JsonRpcException, match="reserved"):
        await client.text_document_rename_async(lsp.RenameParams(file.id, at, "connect"))
    options = lsp.FormattingOptions(2, insert_spaces=True)
    (formatted,) = await client.text_document_formatting_async(lsp.DocumentFormattingParams(file.id, options))
    assert formatted.new_text == file.text.replace("   x=t.h", " x=t.h")
    # a mistake in the library shows where it is, and goes with its correction
    library.type("h = size", "h = sise")
    (wrong,) = await library.errors("N002")
    assert wrong.range.start == lsp.Position(3, 6)
    library.type("h = sise", "h = size")
    await library.errors()
    await file.errors()
    library.close()
    file.close()
