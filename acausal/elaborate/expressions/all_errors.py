"""The mistakes of a model, collected so that all are reported at once, each place once.

What only follows from another mistake is a `ModelError` without diagnostics: a name whose declaration is wrong is not
reported again where it is used.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, LimitError, ModelError, UsageError
from acausal.elaborate.scope_protocol import Scope
from acausal.ir import ast
from acausal.ir.ast.walk import nodes_of

MOST = 20
"""The most mistakes that are reported at once."""
MOST_PLACES = 3
"""The most further places of one mistake."""
MOST_RAISED = 500
"""Mistakes in loops and in many instances of a class are found often, and reported once."""
NAMES = frozenset(("N002", "N008", "N018", "T004", "C001"))
"""Codes of names that mean nothing: where there is one in a statement there may be others."""

Look = Callable[[ast.Expression | ast.CutReference], object]


class AllMistakes:
    """Errors found so far."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], Diagnostic] = {}
        self._raised = 0

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, error: ModelError) -> None:
        """Keep the mistake; limits and mistakes of the call end the translation."""
        if isinstance(error, UsageError | LimitError):
            raise error
        for diagnostic in error.report.diagnostics:
            place = diagnostic.primary and diagnostic.primary.span
            self._found.setdefault((diagnostic.code, place or diagnostic.message), diagnostic)
        self._raised += 1
        if len(self._found) >= MOST or self._raised >= MOST_RAISED:
            self.report()

    def add_names(self, error: ModelError, node: ast.Node, look: Look) -> None:
        """Keep a mistake of a statement; if it is a name that means nothing, all such names of the statement."""
        self.add(error)
        found = error.report.diagnostics
        if not found or any(d.code in NAMES for d in found):
            for part in _names_in(node):
                try:
                    look(part)
                except ModelError as other:
                    if any(d.code in NAMES for d in other.report.diagnostics):
                        self.add(other)

    def report(self) -> None:
        """ModelError with all that was found, in the order of the text; nothing where nothing was."""
        if self._found:
            found = _once(self._found.values())
            files = list(dict.fromkeys([d.primary.span.file.name for d in found if d.primary]))
            raise ModelError(*sorted(found, key=lambda d: _place(d, files)))


def _once(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The mistakes, a name that means nothing once for all its places."""
    kept: dict[tuple[str, object], Diagnostic] = {}
    for diagnostic in found:
        place = diagnostic.primary.span if diagnostic.primary is not None else None
        same = kept.setdefault((diagnostic.code, diagnostic.message if diagnostic.code in NAMES else place), diagnostic)
        if same is not diagnostic and place is not None and len(same.secondary) < MOST_PLACES:
            again = replace(
                same, secondary=(*same.secondary, Label(place, "here too")), fix=(*same.fix, *diagnostic.fix)
            )
            kept[diagnostic.code, diagnostic.message] = again
    return list(kept.values())


def _place(diagnostic: Diagnostic, files: list[str]) -> tuple[int, int]:
    if diagnostic.primary is None:
        return len(files), 0
    return files.index(diagnostic.primary.span.file.name), diagnostic.primary.span.start


def _names_in(node: ast.Node) -> Iterator[ast.Reference | ast.Call | ast.CutReference]:
    """References and calls in a statement, but those that name variables of loops in it."""
    nodes = list(nodes_of(node))
    found = [part for part in nodes if isinstance(part, ast.Reference | ast.Call | ast.CutReference)]
    loops = {part.variable for part in nodes if isinstance(part, ast.For | ast.Comprehension)}
    for part in found:
        if isinstance(part, ast.Call) or not loops or not loops.intersection(_simple_names(part)):
            yield part


def _simple_names(node: ast.Reference | ast.CutReference) -> Iterator[str]:
    """Names without dots in a reference, its indices included."""
    for part in nodes_of(node):
        if isinstance(part, ast.Reference) and len(part.parts) == 1:
            yield part.parts[0].name


def look_up(part: ast.Expression | ast.CutReference, scope: Scope) -> None:
    """The mistake of a reference or of the name of a function, if there is one."""
    from acausal.elaborate.expressions.expressions import is_own
    from acausal.elaborate.functions.calls import need_known

    if isinstance(part, ast.Reference) and not is_own(part):
        scope.lookup(part)
    elif isinstance(part, ast.Call):
        need_known(part, scope)
