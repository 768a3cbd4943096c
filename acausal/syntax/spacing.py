"""The words of a statement in their surroundings, and whether a blank stands between two of them."""

from acausal.base.frozen import dataclass

_BLOCKED_BY_NOTHING = frozenset(["initial", "assert", "terminate"])
_ANGLED = frozenset(["model", "submodel", "path"])
_ALWAYS_SPACED = frozenset(["//", ".*", "<=", ">=", "==", "<>", "<", ">"])
_TIGHT = frozenset(["^", ":", "*"])
_RESERVED = frozenset(
    """model class type end function submodel cut main path node connect close at to par reversed parameter constant
    local terminal default input output internal external discrete real integer boolean string experiment initial
    derivative when then elsewhen endwhen if else elseif endif for endfor assert terminate and or not closing from
    as""".split()
)
_DECLARATIONS = _RESERVED - frozenset("end connect close initial when elsewhen if elseif else for assert".split())


@dataclass(frozen=True, slots=True)
class Word:
    """A token in its statement.

    `first` is what the statement begins with (`cut` for `main cut`), `depth` the number of
    brackets round the token, `prefix` whether it is a sign before its operand, `operand` whether it ends one, `loop`
    whether it is the sign behind a loop variable.
    """

    text: str
    first: str
    depth: int
    prefix: bool
    operand: bool
    loop: bool = False

    @property
    def reserved(self) -> bool:
        """True if it is a word of the language."""
        return self.text in _RESERVED


def statement_words(texts: list[str]) -> list[Word]:
    """The tokens of a statement as words."""
    first = texts[1] if texts[0] == "main" else texts[0]
    words: list[Word] = []
    depth, operand = 0, False
    for before, text in zip(("", "", *texts), texts, strict=False):
        depth -= text in (")", "]")
        prefix = text in ("+", "-", "\\") and (not operand or (first == "cut" and depth > 0))
        operand = text not in _RESERVED and (text[0].isalnum() or text[0] in '_")].@') and text != ".*"
        words.append(Word(text, first, depth, prefix, operand, text == "=" and before == "for"))
        depth += text in ("(", "[")
    return words


def spaced(left: Word, right: Word, *, glued: bool) -> bool:
    """True if a blank stands between two neighbours; `glued` is what the author wrote, kept where both are usual."""
    if left.text in ("(", "[") or left.prefix or right.text in (")", "]", ",", ";"):
        return left.text == "reversed"
    if left.text in (",", ";"):
        return True
    if left.loop or right.loop:
        return True
    if "=" in (left.text, right.text):
        return _about_equals(right, glued=glued)
    if right.text in ("(", "["):
        return _before_bracket(left, right, glued=glued)
    if "." in (left.text, right.text):
        return right.first == "cut" and not glued
    return _about_operator(left, right, glued=glued)


def _about_equals(right: Word, *, glued: bool) -> bool:
    if right.first == "cut" or (right.depth == 0 and right.first in _DECLARATIONS):
        return not glued
    return right.depth == 0


def _before_bracket(left: Word, right: Word, *, glued: bool) -> bool:
    if left.operand:
        if right.text == "[":
            return not glued
        return left.text == ")" or not glued or (right.text == "(" and right.first == "cut" and right.depth == 0)
    return left.text not in _BLOCKED_BY_NOTHING and left.text not in _TIGHT and not _tight_slash(left)


def _about_operator(left: Word, right: Word, *, glued: bool) -> bool:
    if right.first in _ANGLED and (left.text == "<" or right.text in ("<", ">")):
        return right.text == "<" and (right.first == "path" or not glued)
    if left.text in _ALWAYS_SPACED or right.text in _ALWAYS_SPACED:
        return True
    if right.first == "connect" and ":" not in (left.text, right.text):
        return True
    return not any(word.text in _TIGHT or _tight_slash(word) for word in (left, right))


def _tight_slash(word: Word) -> bool:
    """A division; the `/` of a cut has blanks round it."""
    return word.text == "/" and word.first != "cut"
