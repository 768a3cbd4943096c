"""The page of a class."""

from collections.abc import Iterator, Sequence

from acausal.reference.comments import paragraphs
from acausal.reference.data import ClassEntry, StatementEntry, ValueEntry
from acausal.reference.page import Block, Code, Page, Paragraph, Section, Table

VISIBLE = ("cut", "terminal", "input", "output")
"""Kinds of variables that models around a class can use."""


def class_page(entry: ClassEntry) -> Page:
    """All about a class on one page."""
    about = entry.about
    return Page(about.name, f"class, {about.library}", tuple([s for s in _sections(entry) if s.blocks]))


def _sections(entry: ClassEntry) -> Iterator[Section]:
    yield Section("", comment_blocks(entry.about.comment))
    parameters = _own_first(entry)
    yield _values("Parameters", [p for p in parameters if p.kind == "parameter" and not p.computed])
    yield _values("Parameters computed from others", [p for p in parameters if p.computed])
    yield _values("Constants", [p for p in parameters if p.kind == "constant" and not p.computed])
    yield Section("Cuts and paths", _connections(entry))
    yield _values("Variables", [v for v in entry.variables if v.kind in VISIBLE])
    yield _values("Internal variables", [v for v in entry.variables if v.kind not in VISIBLE])
    yield _statements("Submodels", entry.submodels)
    yield _statements("Equations", entry.statements)
    yield Section("Structure", (Table(tuple([(name, text) for name, text in _facts(entry) if text])),))
    if entry.example is not None:
        yield Section("Example", (Code(entry.example.text.rstrip()),))


def _own_first(entry: ClassEntry) -> list[ValueEntry]:
    """The parameters of the class itself, then those of its superclasses, nearest first."""
    homes = (entry.about.name, *entry.ancestors)
    return sorted(entry.parameters, key=lambda value: homes.index(value.home))


def comment_blocks(comment: str) -> tuple[Block, ...]:
    """A comment as paragraphs and formulas."""
    return tuple([Code(part) if part.startswith(" ") else Paragraph(part) for part in paragraphs(comment)])


def _values(heading: str, values: Sequence[ValueEntry]) -> Section:
    blocks: list[Block] = []
    rows = [_row(value) for value in values]
    described = [row for row in rows if any(row[1:])]
    if described:
        blocks.append(Table(tuple(described)))
    if len(described) < len(rows):
        blocks.append(Paragraph(", ".join([row[0] for row in rows if not any(row[1:])])))
    return Section(heading, tuple(blocks))


def _row(value: ValueEntry) -> tuple[str, ...]:
    kind = "" if value.kind in ("parameter", "constant", "cut", "local") else value.kind
    given = f"= {value.default}" if value.default is not None else "required" if value.kind == "parameter" else ""
    bounds = [f"{side} {text}" for side, text in (("min", value.minimum), ("max", value.maximum)) if text is not None]
    kinds = " ".join([word for word in (kind, "" if value.type == "real" else value.type) if word])
    described = [value.description, *bounds]
    if len(given) > _SHORT:
        described, given = [*described, given], ""
    return value.name + value.dimensions, value.unit or "", kinds, given, "; ".join([d for d in described if d])


_SHORT = 14
"""Longest default value that stands in a column of its own."""


def _connections(entry: ClassEntry) -> tuple[Block, ...]:
    cuts = [f"{'main ' if cut.main else ''}cut {cut.text}" for cut in entry.cuts]
    paths = [f"{'' if number else 'main '}path {path}" for number, path in enumerate(entry.paths)]
    return (Code("\n".join([*cuts, *paths])),) if cuts or paths else ()


def _statements(heading: str, statements: Sequence[StatementEntry]) -> Section:
    """Statements as written, those of each class after its name where several classes have some."""
    homes = list(dict.fromkeys([statement.home for statement in statements]))
    blocks: list[Block] = []
    for home in homes:
        text = "\n".join([_dedented(s.text) for s in statements if s.home == home])
        blocks.append(Code(text if len(homes) == 1 else f"{{ {home} }}\n{text}"))
    return Section(heading, tuple(blocks))


def _dedented(text: str) -> str:
    """A statement without the indentation that its further lines have in a class."""
    return "\n".join([line.removeprefix("  ") for line in text.split("\n")])


def _facts(entry: ClassEntry) -> Iterator[tuple[str, str]]:
    """Counts and names that the equations and superclasses give."""
    about = entry.about
    if entry.equations is not None:
        yield "scalar equations", f"{entry.equations}"
    if entry.missing:
        yield "missing", f"{entry.missing} more, from a subclass or from the model around"
    if entry.states:
        names = [name if order == 1 else f"{name} ({order} times)" for name, order in entry.states]
        yield "differentiated", ", ".join(names)
    yield "inherits", ", ".join(entry.ancestors)
    yield "inherited by", ", ".join(entry.inherited_by)
    yield "also in", ", ".join(about.also)
    yield "defined in", f"{about.file.name}, line {about.line}"
