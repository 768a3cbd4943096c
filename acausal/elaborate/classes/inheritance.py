"""Inherited items of a class: inheritance takes over everything; what comes twice from the same class counts once."""

from dataclasses import replace

from acausal.base.diagnostics import ModelError
from acausal.base.near_names import did_you_mean
from acausal.base.source import Span
from acausal.elaborate.classes.declarations import ClassResolver, Declarations
from acausal.elaborate.classes.declared_names import declared_names
from acausal.elaborate.error_helpers import mistake, need_distinct
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse, Written


class Inheritance:
    """Declarations of classes with those of their superclasses."""

    def __init__(self, classes: ClassResolver, mistakes: AllMistakes) -> None:
        self._classes = classes
        self._mistakes = mistakes

    def collect(self, use: ClassUse, into: Declarations) -> None:
        """Collect inherited items, superclass by superclass, then the class's own items; chains may be long."""
        done: dict[ClassUse, None] = {}
        open_: dict[ClassUse, int] = {use: 0}
        while open_:
            current, number = next(reversed(open_.items()))
            supers = current.definition.node.supers
            if not number:
                self._check_lists(supers, current)
            if number:
                try:
                    self._change_all(into, supers[number - 1].arguments, current)
                except ModelError as error:
                    self._mistakes.add(error)
            if number == len(supers):
                del open_[current]
                done[current] = None
                for item in current.definition.node.items:
                    try:
                        into.take(item, current, self._classes)
                    except ModelError as error:
                        self._mistakes.add(error)
                        into.broken += declared_names(item)
                continue
            open_[current] = number + 1
            above = self._classes.resolve(supers[number].class_, current)
            if above in open_:
                raise _inherits_itself(above, list(open_))
            if above not in done:
                open_[above] = 0
        into.lineage = tuple(done)

    def _check_lists(self, supers: tuple[ast.Super, ...], home: ClassUse) -> None:
        """N003 for a superclass with two argument lists, or an argument given twice in one."""
        first: dict[ClassUse, Span] = {}
        for super_ in supers if len(supers) > 1 else ():
            if super_.arguments:
                known = first.setdefault(self._classes.resolve(super_.class_, home), super_.span)
                if known is not super_.span:
                    message = f"the superclass {super_.class_.names[-1]} has two argument lists"
                    others = [(known, "the first list")]
                    hint = "write one list with all values"
                    raise mistake("N003", message, super_.span, "the second list", others=others, hint=hint)
        for super_ in supers:
            need_distinct(super_.arguments)

    def _change_all(self, into: Declarations, arguments: tuple[ast.Argument, ...], home: ClassUse) -> None:
        for argument in arguments:
            before = into.changes.get(argument.name)
            if before is not None and before[1].value != argument.value and not self._inherits(home, before[0]):
                raise mistake(
                    "N017",
                    f"{argument.name} inherits two values",
                    argument.span,
                    "this one",
                    others=[(before[1].span, "and this one")],
                    hint=f"specify the value where both are inherited: (CLASS({argument.name}=...))",
                )
            into.changes[argument.name] = home, argument
            _change(into, argument, home)

    def _inherits(self, use: ClassUse, other: ClassUse) -> bool:
        """True if `other` is `use` itself or above it."""
        stack, seen = [use], {use}
        while stack:
            current = stack.pop()
            if current == other:
                return True
            for super_ in current.definition.node.supers:
                above = self._classes.resolve(super_.class_, current)
                if above not in seen:
                    seen.add(above)
                    stack.append(above)
        return False


def _inherits_itself(use: ClassUse, open_: list[ClassUse]) -> Exception:
    circle = open_[open_.index(use) :]
    places = [(u.definition.node.name_span, "and this one") for u in circle[1:4]]
    return mistake(
        "N007",
        f"{use.name} inherits itself" + (f", through {', '.join(u.name for u in circle[1:4])}" if circle[1:] else ""),
        use.definition.node.name_span,
        "declared here",
        others=places,
        hint="remove one of the superclasses",
    )


def _change(into: Declarations, argument: ast.Argument, home: ClassUse) -> None:
    """An inherited parameter with another value."""
    value = into.values.get(argument.name)
    if value is None or value.kind not in ("parameter", "constant"):
        known = [n for n, v in into.values.items() if v.kind in ("parameter", "constant")]
        raise mistake(
            "N004",
            f"the superclass has no parameter {argument.name}",
            argument.span,
            hint=did_you_mean(argument.name, known) or "give values only to parameters that it declares",
        )
    into.values[argument.name] = replace(value, binding=Written(argument.value, home))
