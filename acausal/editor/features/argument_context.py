"""Arguments in parentheses around a position: the class that they belong to, and whether a name may stand there."""

from acausal.editor.features.context import Bracket, Context
from acausal.editor.text.names import Names
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse


def starts_argument(bracket: Bracket) -> bool:
    """True where the name of an argument may stand: at the start of parentheses, after a comma or `ic`."""
    return bracket.sign == "(" and (not bracket.inside or bracket.inside[-1].text in (",", "ic"))


def is_declaration(context: Context) -> bool:
    """True where parentheses hold attributes."""
    words = ("parameter", "constant", "local", "terminal", "input", "output", "internal", "external", "discrete")
    return context.keyword in words and len(context.brackets) == 1 and "=" not in since_comma(context.brackets[0])


def since_comma(bracket: Bracket) -> list[str]:
    """The texts of the tokens before a bracket back to a comma outside of brackets."""
    found: list[str] = []
    depth = 0
    for token in reversed(bracket.before):
        depth += (token.text in (")", "]")) - (token.text in ("(", "["))
        if token.text == "," and depth == 0:
            break
        if depth == 0:
            found.append(token.text)
    return found


def argument_class(context: Context, bracket: Bracket, names: Names, home: tuple[ast.Class, ...]) -> ClassUse | None:
    """The class whose parameters are given in a bracket, of a submodel or a superclass."""
    texts = [token.text for token in bracket.before]
    if context.keyword == "submodel" and len(texts) > 3 and len(context.brackets) == 1:
        return _named(texts[2 : _closing(texts)], names, home)
    if context.keyword == "model" and len(context.brackets) == 2:
        inside = context.brackets[0].inside[: len(bracket.before) - len(context.brackets[0].before) - 1]
        found = since_comma(Bracket("(", tuple(inside), ()))
        return _named(list(reversed(found)), names, home)
    return None


def _closing(texts: list[str]) -> int:
    return texts.index(")") if ")" in texts else len(texts)


def _named(texts: list[str], names: Names, home: tuple[ast.Class, ...]) -> ClassUse | None:
    dotted = "".join(texts).partition("<")[0]
    if not dotted:
        return None
    nowhere = names.document.file.span
    return names.used(ast.ClassReference(nowhere, tuple(dotted.split("."))), home)
