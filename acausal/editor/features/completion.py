"""Completion: what can stand at an offset, by the statement that is being written."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from acausal.base.files.paths import stdlib_folder
from acausal.base.frozen import dataclass
from acausal.codes.functions import FUNCTIONS
from acausal.codes.words import WORDS
from acausal.editor.features.argument_context import argument_class, is_declaration, starts_argument
from acausal.editor.features.context import Bracket, Context, context_at
from acausal.editor.features.described import parameters, summary_of, values_of
from acausal.editor.text.document import Document
from acausal.editor.text.language import ATTRIBUTE_WORDS, EXPERIMENT_WORDS, SMALL_WORDS, SNIPPETS
from acausal.editor.text.names import Names
from acausal.elaborate.classes.attributes import STATES
from acausal.ir import ast
from acausal.ir.model.classes import Definition, GroupCut, Template
from acausal.reference.data import ValueEntry
from acausal.units.unit_table import UNITS

CompletionKind = Literal[
    "class", "parameter", "variable", "submodel", "cut", "node", "function", "keyword", "snippet", "file", "unit"
]
_HIDDEN = ("local",)


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: `text` takes the place of the word; with `snippet` it has places to fill in."""

    label: str
    kind: CompletionKind
    detail: str = ""
    text: str = ""
    documentation: str = ""
    snippet: bool = False


@dataclass(frozen=True, slots=True)
class Completions:
    """Proposals for the characters `start` to `end`."""

    start: int
    end: int
    items: tuple[Completion, ...]


def complete(document: Document, names: Names, offset: int) -> Completions:
    """Proposals for an offset."""
    context = context_at(document, offset)
    home = document.classes_around(offset)
    found = list(_proposals(context, names, home))
    known = {item.label: item for item in reversed(found)}
    items = [known[label] for label in dict.fromkeys([item.label for item in found])]
    return Completions(context.start, offset, tuple(items))


def _proposals(context: Context, names: Names, home: tuple[ast.Class, ...]) -> Iterator[Completion]:
    match context.within:
        case "COMMENT":
            return
        case "INCLUDE":
            yield from _files(names.document)
            return
        case "STRING":
            yield from _strings(context)
            return
    bracket = context.brackets[-1] if context.brackets else None
    if _wants_class(context, bracket):
        yield from _classes(names, home, context.path)
    elif context.keyword in ("connect", "close", "path") or (context.keyword in ("cut", "main") and bracket is None):
        yield from _connectors(context, names, home)
    elif bracket is not None and starts_argument(bracket):
        yield from _arguments(context, bracket, names, home)
    elif not context.statement:
        yield from _statements(names, home)
    else:
        yield from _values(context, names, home)


def _wants_class(context: Context, bracket: Bracket | None) -> bool:
    """True in the parentheses behind `submodel` and in the head of a class, and behind `closing`."""
    if context.statement and context.statement[-1].text == "closing":
        return True
    if bracket is None or bracket.sign != "(":
        return False
    before = [token.text for token in bracket.before]
    return before in (["submodel"], ["model"], ["model", "class"], ["model", "type"])


def _classes(names: Names, home: tuple[ast.Class, ...], path: tuple[str, ...]) -> Iterator[Completion]:
    if path:
        space = names.library.space.prefixes.get(path[0])
        for name, definition in ({} if space is None else space.classes).items():
            yield _class(name, definition, names.document)
        return
    for formal in [p for outer in home for p in outer.parameters]:
        yield Completion(formal.name, "class", "class parameter")
    for name, definition in names.visible_classes(home):
        if definition.node.kind != "model":
            yield _class(name, definition, names.document)
    for prefix in names.library.space.prefixes:
        yield Completion(prefix, "file", "prefix of a library", f"{prefix}.")


def _class(name: str, definition: Definition, document: Document) -> Completion:
    file = Path(definition.node.span.file.name).name
    return Completion(name, "class", file, documentation=summary_of(definition, document))


def _connectors(context: Context, names: Names, home: tuple[ast.Class, ...]) -> Iterator[Completion]:
    """Submodels, cuts, paths and nodes; behind a colon cuts, behind a dot submodels."""
    template = names.submodel_template(context.path, home)
    if template is None:
        return
    if context.colon:
        yield from _cuts(template)
        return
    for name, submodel in template.submodels.items():
        yield Completion(name, "submodel", submodel.class_.name)
    if not context.path:
        yield from _cuts(template)
        yield from [Completion(name, "cut", "path") for name in template.paths]
        yield from [Completion(name, "node", "node") for name in template.nodes]
        if not context.statement[1:] or context.statement[-1].text in (",", "to", "-", "connect"):
            yield from [Completion(word, "keyword", WORDS[word][0]) for word in ("loop", "join", "branch", "reversed")]
        yield from [Completion(word, "keyword", WORDS[word][0]) for word in ("to", "at", "par", "from")]


