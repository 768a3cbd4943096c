"""Plain data of the features as messages of the protocol."""

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from acausal.editor.features.completion import Completion, Completions
from acausal.editor.features.folding import Fold
from acausal.editor.features.hints import Hint
from acausal.editor.features.hover import Hover
from acausal.editor.features.lenses import Lens
from acausal.editor.features.problems import Problem
from acausal.editor.features.signature import Signature
from acausal.editor.features.symbols import Symbol
from acausal.editor.text.document import Document, Range
from acausal.editor.text.positions import Encoding, Positions
from acausal.editor.text.project import Location, Project

_COMPLETION = {
    "class": lsp.CompletionItemKind.Class,
    "parameter": lsp.CompletionItemKind.Property,
    "variable": lsp.CompletionItemKind.Variable,
    "submodel": lsp.CompletionItemKind.Module,
    "cut": lsp.CompletionItemKind.Interface,
    "node": lsp.CompletionItemKind.Interface,
    "function": lsp.CompletionItemKind.Function,
    "keyword": lsp.CompletionItemKind.Keyword,
    "snippet": lsp.CompletionItemKind.Snippet,
    "file": lsp.CompletionItemKind.File,
    "unit": lsp.CompletionItemKind.Unit,
}
_SYMBOL = {
    "model": lsp.SymbolKind.Module,
    "class": lsp.SymbolKind.Class,
    "function": lsp.SymbolKind.Function,
    "parameter": lsp.SymbolKind.Property,
    "constant": lsp.SymbolKind.Constant,
    "variable": lsp.SymbolKind.Variable,
    "submodel": lsp.SymbolKind.Object,
    "cut": lsp.SymbolKind.Interface,
    "path": lsp.SymbolKind.Interface,
    "node": lsp.SymbolKind.Interface,
    "include": lsp.SymbolKind.File,
}
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_FOLD = {
    "region": lsp.FoldingRangeKind.Region,
    "comment": lsp.FoldingRangeKind.Comment,
    "imports": lsp.FoldingRangeKind.Imports,
}
REFERENCES_COMMAND, SIMULATE_COMMAND = "acausal.showReferences", "acausal.simulate"


def path_of(uri: str) -> Path:
    """The file of a URI; of one that is no file (a new document) its path."""
    found = uris.to_fs_path(uri)
    return Path(found if found is not None else uri.partition(":")[2])


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return uris.from_fs_path(str(path)) or ""


