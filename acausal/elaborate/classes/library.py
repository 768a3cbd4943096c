"""A file and all it includes -> the classes that are known in it."""

from pathlib import Path

from acausal.base.options import TranslateOptions
from acausal.elaborate.classes.files import Files, read_main
from acausal.elaborate.classes.include_cache import Included, included_files
from acausal.elaborate.classes.namespaces import NamespaceBuilder, defined_twice
from acausal.ir import ast
from acausal.ir.model.classes import Library, Namespace


def load(file: Path, options: TranslateOptions) -> Library:
    """Read a file and all it includes; errors F001 to F003, P..., N005 and limits."""
    main = read_main(file, options.limits, options.text)
    included = included_files(file, main, options)
    files = Files(options)
    files.parsed.update(included.files.parsed)
    space = Namespace()
    spaces = NamespaceBuilder(files, space, dict(included.prefixed))
    for unit in main.file.units:
        if not isinstance(unit, ast.Include):
            spaces.declare(space, unit)
    _join(space, included)
    notes = tuple([warning for parsed in (main, *files.parsed.values()) for warning in parsed.warnings])
    return Library(space, main.file, notes, included.space, included.templates)


def _join(space: Namespace, included: Included) -> None:
    """Add what is included; N005 for a name that the file itself defines."""
    classes, functions = included.space.classes, included.space.functions
    for name, own in space.classes.items():
        if name in classes:
            raise defined_twice("class", name, classes[name].node.name_span, own.node.name_span)
    for name, function in space.functions.items():
        if name in functions:
            raise defined_twice("function", name, functions[name].span, function.span)
    space.classes.update(classes)
    space.functions.update(functions)
    space.prefixes.update(included.space.prefixes)
