"""Values of flags that need no conversion, without what typer converts values with.

typer makes a pydantic validator for every flag of a command, given or not: half as long again as all the rest of a
short command. Text, paths and choices are what they are; whatever else is given goes typer's way.
"""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer.core import TyperCommand, TyperGroup

# typer's own types differ from version to version.
Parameter = Any
Context = Any
Value = Any


class PlainCommand(TyperCommand):
    """A command whose flags check their values before typer does."""

    def get_params(self, ctx: Context) -> list[Parameter]:
        """All flags, --help too."""
        return [_looking_first(param) for param in super().get_params(ctx)]


class PlainGroup(TyperGroup):
    """The same for what stands before the command."""

    def get_params(self, ctx: Context) -> list[Parameter]:
        """All flags, --help too."""
        return [_looking_first(param) for param in super().get_params(ctx)]


def _looking_first(param: Parameter) -> Parameter:
    """The flag; in versions of typer without validators as it was."""
    others = getattr(param, "get_runtime_param", None)
    if others is not None and not isinstance(others, _Plain):
        param.get_runtime_param = _Plain(param, others)
    return param


class _Plain:
    """In place of typer's way from a value to the argument of the command, which is made where it is needed."""

    def __init__(self, param: Parameter, others: Value) -> None:
        self._kind = param.type_descriptor.annotation
        self._single = not param.multiple and param.nargs == 1
        self._others = others

    def __call__(self) -> "_Plain":
        return self

    def coerce(self, value: Value, param: Parameter, ctx: Context) -> Value:
        """The argument."""
        kind = self._kind
        if value is None:
            return None if self._single else ()
        if self._single and isinstance(value, str):
            if kind is str or (get_origin(kind) is Literal and value in get_args(kind)):
                return value
            if kind is Path:
                return Path(value)
        elif get_origin(kind) is list and get_args(kind)[0] in (str, Path) and isinstance(value, tuple | list):
            return [get_args(kind)[0](item) for item in value]
        elif kind is bool and isinstance(value, bool):
            return value
        return self._others().coerce(value, param=param, ctx=ctx)
