"""Misspelled words of the language: where the parser got stuck, before it, and at the begin of a statement."""

from acausal.base.diagnostics import Diagnostic, Label
from acausal.syntax.errors.situation import Situation

_BEGIN = """submodel connect parameter constant local terminal default input output internal external discrete node path
main experiment initial when elsewhen endwhen elseif endif endfor assert terminate model function close""".split()
"""Words that begin a statement."""
_INSIDE = ("then", "else", "elseif", "at", "to", "par", "and", "or", "from", "closing")
"""Words inside statements, searched for where the parser could take them."""
_ALIKE = {"submodule": "submodel", "subsystem": "submodel", "endmodel": "end", "endclass": "end", "endfunction": "end"}
"""Words at the begin of a statement that mean one of ours."""
_WITH_THEN = ("if", "when", "elseif", "elsewhen", "not")
"""Words that `then` follows."""


def misspelled(here: Situation) -> Diagnostic | None:
    """A word of the language with a letter too much, missing, wrong, or two exchanged."""
    first = here.statement()
    if here.kind() == "NAME":
        fitting = [word for word in _INSIDE if word.upper() in here.expected and _is_near(here.text(), word)]
        if fitting:
            exchanged = [word for word in fitting if sorted(word) == sorted(here.text().lower())]
            return _misspelled(here, 0, (exchanged or fitting)[0])
    for step in dict.fromkeys((first, -1)):
        if here.kind(step) != "NAME" or step > 0:
            continue
        if step == first and here.text(step) in _ALIKE:
            return _misspelled(here, step, _ALIKE[here.text(step)])
        wanted = [w for w in _BEGIN if len(w) > 3] if step == first else []
        for word in wanted:
            if _is_near(here.text(step), word):
                return _misspelled(here, step, word)
        if here.kind() in ("NAME", "NUMBER", "LPAR", "NOT") and _has_then(here):
            for word in _WITH_THEN:
                if _is_near(here.text(step), word):
                    return _misspelled(here, step, word)
    return None


def _has_then(here: Situation) -> bool:
    """True if `then` comes later in the statement."""
    step = 0
    while here.kind(step) not in ("_END", ""):
        if here.text(step) == "then":
            return True
        step += 1
    return False


def _misspelled(here: Situation, step: int, word: str) -> Diagnostic:
    return Diagnostic(
        "P024",
        f"`{here.text(step)}` is not a keyword",
        Label(here.span(step)),
        help=f"did you mean `{word}`?",
        fix=here.replaced(word, step),
    )


def _is_near(written: str, word: str) -> bool:
    """True if one letter more, less or other, or two letters exchanged, make one of the other; small letters count."""
    written = written.lower()
    if written == word or abs(len(written) - len(word)) > 1:
        return written == word
    if len(word) == 2 and len(written) < 3:  # one letter of two says little
        return written == word[::-1]
    at = next((i for i, (a, b) in enumerate(zip(written, word, strict=False)) if a != b), min(len(written), len(word)))
    rest, other = written[at:], word[at:]
    same = rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
    return same or (rest[:2] == other[:2][::-1] and rest[2:] == other[2:])
