"""Errors with a place, in the user's words."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from acausal.base.diagnostics import Diagnostic, Edit, Label, ModelError
from acausal.base.near_names import Suggestion
from acausal.base.source import Span
from acausal.ir.model.instance import Instance


class Named(Protocol):
    """An item of a list with its name and place."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def span(self) -> Span:
        """Position of the token."""


def mistake(
    code: str,
    message: str,
    span: Span,
    text: str = "",
    *,
    others: Sequence[tuple[Span, str]] = (),
    notes: tuple[str, ...] = (),
    hint: str | None = None,
    fix: tuple[Edit, ...] = (),
) -> ModelError:
    """One error at `span`, where `text` is said; `others` are further places with what is said there."""
    secondary = tuple(Label(place, said) for place, said in others)
    if isinstance(hint, Suggestion):
        fix = hint.edits(span)
    return ModelError(Diagnostic(code, message, Label(span, text), secondary, notes, hint, fix=fix))


OWN_VALUES = ("time", "pi")
"""Values of the language itself, which no declaration can give another meaning."""


def need_free(name: str, span: Span) -> None:
    """N021 for a value, argument or loop variable with a name that means something in every expression."""
    if name in OWN_VALUES:
        what = "the time of the run" if name == "time" else "the number 3.14159..."
        raise mistake(
            "N021", f"`{name}` cannot be declared: it is {what}", span, hint=f"rename it, for example to `{name}1`"
        )


def need_distinct(given: Iterable[Named], what: str = "given") -> None:
    """N003 for a name that is given twice, as an attribute, an argument, or in a list of parameters."""
    first: dict[str, Span] = {}
    for item in given:
        known = first.setdefault(item.name, item.span)
        if known is not item.span:
            others = [(known, f"first {what} here")]
            message, hint = f"{item.name} is {what} twice", "remove one of them"
            raise mistake("N003", message, item.span, f"{what} again", others=others, hint=hint)


def without_sign(instance: Instance, name: str, sign: str) -> Suggestion | None:
    """A hint where the sign between a submodel and its cut or variable is missing: `controlu` for `control.u`."""
    for child, part in instance.children.items():
        rest = name.removeprefix(child)
        if rest and rest != name and isinstance(part, Instance):
            values = [v.name for v in part.template.values.values() if v.kind != "local"]
            if rest in (part.template.cuts if sign == ":" else values):
                return Suggestion.of(name, f"{child}{sign}{rest}")
    return None