class Messages:
    """Messages about places in the documents of a project."""

    def __init__(self, project: Project, encoding: Encoding, uri_by_path: dict[str, str]) -> None:
        self.project = project
        self.encoding = encoding
        self.uris = uri_by_path
        self._kept: tuple[str, Positions] | None = None

    def positions(self, text: str) -> Positions:
        """The positions of a text; those of the last one are kept."""
        if self._kept is None or self._kept[0] is not text:
            self._kept = text, Positions(text, self.encoding)
        return self._kept[1]

    def range(self, text: str, place: Range) -> lsp.Range:
        """A range of a text."""
        positions = self.positions(text)
        return lsp.Range(lsp.Position(*positions.position(place[0])), lsp.Position(*positions.position(place[1])))

    def uri(self, path: Path) -> str:
        """The URI under which the client has opened a file, else that of the path."""
        document = self.project.document(path)
        opened = self.uris.get(document.real_path) if document is not None else None
        return opened or uri_of(path)

    def location(self, found: Location | None) -> lsp.Location | None:
        """A place in a file; None where the file cannot be read."""
        document = None if found is None else self.project.document(found.path)
        if found is None or document is None:
            return None
        return lsp.Location(self.uri(found.path), self.range(document.text, (found.start, found.end)))

    def edits(self, changes: Iterable[tuple[Location, str]]) -> lsp.WorkspaceEdit:
        """Texts for places, by file."""
        found: dict[str, list[lsp.TextEdit]] = {}
        for place, text in changes:
            at = self.location(place)
            if at is not None:
                found.setdefault(at.uri, []).append(lsp.TextEdit(at.range, text))
        return lsp.WorkspaceEdit(changes=found)

    # ------------------------------------------------------------- features

    def completion(self, document: Document, found: Completions, with_snippets: bool) -> lsp.CompletionList:
        """Proposals, as edits of the word at the cursor."""
        place = self.range(document.text, (found.start, found.end))
        items = [_completion(item, place, number, with_snippets) for number, item in enumerate(found.items)]
        return lsp.CompletionList(is_incomplete=False, items=items)

    def diagnostic(self, problem: Problem) -> lsp.Diagnostic | None:
        """A diagnostic with its further places."""
        at = self.location(problem.location)
        if at is None:
            return None
        related = [(self.location(place), text) for place, text in problem.related]
        return lsp.Diagnostic(
            range=at.range,
            message=problem.message,
            severity=_SEVERITY[problem.severity],
            code=problem.code,
            source="acausal",
            related_information=[
                lsp.DiagnosticRelatedInformation(place, text or "here") for place, text in related if place is not None
            ],
        )

    def action(self, problem: Problem) -> lsp.CodeAction | None:
        """The correction of a problem."""
        if problem.correction is None:
            return None
        diagnostic = self.diagnostic(problem)
        return lsp.CodeAction(
            title=problem.correction.title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[] if diagnostic is None else [diagnostic],
            is_preferred=True,
            edit=self.edits(problem.correction.edits),
        )

    def hover(self, document: Document, found: Hover) -> lsp.Hover:
        """A hover in Markdown."""
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
        return lsp.Hover(content, self.range(document.text, found.range))

    def symbol(self, document: Document, found: Symbol) -> lsp.DocumentSymbol:
        """A symbol with those inside it; classes nest at most as deep as the parser allows."""
        return lsp.DocumentSymbol(
            name=found.name,
            kind=_SYMBOL[found.kind],
            range=self.range(document.text, found.range),
            selection_range=self.range(document.text, found.name_range),
            detail=found.detail,
            children=[self.symbol(document, child) for child in found.children],
        )

    def workspace_symbol(self, document: Document, found: Symbol) -> lsp.WorkspaceSymbol:
        """A class or function for the search in all files."""
        place = lsp.Location(self.uri(document.path), self.range(document.text, found.name_range))
        return lsp.WorkspaceSymbol(name=found.name, kind=_SYMBOL[found.kind], location=place)

    def hint(self, document: Document, found: Hint) -> lsp.InlayHint:
        """A hint inside the text."""
        at = lsp.Position(*self.positions(document.text).position(found.offset))
        return lsp.InlayHint(position=at, label=found.label, tooltip=found.tooltip)

    def lens(self, document: Document, found: Lens, in_terminal: bool) -> lsp.CodeLens | None:
        """A lens; uses are counted when it comes into view."""
        place = self.range(document.text, found.range)
        uri = self.uri(document.path)
        if found.kind == "uses":
            return lsp.CodeLens(place, data={"uri": uri, "line": place.start.line, "column": place.start.character})
        if found.kind == "text":
            return lsp.CodeLens(place, lsp.Command(found.text, ""))
        if not in_terminal:
            return None
        return lsp.CodeLens(
            place, lsp.Command(f"simulate {found.text}", SIMULATE_COMMAND, arguments=[str(document.path), found.text])
        )


def _completion(item: Completion, place: lsp.Range, number: int, with_snippets: bool) -> lsp.CompletionItem:
    plain = not (item.snippet and with_snippets)
    text = item.label if item.snippet and plain else item.text or item.label
    return lsp.CompletionItem(
        label=item.label,
        kind=_COMPLETION[item.kind],
        detail=item.detail or None,
        documentation=item.documentation or None,
        sort_text=f"{number:05}",
        insert_text_format=lsp.InsertTextFormat.PlainText if plain else lsp.InsertTextFormat.Snippet,
        text_edit=lsp.TextEdit(place, text),
    )


def folding(found: Fold) -> lsp.FoldingRange:
    """A range that can be folded."""
    return lsp.FoldingRange(start_line=found.first, end_line=found.last, kind=_FOLD[found.kind])


def signature_help(found: Signature | None) -> lsp.SignatureHelp | None:
    """The signature of what is being called."""
    if found is None:
        return None
    parameters = [lsp.ParameterInformation((start, end), said or None) for start, end, said in found.parameters]
    shown = lsp.SignatureInformation(found.label, found.documentation or None, parameters, found.active)
    return lsp.SignatureHelp([shown], 0, found.active)
