"""Files and their includes -> the spaces of names of classes.

    @electrical.lib         its classes join those of this file
    @electrical.lib as el   its classes are el.resistor, el.capacitor, ...

A file is put into a space once however often it is included there.
"""

from pathlib import Path
from weakref import ref

from acausal.base.diagnostics import Diagnostic, Label, LimitError, ModelError
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.elaborate.classes.files import Files
from acausal.elaborate.error_helpers import mistake, need_distinct, need_free
from acausal.elaborate.functions.calls import BUILT_IN
from acausal.ir import ast
from acausal.ir.model.classes import Definition, Namespace


@dataclass(frozen=True, slots=True)
class _Included:
    """Units of a file that are to be put into a space, `depth` includes below the main file."""

    path: Path
    units: tuple[ast.Include | ast.Function | ast.Class, ...]
    depth: int


class NamespaceBuilder:
    """Fills `top`, and the spaces of the files that are included under a prefix (`prefixed`, by the files' places).

    `met` is true if an include led back to the main file, whose place is `main`.
    """

    def __init__(self, files: Files, top: Namespace, prefixed: dict[Path, Namespace]) -> None:
        self.files = files
        self.top = top
        self.prefixed = prefixed
        self.main: Path | None = None
        self.met = False

    def include_all(self, units: tuple[ast.Include, ...], main: Path) -> None:
        """Include all files of the main file."""
        self.main = main.resolve()
        self._fill(self.top, _Included(main, units, 0))

    def declare(self, space: Namespace, unit: ast.Class | ast.Function) -> None:
        """Put a class or function into a space; N005 where there is one of this name."""
        if isinstance(unit, ast.Function):
            old = space.functions.get(unit.name)
            if old is not None:
                raise defined_twice("function", unit.name, unit.span, old.span)
            _check_function(unit)
            space.functions[unit.name] = unit
            return
        known = space.classes.get(unit.name)
        if known is not None:
            raise defined_twice("class", unit.name, unit.name_span, known.node.name_span)
        need_distinct(unit.parameters, "declared")
        definition = space.classes[unit.name] = Definition(unit, ref(space))
        self._declare_local(definition)

    def _declare_local(self, definition: Definition) -> None:
        """Local classes and functions; nesting is limited by the parser."""
        local = [u for u in definition.node.items if isinstance(u, ast.Class | ast.Function | ast.Include)]
        if not local and not definition.node.parameters:
            return
        inner = Namespace(ref(definition.space), ref(definition))
        definition.inner.append(inner)
        for unit in local:
            if isinstance(unit, ast.Include):
                path = self.files.find(unit, Path(unit.span.file.name).parent)
                self._fill(inner, _Included(path, self.files.read(path, unit.span).units, 1))
            else:
                self.declare(inner, unit)

    def _fill(self, space: Namespace, file: _Included) -> None:
        """Put the classes of a file and of those it includes into a space."""
        done: set[Path] = {file.path.resolve()}
        queue = [file]
        for included in queue:
            for unit in included.units:
                if isinstance(unit, ast.Include):
                    self._include(space, unit, included, done, queue)
                else:
                    self.declare(space, unit)

    def _include(
        self, space: Namespace, unit: ast.Include, file: _Included, done: set[Path], queue: list[_Included]
    ) -> None:
        path = self.files.find(unit, file.path.parent)
        most = self.files.limits.include_depth
        if file.depth >= most:
            message = f"a chain of includes has more than {most} files"
            hint = "raise the limit with --limit include_depth=NUMBER"
            raise LimitError(Diagnostic("L003", message, Label(unit.span, "this file exceeds the limit"), help=hint))
        place = path.resolve()
        self.met = self.met or place == self.main
        if unit.prefix is None and place in done:
            return
        included = _Included(path, self.files.read(path, unit.span).units, file.depth + 1)
        if unit.prefix is None:
            done.add(place)
            queue.append(included)
        else:
            self._prefix(space, unit, unit.prefix, included)

    def _prefix(self, space: Namespace, unit: ast.Include, prefix: str, file: _Included) -> None:
        """One space for each file that is included under a prefix, so that circles end."""
        place = file.path.resolve()
        inner = self.prefixed.get(place)
        known = space.prefixes.get(prefix)
        if known is not None and known is not inner:
            raise mistake("N005", f"two files are included as {prefix}", unit.span, hint="use another prefix")
        if inner is None:
            inner = self.prefixed[place] = Namespace(ref(self.top))
            self._fill(inner, file)
        space.prefixes[prefix] = inner


def _check_function(unit: ast.Function) -> None:
    """N021 for the name of a function of the language, or of a value of its own; N003 for a parameter named twice."""
    if unit.name in BUILT_IN:
        message = f"`{unit.name}` is a built-in function and cannot be redefined"
        hint = f"rename it, for example to `{unit.name}1`"
        raise mistake("N021", message, unit.span, "defined here", hint=hint)
    for parameter in unit.parameters:
        need_free(parameter.name, parameter.span)
    need_distinct(unit.parameters, "declared")


def defined_twice(what: str, name: str, second: Span, first: Span) -> ModelError:
    """N005: a class or function is defined at two places."""
    files = dict.fromkeys([first.file.name, second.file.name])
    where = f"in {' and in '.join(files)}" if len(files) > 1 else f"twice in {second.file.name}"
    return mistake(
        "N005",
        f"the {what} {name} is defined {where}",
        second,
        "redefined",
        others=[(first, "first defined here")],
        hint="rename one of them, or include one of the files with a prefix: @FILE as NAME",
    )
