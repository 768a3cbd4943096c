"""Values of flags that need no conversion, without what typer converts values with.

typer makes a pydantic validator for every flag of a command, given or not: half as long again as all the rest of a
short command. Text, paths and choices are what they are; whatever else is given goes typer's way.
"""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer import BadParameter
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

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """The arguments; an option without its value is answered with what it takes.

        They stay as they were typed in `ctx.meta["arguments"]`, for scripts that repeat the command.
        """
        ctx.meta["arguments"] = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except Exception as error:  # the class is that of the click inside typer
            if getattr(error, "option_name", None) and str(error).endswith(_NO_VALUE):
                _add_form(error, self.params)
            raise


class PlainGroup(TyperGroup):
    """The same for what stands before the command."""

    def get_params(self, ctx: Context) -> list[Parameter]:
        """All flags, --help too."""
        return [_looking_first(param) for param in super().get_params(ctx)]


_NO_VALUE = "requires an argument."
"""End of the message about an option without its value."""


def _add_form(error: Any, params: list[Parameter]) -> None:  # noqa: ANN401
    """Add to the message of an option without its value what the value is."""
    for param in params:
        if error.option_name in param.opts:
            error.message = f"{error.message[:-1]}: {error.option_name} {param.metavar} ({param.help})"


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
            if get_origin(kind) is Literal:
                raise BadParameter(_unknown(value, get_args(kind)), ctx, param)
            if kind is Path:
                return Path(value)
            if kind is float:
                return _number(value, param, ctx)
        elif get_origin(kind) is list and get_args(kind)[0] in (str, Path) and isinstance(value, tuple | list):
            return [get_args(kind)[0](item) for item in value]
        elif kind is bool and isinstance(value, bool):
            return value
        return self._others().coerce(value, param=param, ctx=ctx)


_UNITS = {"stop": "s", "interval": "s"}
"""Units of flags whose values may have one: `--stop 10ms`."""


def _number(text: str, param: Parameter, ctx: Context) -> float:
    try:
        return float(text)
    except ValueError:
        pass
    from acausal.base.diagnostics import UsageError
    from acausal.given_number import given_number, number_hint
    from acausal.units.given_quantity import GivenQuantity

    found = given_number(text)
    if found is None or isinstance(found, bool):
        hint = number_hint(text)
        raise BadParameter(f"{text} is not a number" + (f": {hint}" if hint else "."), ctx, param)
    if not isinstance(found, GivenQuantity):
        return found
    unit = _UNITS.get(param.name)
    if unit is None:
        raise BadParameter(f"{text}: a number without unit is required.", ctx, param)
    try:
        return found.in_unit(f"--{param.name}", unit, None)
    except UsageError as error:
        raise BadParameter(f"{error.report.diagnostics[0].message}.", ctx, param) from None


def _unknown(value: str, known: tuple[str, ...]) -> str:
    from acausal.base.near_names import did_you_mean

    hint = did_you_mean(value, known) or f"write {', '.join(known)}."
    return f"unknown {value}: {hint}"
