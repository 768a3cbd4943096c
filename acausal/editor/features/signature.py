"""Signature help: the parameters of the class or function whose parentheses are being filled."""

from acausal.base.frozen import dataclass
from acausal.codes.functions import FUNCTIONS
from acausal.editor.features.argument_context import argument_class
from acausal.editor.features.context import Bracket, context_at
from acausal.editor.features.described import parameters, summary_of
from acausal.editor.text.document import Document
from acausal.editor.text.names import Names
from acausal.reference.data import ValueEntry


@dataclass(frozen=True, slots=True)
class Signature:
    """A line with the places of its parameters, what is said of them, and the number of the one being written."""

    label: str
    parameters: tuple[tuple[int, int, str], ...]
    documentation: str
    active: int | None


def signature(document: Document, names: Names, offset: int) -> Signature | None:
    """The signature at an offset; None outside of parentheses with parameters."""
    context = context_at(document, offset)
    home = document.classes_around(offset)
    for bracket in reversed(context.brackets):
        if bracket.sign != "(" or not bracket.before:
            continue
        name = bracket.before[-1].text
        use = argument_class(context, bracket, names, home)
        if use is not None and bracket is context.brackets[-1]:
            entries = list(parameters(names, use))
            given = _given(bracket)
            number = next((i for i, entry in enumerate(entries) if entry.name == given), None)
            if number is None:
                rest = [i for i, entry in enumerate(entries) if entry.name not in bracket.names]
                number = rest[0] if rest else None
            return _made(
                f"{use.name}(",
                [(_parameter(e), _said(e)) for e in entries],
                summary_of(use.definition, document),
                number,
            )
        function = names.function(name, home)
        if function is not None:
            shown = [(parameter.name, "") for parameter in function.parameters]
            return _made(f"{name}(", shown, function.description or "", min(bracket.argument, len(shown) - 1))
        if name in FUNCTIONS:
            return Signature(FUNCTIONS[name][1], (), FUNCTIONS[name][0], None)
    return None


def _given(bracket: Bracket) -> str:
    """The name before the `=` of the argument at the offset."""
    depth = 0
    for token, following in zip(reversed(bracket.inside[:-1]), reversed(bracket.inside), strict=True):
        depth += (following.text in (")", "]")) - (following.text in ("(", "["))
        if following.text == "," and not depth:
            return ""
        if following.text == "=" and not depth:
            return token.text
    return ""


def _parameter(entry: ValueEntry) -> str:
    return f"{entry.name}{entry.dimensions}" + ("" if entry.default is None else f"={entry.default}")


def _said(entry: ValueEntry) -> str:
    return f"{entry.description}{f' ({entry.unit})' if entry.unit else ''}"


def _made(head: str, shown: list[tuple[str, str]], documentation: str, active: int | None) -> Signature:
    label, places = head, []
    for number, (text, said) in enumerate(shown):
        label += ", " if number else ""
        places.append((len(label), len(label) + len(text), said))
        label += text
    return Signature(f"{label})", tuple(places), documentation, active)
