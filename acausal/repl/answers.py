"""Answers to lines that are no commands: values by name, expressions, and `x = expression`."""

import re
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import listed
from acausal.repl.command import END
from acausal.repl.model import Model
from acausal.repl.model_commands import LISTS
from acausal.repl.names import Names
from acausal.repl.state import Stored, misunderstood
from acausal.results.expressions import FUNCTIONS, evaluate
from acausal.results.formats.columns import NOT_UNIQUE

if TYPE_CHECKING:
    from acausal.results.expressions import Values

_ASSIGNMENT = re.compile(r"\s*([A-Za-z_][\w.\[\],]*)\s*=(?!=)\s*(\S.*)", re.DOTALL)
_NO_VALUE = re.compile(r"\s*[A-Za-z_][\w.\[\],]*\s*=\s*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMAND = re.compile(r"([A-Za-z_]\w*)(?:\s+(?!and\b|or\b|then\b|else)[\w\"'@*].*)?", re.DOTALL)
"""A word alone or followed by another one: an expression has an operator or a bracket between them."""
_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")
_BEGIN_EXPRESSIONS = ("if", "not", "true", "false")
_CLOSE = 0.75
MOST_NAMED = 6
"""Names in a hint."""


def answer(model: Model, text: str, commands: tuple[str, ...]) -> str:
    """The value of an expression or name, which may be given a name; F010 for an unknown command."""
    found = _ASSIGNMENT.fullmatch(text)
    if found is not None:
        if found[1] in commands:
            raise misunderstood(f"{found[1]} is a command", "choose another name for the value")
        return _assign(model, found[1], found[2])
    if _NO_VALUE.fullmatch(text):
        raise misunderstood("no expression follows the `=`", "for example m = max(x)")
    _need_expression(model, text, commands)
    name = "".join(text.split())
    if model.state.source is not None and name in model.parameters() and name not in model.state.values:
        return _parameter(model, name)
    return _shown(evaluate(text, Names(model)), model, name)


def _need_expression(model: Model, text: str, commands: tuple[str, ...]) -> None:
    """UsageError F010 for a line that is meant as a command."""
    called = _CALL.match(text)
    if called is not None and called[1] in commands and called[1] not in FUNCTIONS:
        raise misunderstood(f"{called[1]} is a command, not a function", f"help {called[1]} shows how it is used")
    found = _COMMAND.fullmatch(text)
    if found is None or found[1] in _BEGIN_EXPRESSIONS:
        return
    word = found[1]
    if word in END:
        raise misunderstood(f"{word} takes no arguments", word)
    if word != text.strip():
        near = get_close_matches(word, commands, 1, _CLOSE)
        raise misunderstood(
            f"unknown command {word}", f"did you mean the command {near[0]}?" if near else "help lists the commands"
        )
    known = _names(model)
    if word not in known:
        message = f"{word} is neither a command nor a name of the model"
        raise UsageError(Diagnostic("F005", message, help=_meant(word, known, commands)))


def _meant(word: str, known: list[str], commands: tuple[str, ...]) -> str:
    """A hint for an unknown word: names of the submodel, or what is spelled alike."""
    inner = [name for name in known if name.startswith(f"{word}.")]
    if inner:
        return f"names in {word} are {listed(inner, MOST_NAMED)}"
    if word in LISTS:
        return f"write `list {word}`"
    near = get_close_matches(word, commands, 1, _CLOSE)
    if near:
        return f"did you mean the command {near[0]}?"
    near = get_close_matches(word, known, 1, _CLOSE)
    return f"did you mean {near[0]}?" if near else "help lists the commands"


def _names(model: Model) -> list[str]:
    """All names that have a value."""
    own = [*model.state.values, "time", "pi"]
    return own if model.state.source is None else [*own, *model.variable_names(), *model.parameters()]


def _assign(model: Model, name: str, text: str) -> str:
    """Give a value a name."""
    if model.state.source is not None and name not in model.state.values:
        if name in model.parameters():
            raise misunderstood(f"{name} is a parameter of the model", f"set {name}={text} sets it")
        if name in model.variable_names():
            raise misunderstood(f"{name} is a variable of the model", "choose another name for the value")
    if _WORD.fullmatch(name) is None or name in ("time", "pi", *FUNCTIONS):
        raise misunderstood(f"{name} cannot be the name of a value", "choose a name of letters, digits and _")
    value = evaluate(text, Names(model))
    stored = Stored(value, model.state.last if value.ndim else None)
    model.state = replace(model.state, values={**model.state.values, name: stored})
    return f"{name} = {_number(value)}" if not value.ndim else f"{name}: {_shown(value, model, name)}"


def _parameter(model: Model, name: str) -> str:
    """Value, unit and meaning of a parameter; its value in the last result where that is another one."""
    slot = model.parameters()[name]
    value, last = model.parameter_value(name), model.state.last
    used = last.parameters[name].value if last is not None and name in last.parameters else value
    unit = f" {slot.unit}" if slot.unit and slot.unit != "1" else ""
    shown = str(bool(value)).lower() if slot.type == "boolean" else f"{value:.10g}"
    text = f"{name} = {shown}{unit}" + (f"  {slot.description}" if slot.description else "")
    return text if used == value else f"{text} ({used:.10g} in the last result)"


def _shown(value: "Values", model: Model, name: str) -> str:
    if not value.ndim:
        return _number(value)
    if not len(value):
        return "the result has no rows"
    if value.dtype == bool:
        return f"true in {int(value.sum())} of {len(value)} rows"
    time, last = Names(model).time, model.state.last
    low, high = int(value.argmin()), int(value.argmax())
    column = last.column(name) if last is not None and name in last else None
    unit = column.unit if column is not None else None
    parts = [f"{value[i]:.6g} at t = {time[i]:.6g}" for i in (low, high)]
    shown = f"from {parts[0]} to {parts[1]}, at the end {value[-1]:.6g}"
    shown = f"{shown} {unit}" if unit and unit != "1" else shown
    return shown if column is None or column.unique else f"{shown}; {NOT_UNIQUE}"


def _number(value: "Values") -> str:
    return str(bool(value)).lower() if value.dtype == bool else f"{float(value):.10g}"