def _cuts(template: Template) -> Iterator[Completion]:
    for name, cut in template.cuts.items():
        kind = "hierarchical cut" if isinstance(cut, GroupCut) else "cut"
        yield Completion(name, "cut", kind, documentation=" ".join(cut.span.text.split()))


def _arguments(context: Context, bracket: Bracket, names: Names, home: tuple[ast.Class, ...]) -> Iterator[Completion]:
    """Names that can be given in parentheses: parameters, initial values, attributes."""
    given = bracket.names
    use = argument_class(context, bracket, names, home)
    if use is not None and bracket.inside[:1] and bracket.inside[0].text == "ic":
        template = names.template(use)
        for entry in () if template is None else values_of(template).values():
            if entry.kind not in ("parameter", "constant") and entry.name not in given:
                yield _assignment(entry)
    elif use is not None:
        yield from [_assignment(entry) for entry in parameters(names, use) if entry.name not in given]
        if not bracket.inside:
            yield Completion("ic", "keyword", WORDS["ic"][0], "ic ")
    elif context.keyword == "experiment":
        words = {word: text for word, text in EXPERIMENT_WORDS.items() if word not in given}
        yield from [Completion(word, "parameter", text, f"{word}=") for word, text in words.items()]
    elif is_declaration(context):
        words = {word: text for word, text in ATTRIBUTE_WORDS.items() if word not in given}
        yield from [Completion(word, "parameter", text, f"{word}=") for word, text in words.items()]
    else:
        yield from _values(context, names, home)


def _assignment(entry: ValueEntry) -> Completion:
    unit = f" ({entry.unit})" if entry.unit else ""
    default = f" = {entry.default}" if entry.default is not None else ", required" if entry.kind == "parameter" else ""
    return Completion(entry.name, "parameter", f"{entry.description}{unit}{default}", f"{entry.name}=")


def _values(context: Context, names: Names, home: tuple[ast.Class, ...]) -> Iterator[Completion]:
    """Names in an expression."""
    template = names.submodel_template(context.path, home)
    if context.path:
        yield from _members(template)
        return
    if template is not None:
        yield from [_value(entry) for entry in values_of(template).values()]
        yield from [Completion(name, "submodel", s.class_.name) for name, s in template.submodels.items()]
    for name, function in _functions(names, home):
        arguments = ", ".join([parameter.name for parameter in function.parameters])
        yield Completion(name, "function", f"function {name}({arguments})", f"{name}(")
    yield from [Completion(name, "function", FUNCTIONS[name][0], f"{name}(") for name in FUNCTIONS]
    yield from [Completion(word, "keyword", WORDS[word][0]) for word in SMALL_WORDS]


def _members(template: Template | None) -> Iterator[Completion]:
    """Visible members of a submodel."""
    if template is None:
        return
    entries: Iterable[ValueEntry] = values_of(template).values()
    yield from [_value(entry) for entry in entries if entry.kind not in _HIDDEN]
    yield from [Completion(name, "submodel", submodel.class_.name) for name, submodel in template.submodels.items()]


def _value(entry: ValueEntry) -> Completion:
    kind: CompletionKind = "parameter" if entry.kind in ("parameter", "constant") else "variable"
    unit = f" ({entry.unit})" if entry.unit else ""
    return Completion(entry.name, kind, f"{entry.kind}{unit}", documentation=entry.description)


def _functions(names: Names, home: tuple[ast.Class, ...]) -> Iterator[tuple[str, ast.Function]]:
    space = names.use(home).definition.names
    while space is not None:
        yield from space.functions.items()
        if space.outer is None:
            return
        space = space.outer


def _statements(names: Names, home: tuple[ast.Class, ...]) -> Iterator[Completion]:
    """Words that begin a statement, with the form of the statement; inside a class its values, for equations."""
    for label, (text, where) in SNIPPETS.items():
        if where == "both" or (where == "class") == bool(home):
            word = label.split(" ", maxsplit=1)[0]
            yield Completion(label, "snippet", WORDS.get(word, ("",))[0], text, snippet=True)
    if home:
        yield from _values(Context(), names, home)


def _files(document: Document) -> Iterator[Completion]:
    for path in sorted([*stdlib_folder().glob("*.lib"), *document.path.parent.glob("*.lib")]):
        if path != document.path:
            yield Completion(path.name, "file", "standard library" if path.parent == stdlib_folder() else "library")


def _strings(context: Context) -> Iterator[Completion]:
    """Units behind `unit=`, preferences behind `state=`."""
    texts = [token.text for token in context.statement[-2:]]
    if texts == ["unit", "="]:
        yield from [Completion(unit, "unit", "unit") for unit in UNITS]
    if texts == ["state", "="]:
        yield from [Completion(word, "keyword") for word in STATES]
