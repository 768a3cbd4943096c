"""A model given to a Python function: the name of a file, or the text itself."""

import re
from pathlib import Path

from acausal.base.arguments import as_path, as_text
from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.base.files.regular_files import is_file

TEXT_NAME = Path("<text>")
"""Name of a text in messages."""
MODEL_FILES = (".mdl", ".lib")
"""Endings of model files, whose text may be quoted where it is wrong."""
_ONE_LINE = re.compile(r"(?:\s|\{[^}]*\})*(?:model\s|@).*\bend\b[\s;]*\w*[\s;]*")
_LIKE_TEXT = re.compile(r".*[=;{]|\s*(?:model\s|@)")
_SHOWN = 60


def as_source(value: object, text: object = None) -> tuple[Path, str | None]:
    """File and text (None: that of the file) of an argument that is either.

    A string with a line break is the text of a model, and so is one of a single line that begins with `model` (or an
    include) and ends with `end`. Every other string names a file, as a `Path` always does. With `text` the argument
    is the name of that text in messages. ModelError F001 for a string that is neither a file nor, by this rule, a text.
    """
    if text is not None:
        return as_path("file", value), as_text("text", text)
    if isinstance(value, str):
        if "\n" in value or "\r" in value or (not value.endswith(MODEL_FILES) and _ONE_LINE.fullmatch(value)):
            return TEXT_NAME, value
        if not value.endswith(MODEL_FILES) and _LIKE_TEXT.match(value) and not is_file(value):
            raise _neither(value)
    return as_path("file", value), None


def _neither(value: str) -> ModelError:
    shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}..."
    hint = "a string is the text of a model if it has several lines, or begins with `model` and ends with `end`"
    return ModelError(Diagnostic("F001", f"{shown} is neither a file nor the text of a model", help=hint))
