"""XML as elements with their places. Documents with a DTD are rejected: no entity is ever expanded or fetched."""

from collections.abc import Callable, Iterator
from dataclasses import field
from xml.parsers import expat

from acausal.base.diagnostics import Diagnostic, Label, LimitError, ModelError
from acausal.base.frozen import dataclass
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Document:
    """A kind of document: the code of mistakes in it, its name with an article, its root element."""

    code: str
    name: str
    root: str


@dataclass(slots=True)
class Element:
    """An element: `tag` with its prefix, attributes, children.

    `start` is the offset of its `<`, `code` that of mistakes in it.
    """

    tag: str
    attributes: dict[str, str]
    file: SourceFile
    start: int
    code: str
    children: "list[Element]" = field(default_factory=list)

    @property
    def span(self) -> Span:
        """The start tag, or its first line."""
        end = self.file.text.find(">", self.start) + 1 or self.start + 1
        newline = self.file.text.find("\n", self.start, end)
        return Span(self.file, self.start, end if newline < 0 else newline)

    def all(self, tag: str) -> "Iterator[Element]":
        """The children of a tag."""
        return (child for child in self.children if child.tag == tag)

    def fault(self, message: str, help_: str | None = None, *others: "Element") -> ModelError:
        """An error at this element."""
        secondary = tuple([Label(other.span, "the other one") for other in others])
        return ModelError(Diagnostic(self.code, message, Label(self.span), secondary, help=help_))


class _Builder:
    """Elements from the events of expat."""

    def __init__(self, file: SourceFile, kind: Document, limits: Limits) -> None:
        self.file, self.kind, self.limits = file, kind, limits
        self.data = file.text.encode("utf-8")
        self.bytes = self.characters = 0
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.reject
        self.parser.EntityDeclHandler = self.reject

    def here(self) -> int:
        """The offset in characters where the parser is; expat counts bytes."""
        at = max(self.parser.CurrentByteIndex, self.bytes)
        self.characters += len(self.data[self.bytes : at].decode("utf-8", errors="ignore"))
        self.bytes = at
        return min(self.characters, max(len(self.file.text) - 1, 0))

    def label(self, text: str = "") -> Label:
        start = self.here()
        return Label(Span(self.file, start, min(start + 1, len(self.file.text))), text)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= self.limits.nesting:
            message = f"elements are nested more than {self.limits.nesting} deep"
            help_ = "raise the limit with --limit nesting=NUMBER"
            raise LimitError(Diagnostic("L002", message, self.label(), help=help_))
        element = Element(tag, dict(attributes), self.file, self.here(), self.kind.code)
        if self.open:
            self.open[-1].children.append(element)
        elif self.root is None:
            self.root = element
        self.open.append(element)

    def end(self, _tag: str) -> None:
        self.open.pop()

    def reject(self, *_declaration: object) -> None:
        message = "document type declarations are not allowed"
        help_ = "remove <!DOCTYPE ...>: entities are never expanded or fetched"
        raise ModelError(Diagnostic(self.kind.code, message, self.label(f"{self.kind.name} has none"), help=help_))


def read_elements(file: SourceFile, kind: Document, limits: Limits) -> Element:
    """The root element; ModelError with the code of its kind where the text is not well-formed XML, or has a DTD."""
    builder = _Builder(file, kind, limits)
    parse: Callable[[str, bool], int] = builder.parser.Parse
    try:
        parse(file.text, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "syntax error")
        help_ = f"{kind.name} is an XML file whose root element is <{kind.root}>"
        raise ModelError(Diagnostic(kind.code, f"invalid XML: {reason}", builder.label(), help=help_)) from None
    assert builder.root is not None, "expat rejects a document without elements"
    return builder.root
