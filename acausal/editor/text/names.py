"""Classes and members that the names of a document can mean: its own classes with all that they include and inherit."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from acausal.base.diagnostics import ModelError
from acausal.base.options import TranslateOptions
from acausal.base.source import SourceFile, Span
from acausal.editor.text.document import Document
from acausal.elaborate.classes.class_lookup import Classes
from acausal.elaborate.classes.files import Files
from acausal.elaborate.classes.include_cache import Included, included_files
from acausal.elaborate.classes.namespaces import NamespaceBuilder
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse, Definition, Library, Namespace, Template
from acausal.syntax.parser import Parsed


class Names:
    """The classes of a document; mistakes in them leave out what they concern.

    `fallback` are the names of the version before, whose included files serve while one of them is broken.
    """

    def __init__(self, document: Document, options: TranslateOptions, fallback: "Names | None" = None) -> None:
        self.document = document
        self.options = options
        self.included = _included(document, options, fallback)
        self._space = Namespace()
        self.library = self._library()
        self._classes = Classes(self.library, options.limits, AllMistakes())

    def _library(self) -> Library:
        files = Files(self.options)
        files.parsed.update(self.included.files.parsed)
        space = self._space
        builder = NamespaceBuilder(files, space, dict(self.included.prefixed))
        for unit in self.document.units:
            if not isinstance(unit, ast.Include):
                try:
                    builder.declare(space, unit)
                except ModelError:
                    continue
        outside = self.included.space
        for name, definition in outside.classes.items():
            space.classes.setdefault(name, definition)
        for name, function in outside.functions.items():
            space.functions.setdefault(name, function)
        space.prefixes.update(outside.prefixes)
        return Library(space, self.document.file, (), outside, self.included.templates)

    @cached_property
    def definitions(self) -> dict[int, Definition]:
        """The definition of each class of the document, by its node."""
        found: dict[int, Definition] = {}
        queue = list(self._space.classes.values())
        for definition in queue:
            found[id(definition.node)] = definition
            queue += [local for space in definition.inner for local in space.classes.values()]
        return found

    def definition(self, node: ast.Class) -> Definition | None:
        """The definition that a class of the document is; None for a second one of its name."""
        return self.definitions.get(id(node))

    def use(self, home: tuple[ast.Class, ...]) -> ClassUse:
        """The class in which a name stands; outside of classes an empty one that sees all of the document."""
        found = self.definition(home[-1]) if home else None
        if found is None:
            found = self._outside
        return ClassUse(found)

    @cached_property
    def _outside(self) -> Definition:
        nowhere = Span(SourceFile(str(self.document.path), ""), 0, 0)
        return Definition(ast.Class(nowhere, "model", "", (), (), (), nowhere), lambda: self._space)

    def template(self, use: ClassUse | None) -> Template | None:
        """The class with all it inherits; None where it has no meaning."""
        if use is None:
            return None
        try:
            return self._classes.template(use)
        except ModelError:
            return None

    def template_around(self, home: tuple[ast.Class, ...]) -> Template | None:
        """The class around a name with all it inherits."""
        return self.template(self.use(home)) if home else None

    def class_named(self, names: tuple[str, ...], home: tuple[ast.Class, ...]) -> Definition | ClassUse | None:
        """The class that a dotted name means; None for a prefix alone."""
        if len(names) == 1 and names[0] in self._space.prefixes:
            return None
        try:
            return self._classes.find(ast.ClassReference(self._outside.node.span, names), self.use(home))
        except ModelError:
            return None

    def used(self, reference: ast.ClassReference | None, home: tuple[ast.Class, ...]) -> ClassUse | None:
        """The class that a reference means, its class parameters settled."""
        if reference is None:
            return None
        try:
            return self._classes.resolve(reference, self.use(home))
        except ModelError:
            found = self.class_named(reference.names, home)
            return ClassUse(found) if isinstance(found, Definition) else found

    def used_definition(self, definition: Definition) -> ClassUse | None:
        """A class with the defaults of its class parameters."""
        node = definition.node
        try:
            return self._classes.use(definition, ast.ClassReference(node.name_span, (node.name,)), None)
        except ModelError:
            return None

    def function(self, name: str, home: tuple[ast.Class, ...]) -> ast.Function | None:
        """A function that the document or its libraries define."""
        return self._classes.function(name, self.use(home))

    def submodel_template(self, names: tuple[str, ...], home: tuple[ast.Class, ...]) -> Template | None:
        """The class of the submodel that is reached through these names from a class; the class itself for none."""
        found = self.template_around(home)
        for name in names:
            submodel = None if found is None else found.submodels.get(name)
            found = None if submodel is None else self.template(submodel.class_)
        return found

    def visible_classes(self, home: tuple[ast.Class, ...]) -> Iterator[tuple[str, Definition]]:
        """Names of classes that can be used in a class, without those behind a prefix."""
        space: Namespace | None = self.use(home).definition.names
        while space is not None:
            yield from space.classes.items()
            space = space.outer

    def file_of(self, unit: ast.Include) -> Path | None:
        """The file that an include names."""
        try:
            return Files(self.options).find(unit, self.document.path.parent)
        except ModelError:
            return None


def _included(document: Document, options: TranslateOptions, fallback: Names | None) -> Included:
    """The included files; while one of them is broken those of before, else all that can be read."""
    main = document.path
    units = tuple([unit for unit in document.units if isinstance(unit, ast.Include)])
    try:
        return included_files(main, _parsed(document.file, units), options)
    except ModelError:
        if fallback is not None and _named(fallback.document) == _named(document):
            return fallback.included
    usable: list[ast.Include] = []
    for unit in units:
        try:
            included_files(main, _parsed(document.file, (*usable, unit)), options)
        except ModelError:
            continue
        usable.append(unit)
    return included_files(main, _parsed(document.file, tuple(usable)), options)


def _named(document: Document) -> list[tuple[str, str | None]]:
    return [(unit.file, unit.prefix) for unit in document.units if isinstance(unit, ast.Include)]


def _parsed(file: ast.File, units: tuple[ast.Include, ...]) -> Parsed:
    return Parsed(ast.File(file.span, units), (), ())
