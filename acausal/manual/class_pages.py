"""Pages of classes and libraries."""

from collections.abc import Iterator, Sequence
from textwrap import dedent

from acausal.manual.drawing import drawing
from acausal.manual.markdown import ORPHAN, Pages, code, comment, contents, name, page, prose, section, table
from acausal.reference.class_page import VISIBLE
from acausal.reference.classes import class_entry
from acausal.reference.comments import first_sentence
from acausal.reference.data import ClassEntry, ClassSummary, LibraryEntry, StatementEntry, ValueEntry
from acausal.reference.libraries import classes, libraries


def class_pages() -> Pages:
    """A page for each class and each library, and the list of all libraries."""
    pages = {_place(about): class_markdown(class_entry(about)) for about in classes().values()}
    for library in libraries():
        pages[f"libraries/{_stem(library.name)}.md"] = library_markdown(library)
    rows = [(f"[{lib.name}]({_stem(lib.name)}.md)", str(len(lib.classes)), prose(lib.summary)) for lib in libraries()]
    pages["libraries/index.md"] = page(
        "# Libraries",
        "The classes of the standard library. Write `@electrical.lib` at the beginning of a model to use a library; "
        "`acausal docs resistor` shows the page of a class in the terminal.",
        "In the drawings, circles are cuts, filled ones those of the main cut; colors show the domain. An arrow points "
        "in the direction in which a through variable counts positive, and one inside the box along the main path.",
        table(("library", "classes", "content"), rows),
        contents([_stem(library.name) for library in libraries()], hidden=True),
    )
    return pages


def _stem(file: str) -> str:
    return file.removesuffix(".lib")


def _place(about: ClassSummary) -> str:
    return f"classes/{_stem(about.library)}/{about.name}.md"


def _link(class_name: str, up: str) -> str:
    """A link to the page of a class; the name alone if the standard library has no such class."""
    about = classes().get(class_name)
    return name(class_name) if about is None else f"[{name(class_name)}]({up}{_place(about)})"


def library_markdown(library: LibraryEntry) -> str:
    """The opening comment of a library, its classes and functions."""
    listed = [(_link(about.name, "../"), prose(about.summary)) for about in library.classes]
    calls = [(f"{f.name}({', '.join(f.arguments)})", first_sentence(f.comment)) for f in library.functions]
    same = " and ".join([f"[{other}]({_stem(other)}.md)" for other in library.variant_of])
    return page(
        f"# {library.name}",
        comment(library.comment),
        f"Includes {', '.join([name(file) for file in library.includes])}." if library.includes else "",
        f"Defines the classes of {same} with other equations." if same else "",
        section("Classes", table(("class", "summary"), listed)),
        section("Functions", table(("function", "summary"), [(name(call), prose(text)) for call, text in calls])),
    )


def class_markdown(entry: ClassEntry) -> str:
    """All about one class."""
    about, up = entry.about, "../../"
    shown = drawing(entry)
    return page(
        ORPHAN,
        f"# {about.name}",
        f"Class of [{about.library}]({up}libraries/{_stem(about.library)}.md)",
        comment(about.comment),
        f'<div class="drawing">\n{shown}\n</div>' if shown else "",
        *_parameters(entry),
        section("Cuts and paths", _connections(entry)),
        section("Variables", _values([v for v in entry.variables if v.kind in VISIBLE])),
        section("Internal variables", _values([v for v in entry.variables if v.kind not in VISIBLE])),
        section("Submodels", _statements(entry.submodels)),
        section("Equations", _statements(entry.statements)),
        section("States", _states(entry)),
        section("Structure", "\n".join([f"- {fact}" for fact in _facts(entry, up)])),
        section("Example", code(entry.example.text) if entry.example else ""),
    )


def _parameters(entry: ClassEntry) -> Iterator[str]:
    """Sections of parameters, those of the class itself before those of its superclasses."""
    homes = (entry.about.name, *entry.ancestors)
    values = sorted(entry.parameters, key=lambda value: homes.index(value.home))
    given = [v for v in values if v.kind == "parameter" and not v.computed]
    constants = [v for v in values if v.kind == "constant" and not v.computed]
    yield section("Parameters", _parameter_table(given))
    yield section("Parameters computed from others", _parameter_table([v for v in values if v.computed]))
    yield section("Constants", _parameter_table(constants, "constant"))


def _parameter_table(values: Sequence[ValueEntry], head: str = "parameter") -> str:
    rows = [
        (
            name(v.name + v.dimensions),
            "" if v.type == "real" else v.type,
            name(v.unit or ""),
            name(v.default) if v.default is not None else "required",
            prose("; ".join([part for part in (v.description, *_bounds(v)) if part])),
        )
        for v in values
    ]
    return table((head, "type", "unit", "default", "meaning"), rows)


def _bounds(value: ValueEntry) -> list[str]:
    return [f"{side} `{text}`" for side, text in (("min", value.minimum), ("max", value.maximum)) if text is not None]


def _values(values: Sequence[ValueEntry]) -> str:
    rows = [
        (
            name(v.name + v.dimensions),
            "" if v.kind in ("cut", "local") else v.kind,
            "" if v.type == "real" else v.type,
            name(v.unit or ""),
            prose("; ".join([part for part in (v.description, *_bounds(v)) if part])),
        )
        for v in values
    ]
    return table(("variable", "kind", "type", "unit", "meaning"), rows)


def _connections(entry: ClassEntry) -> str:
    cuts = [f"{'main ' if cut.main else ''}cut {cut.text}" for cut in entry.cuts]
    paths = [f"{'' if number else 'main '}path {path}" for number, path in enumerate(entry.paths)]
    return code("\n".join([*cuts, *paths])) if cuts or paths else ""


def _statements(statements: Sequence[StatementEntry]) -> str:
    """Statements as written, those of each class in a block of their own."""
    homes = list(dict.fromkeys([statement.home for statement in statements]))
    blocks = []
    for home in homes:
        text = "\n".join([dedent(f"  {s.text}") for s in statements if s.home == home])
        blocks.append(code(text if len(homes) == 1 else f"{{ {home} }}\n{text}"))
    return "\n\n".join(blocks)


def _states(entry: ClassEntry) -> str:
    """The variables whose derivatives occur."""
    names = [name(state) if order == 1 else f"{name(state)} ({order} times)" for state, order in entry.states]
    if not names:
        return ""
    return f"Differentiated: {', '.join(names)}. The translator selects the states of a model among these variables."


def _facts(entry: ClassEntry, up: str) -> Iterator[str]:
    """Counts and relatives of a class."""
    about = entry.about
    if entry.equations is not None:
        yield f"scalar equations: {entry.equations}"
    if entry.missing:
        yield f"missing equations: {entry.missing}, from a subclass or from the model around"
    if entry.ancestors:
        yield f"inherits {', '.join([_link(known, up) for known in entry.ancestors])}"
    if entry.inherited_by:
        yield f"inherited by {', '.join([_link(known, up) for known in entry.inherited_by])}"
    if about.also:
        yield f"also in {', '.join([f'[{lib}]({up}libraries/{_stem(lib)}.md)' for lib in about.also])}"
    yield f"defined in {about.file.name}, line {about.line}"
