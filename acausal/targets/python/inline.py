"""Functions of our own with all that they call, as one text: the part of a module that is the same for all models.

A definition is a function, class or constant at the top of a module. From the roots on, the names that a definition
uses lead to others: of its module, or of those that this imports. Modules stand in the order of their imports, their
definitions in that of the file; of two definitions with one name the second gets the name of its module in front.
Annotations stay text, as `from __future__ import annotations` has them, so that what only they name is left out.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from functools import cached_property

from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.overlay import Overlay, length_of
from acausal.targets.python.own_module import Definition, OwnModule, Place, used_names, without_imports

OWN = ("Struct", "Overlay")
"""Classes whose definition stands in the header of the text."""


class Inlined:
    """The text of some functions with all that they call.

    Definitions in `absent` are None: what a model does not need. Names in `taken` are those of others.
    """

    def __init__(
        self, roots: Iterable[Definition], absent: Iterable[Definition] = (), taken: Iterable[str] = ()
    ) -> None:
        self._modules: dict[str, OwnModule] = {}
        self._absent, self._taken = dict.fromkeys(absent), tuple(taken)
        self._order: list[str] = []
        self._used: dict[Definition, None] = {}
        self.libraries: dict[tuple[str, str], None] = {}
        """Names imported from Python's library."""
        for root in roots:
            self._use(root)
        for name in list(self._modules):
            self._visit(name)
        self._names = self._unique_names()

    def _module(self, name: str) -> OwnModule:
        if name not in self._modules:
            self._modules[name] = OwnModule(name)
        return self._modules[name]

    def _use(self, start: Definition) -> None:
        waiting = [start]
        while waiting:
            found = waiting.pop()
            if found in self._used:
                continue
            module = self._module(found[0])
            if found in self._absent:
                self._used[found] = None
            elif found[1] in module.imports:
                waiting += self._imported(module.imports[found[1]])
            elif found[1] in module.places and found[1] not in OWN:
                self._used[found] = None
                waiting += reversed(list(self._needed(module, found[1])))

    def _imported(self, definition: Definition) -> list[Definition]:
        if definition[0].startswith("acausal."):
            return [definition]
        self.libraries[definition] = None
        return []

    def _needed(self, module: OwnModule, name: str) -> Iterator[Definition]:
        """Definitions that another one uses; a local import counts as one of the module."""
        node = module.places[name].node
        local = {
            alias.name: (inner.module or "", alias.name)
            for inner in ast.walk(node)
            if isinstance(inner, ast.ImportFrom) and (inner.module or "").startswith("acausal.")
            for alias in inner.names
        }
        for used in used_names(node):
            if used.id in local:
                yield local[used.id]
            elif used.id in module.imports or (used.id in module.places and used.id != name):
                yield module.name, used.id

    def _visit(self, name: str) -> None:
        """Modules in the order of their imports."""
        if name in self._order or name not in self._modules:
            return
        for imported, _ in self._modules[name].imports.values():
            self._visit(imported)
        if name not in self._order:
            self._order.append(name)

    def _unique_names(self) -> dict[Definition, str]:
        found: dict[Definition, str] = {}
        taken = {*(name for _, name in self.libraries), *self._taken}
        for module in self._order:
            for definition in [d for d in self._used if d[0] == module]:
                name = definition[1]
                if name in taken:
                    name = f"{module.rpartition('.')[2]}_{name.strip('_')}"
                taken.add(name)
                found[definition] = name
        return found

    @cached_property
    def _present(self) -> list[Definition]:
        return [definition for definition in self._used if definition not in self._absent]

    # ------------------------------------------------------------ text

    def text(self) -> str:
        """All definitions, with the docstrings of their modules as comments."""
        absent = [f"{self._names[d]} = None  # not needed by this model" for d in self._used if d in self._absent]
        found = [line for name in self._order for line in self._lines_of(self._modules[name])]
        return "\n".join([*absent, *found]) + "\n"

    def _lines_of(self, module: OwnModule) -> Iterator[str]:
        places = {module.places[name]: name for owner, name in self._present if owner == module.name}
        found = sorted(places, key=lambda place: place.node.lineno)
        if not found:
            return
        yield from ["", "", f"# {'-' * 78}", f"# {module.name.removeprefix('acausal.')}", "#"]
        yield from [f"# {line}".rstrip() for line in module.summary]
        was_constant = False
        for place in found:
            is_constant = not isinstance(place.node, ast.FunctionDef | ast.ClassDef)
            yield from [""] if is_constant and was_constant else ["", ""] if not is_constant else [""]
            was_constant = is_constant
            yield from self._definition(module, places[place], place)

    def _definition(self, module: OwnModule, name: str, place: Place) -> list[str]:
        value = module.value(name)
        if isinstance(value, type) and issubclass(value, Overlay):
            return _overlay_text(value)
        lines = module.lines[place.node.lineno - 1 : place.end]
        first = place.node.lineno
        for used in sorted(self._renamed(module, place.node), key=lambda n: (n.lineno, n.col_offset), reverse=True):
            line = lines[used.lineno - first].encode()
            new = self._names[self._target(module, used.id)].encode()
            lines[used.lineno - first] = (
                line[: used.col_offset] + new + line[used.col_offset + len(used.id.encode()) :]
            ).decode()
        own = self._names[module.name, name]
        if own != name and isinstance(place.node, ast.FunctionDef | ast.ClassDef):
            lines[0] = lines[0].replace(f" {name}", f" {own}", 1)
        return without_imports(place.node, lines)

    def _renamed(self, module: OwnModule, node: ast.stmt) -> list[ast.Name]:
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        return [n for n in names if self._names.get(self._target(module, n.id), n.id) != n.id]

    def _target(self, module: OwnModule, name: str) -> Definition:
        """The definition that a name in a module stands for."""
        found = module.name, name
        while found[0] in self._modules and found[1] in self._modules[found[0]].imports:
            found = self._modules[found[0]].imports[found[1]]
        return found


def _overlay_text(struct: type[Overlay]) -> list[str]:
    """A structure in an array, its fields with their lengths: None of a number."""
    doc = (inspect.getdoc(struct) or "").splitlines()
    annotations = inspect.get_annotations(struct)
    lengths = [f'        "{name}": {length_of(kind)},' for name, kind in annotations.items()]
    text = [f'    """{doc[0]}', *[f"    {line}".rstrip() for line in doc[1:]]]
    text[-1:] = [f'{text[-1]}"""'] if len(text) == 1 else [text[-1], '    """']
    return [f"class {struct.__name__}(Overlay):", *text, "", "    fields = {", *lengths, "    }"]


HEADER = '''\
class Struct(SimpleNamespace):
    """Fields by their annotations."""


class Overlay:
    """A structure in an array from `start` on: numbers, and arrays with a length."""

    fields = {}
    words = 0

    def __init__(self, numbers, start):
        self.__dict__.update(numbers=numbers, start=start)

    def __init_subclass__(cls):
        cls.places = {}
        for name, length in cls.fields.items():
            cls.places[name] = cls.words
            cls.words += length or 1

    def __getattr__(self, name):
        at = self.start + self.places[name]
        return self.numbers[at] if self.fields[name] is None else self.numbers[at:]

    def __setattr__(self, name, value):
        self.numbers[self.start + self.places[name]] = value
'''
"""Definitions of the classes in `OWN`."""
assert Struct.__name__ in OWN
