"""Errors in arguments and initial values of a submodel: names that its class does not have, or twice."""

import re
from collections.abc import Iterator, Mapping

from acausal.base.diagnostics import ModelError
from acausal.base.near_names import did_you_mean
from acausal.elaborate.classes.declarations import PARAMETERS
from acausal.elaborate.error_helpers import mistake, need_distinct
from acausal.ir import ast
from acausal.ir.model.classes import Submodel, Template, Value
from acausal.ir.names import listed, with_article

MOST = 8
"""Variables that a hint names."""


def argument_mistakes(template: Template, submodel: Submodel) -> Iterator[ModelError]:
    """N003, N004 and N002, each with its place."""
    for arguments in (submodel.item.arguments, submodel.item.initial):
        try:
            need_distinct(arguments)
        except ModelError as error:
            yield error
    for argument in submodel.item.arguments:
        value = template.values.get(argument.name)
        if (value is None or value.kind != "parameter") and argument.name not in template.broken:
            yield _no_parameter(argument, value, template)
    for argument in submodel.item.initial:
        value = template.values.get(argument.name)
        if (value is None or value.kind in PARAMETERS) and argument.name not in template.broken:
            yield _no_variable(argument, value, template, submodel.name)


def _no_parameter(argument: ast.Argument, value: Value | None, template: Template) -> ModelError:
    name = argument.name
    if value is not None and value.kind == "constant":
        message = f"{name} is a constant of class {template.name}: its value cannot be changed"
        others = [(value.span, "declared here")]
        hint = "declare it as a parameter in the class"
        return mistake("N004", message, argument.span, others=others, hint=hint)
    known = {v.name: v.description or "" for v in template.values.values() if v.kind == "parameter"}
    hint = _described(name, known) or did_you_mean(name, known) or ""
    if not hint:
        hint = f"its parameters are {', '.join(known)}" if known else "the class has no parameters"
    return mistake("N004", f"class {template.name} has no parameter {name}", argument.span, hint=hint)


def _no_variable(argument: ast.Argument, value: Value | None, template: Template, submodel: str) -> ModelError:
    name = argument.name
    if value is not None:
        hint = f"give it a value in the first parentheses: {submodel}({name}=...)"
        message = f"{name} is {with_article(value.kind)} of class {template.name}, not a variable"
        return mistake("N002", message, argument.span, hint=hint)
    scalars = _scalars(template)
    hint = did_you_mean(name, scalars) or f"its variables are {listed(scalars, MOST)}"
    return mistake("N002", f"class {template.name} has no variable {name}", argument.span, hint=hint)


def _described(name: str, known: Mapping[str, str]) -> str | None:
    """The first parameter whose description says the name: `mass` is m of a body, `torque` T of a source."""
    word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    found = next((p for p, text in known.items() if len(name) > 2 and word.match(text)), None)
    found = found or next((p for p, text in known.items() if len(name) > 2 and word.search(text)), None)
    return None if found is None else f"did you mean {found}, {known[found]}?"


def _scalars(template: Template) -> list[str]:
    """The variables that one number can start; others differ from them in their shape."""
    found = [v for v in template.values.values() if v.kind not in PARAMETERS and v.shape == ()]
    return sorted([v.name for v in found], key=lambda name: template.values[name].kind == "local")
