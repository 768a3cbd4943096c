"""Text that is entered line by line: whether a model, an expression or a list goes on in the next line."""

import re

_COMMENT = re.compile(r"\{[^}]*\}")
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_WORD = re.compile(r"\b(model)\b(?:\s+(class|type)\b)?|\bend\b")
_FILE = re.compile(r"\s*@\s*(\S(?:.*\S)?\.mdl)\s*")
"""A line that names a file, whose path may contain blanks."""
_BEGINS = re.compile(r"\s*(?:(?:model|function)\s+\w|@\s*\S+\.lib\b)")
CONTINUED = (",", "=", "+", "-", "*", "/", "^", "\\")
"""Signs at the end of a line that goes on."""


def begins_model(line: str) -> bool:
    """True for a line that begins a model, a class or a function, or includes a library for one."""
    return _BEGINS.match(line) is not None


def model_file(text: str) -> str | None:
    """The file of a text that is nothing but `@FILE.mdl`."""
    found = _FILE.fullmatch(text)
    return None if found is None else found[1]


def is_whole(text: str) -> bool:
    """True if the text of a model is complete.

    It is with the `end` of a model (that of a class is not enough), with `@FILE.mdl`, and with two empty lines outside
    of models and classes; nothing but an empty line is complete too.
    """
    if model_file(text) or not text.strip():
        return True
    plain = _STRING.sub('""', _COMMENT.sub(" ", text))
    if is_open_comment(text):
        return False
    depth, closed, in_model = 0, False, False
    for word in _WORD.finditer(plain):
        if word[1] is None:
            depth -= 1
            closed = closed or (in_model and depth <= 0)
        else:
            in_model = word[2] is None if depth == 0 else in_model
            depth += 1
    return depth <= 0 and (closed or not "".join(text.split("\n")[-2:]).strip())


def is_open_comment(text: str) -> bool:
    """True if a comment is not closed."""
    return "{" in _STRING.sub('""', _COMMENT.sub(" ", text))


def goes_on(line: str) -> bool:
    """True if an expression or list is not finished: an open bracket, or an operator at the end."""
    plain = _STRING.sub('""', _COMMENT.sub(" ", line)).rstrip()
    opened = sum(plain.count(sign) for sign in "([{") - sum(plain.count(sign) for sign in ")]}")
    return opened > 0 or plain.endswith(CONTINUED)
