"""Examples of classes: small models in `stdlib/examples`, one file a library, that instantiate them.

The example of a class is the first model of its library's file that has a submodel of the class; its text is that of
the model, after the includes of the libraries that it uses.
"""

from pathlib import Path

from acausal.base.caches import memoized
from acausal.base.files.paths import stdlib_folder
from acausal.ir import ast
from acausal.reference.data import ExampleEntry
from acausal.reference.libraries import classes
from acausal.syntax.parser import parse
from acausal.syntax.read import read_source


def example_with(class_name: str) -> ExampleEntry | None:
    """The example of a class; None for a superclass, which no model instantiates."""
    return _by_class(stdlib_folder()).get(class_name)


def class_examples() -> tuple[ExampleEntry, ...]:
    """All examples of classes."""
    return _all(stdlib_folder())


@memoized(2)
def _by_class(folder: Path) -> dict[str, ExampleEntry]:
    found: dict[str, ExampleEntry] = {}
    for example in _all(folder):
        for name in example.classes:
            found.setdefault(name, example)
    return found


@memoized(2)
def _all(folder: Path) -> tuple[ExampleEntry, ...]:
    found: list[ExampleEntry] = []
    for path in sorted((folder / "examples").glob("*.mdl")):
        units = parse(read_source(path)).file.units
        includes = [unit.file for unit in units if isinstance(unit, ast.Include)]
        found += [_example(unit, includes) for unit in units if isinstance(unit, ast.Class)]
    return tuple(found)


def _example(model: ast.Class, includes: list[str]) -> ExampleEntry:
    declared = [item for item in model.items if isinstance(item, ast.SubmodelDeclaration)]
    used = tuple(dict.fromkeys([item.class_.names[-1] for item in declared]))
    homes = [home for name in used for home in (classes()[name].library, *classes()[name].also)]
    needed = "".join([f"@{file}\n" for file in includes if file in homes])
    return ExampleEntry(model.name, f"{needed}\n{model.span.text.strip()}\n", used)
