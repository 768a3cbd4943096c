"""Meaning of a name: the declaration that it leads to."""

from typing import Literal

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.codes.words import WORDS
from acausal.editor.text.language import EXPERIMENT_WORDS
from acausal.editor.text.mention import Mention, name_span
from acausal.editor.text.names import Names
from acausal.elaborate.classes.attributes import KNOWN as ATTRIBUTES
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse, Cut, Definition, Submodel, Template, Value

TargetKind = Literal[
    "class", "class parameter", "parameter", "variable", "submodel", "cut", "path", "node", "function", "local name",
    "file", "prefix", "word",
]  # fmt: skip
WITH_PARAMETERS = ("parameter", "constant")


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A declaration: `span` is the place of the name in it (None for words of the language), `about` what it declares.

    `declared` is the place that the stages of the translation keep of it; `owner` the class that it is seen in.
    """

    kind: TargetKind
    name: str
    span: Span | None
    about: Definition | Value | Submodel | Cut | ast.PathItem | ast.Declarator | ast.Function | ast.Include | None = (
        None
    )
    declared: Span | None = None
    owner: Template | None = None


def resolve(mention: Mention, names: Names) -> Target | None:
    """The declaration that a name leads to; None where it means nothing."""
    if mention.bound is not None:
        return Target("local name", mention.name, mention.bound)
    match mention.kind:
        case "class":
            return _class(mention, names)
        case "value":
            return _value(mention, names)
        case "connector":
            return _connector(mention, names)
        case "argument" | "initial":
            template = names.template(names.used(mention.of, mention.home))
            return value_of(template, mention.name)
        case "function":
            return _function(mention, names)
        case "prefix":
            return Target("prefix", mention.name, mention.span)
        case "file":
            return Target("file", mention.name, mention.span)
        case "attribute" | "experiment":
            known = mention.name in ATTRIBUTES or mention.name in EXPERIMENT_WORDS
            return Target("word", mention.name, None) if known else None


def _class(mention: Mention, names: Names) -> Target | None:
    if mention.declares:
        for parameter in mention.home[-1].parameters if mention.home else ():
            if parameter.name == mention.name:
                return Target("class parameter", mention.name, mention.span)
    for outer in reversed(mention.home) if not mention.before else ():
        for parameter in outer.parameters:
            if parameter.name == mention.name:
                return Target("class parameter", mention.name, name_span(parameter.name, parameter.span))
    found = names.class_named((*mention.before, mention.name), mention.home)
    if found is None and not mention.is_last:
        include = next(
            (u for u in names.document.units if isinstance(u, ast.Include) and u.prefix == mention.name), None
        )
        return (
            None
            if include is None
            else Target("prefix", mention.name, name_span(mention.name, include.span, len(include.file) + 1))
        )
    return None if found is None else class_target(found)


def class_target(found: Definition | ClassUse) -> Target:
    """The target that a class is."""
    definition = found.definition if isinstance(found, ClassUse) else found
    return Target("class", definition.node.name, definition.node.name_span, definition, definition.node.name_span)


def value_of(template: Template | None, name: str) -> Target | None:
    """A parameter or variable of a class."""
    value = None if template is None else template.values.get(name)
    if value is None:
        return None
    kind: TargetKind = "parameter" if value.kind in WITH_PARAMETERS else "variable"
    after = len(value.type) if value.span.text.startswith(f"{value.type} ") else 0
    return Target(kind, name, name_span(name, value.span, after), value, value.span, template)


def submodel_of(template: Template | None, name: str) -> Target | None:
    """A submodel of a class."""
    submodel = None if template is None else template.submodels.get(name)
    if submodel is None:
        return None
    return Target("submodel", name, name_span(name, submodel.item.span), submodel, submodel.item.span, template)


def connector_of(template: Template | None, name: str) -> Target | None:
    """A submodel, cut, path or node of a class."""
    if template is None:
        return None
    found = submodel_of(template, name)
    if found is not None:
        return found
    if name in template.cuts:
        cut = template.cuts[name]
        return Target("cut", name, name_span(name, cut.span), cut, cut.span, template)
    if name in template.paths:
        path = template.paths[name]
        return Target("path", name, name_span(name, path.span), path, path.span, template)
    if name in template.nodes:
        node = template.nodes[name]
        return Target("node", name, name_span(name, node.span), node, node.span, template)
    return None


def _value(mention: Mention, names: Names) -> Target | None:
    template = names.submodel_template(mention.before, mention.home)
    if not mention.is_last:
        return submodel_of(template, mention.name)
    found = value_of(template, mention.name) or submodel_of(template, mention.name)
    if found is not None:
        return found
    if mention.declares:
        return Target("variable", mention.name, mention.span)
    return Target("word", mention.name, None) if mention.name in ("time", "pi") and not mention.before else None


def _connector(mention: Mention, names: Names) -> Target | None:
    objects = mention.before[: mention.object_names]
    template = names.submodel_template(objects, mention.home)
    found = connector_of(template, mention.name)
    if found is None and mention.declares:
        return Target("submodel", mention.name, mention.span)
    return found


def _function(mention: Mention, names: Names) -> Target | None:
    found = names.function(mention.name, mention.home)
    if found is not None:
        return Target("function", found.name, name_span(found.name, found.span, len("function")), found, found.span)
    if mention.declares:
        return Target("function", mention.name, mention.span)
    return Target("word", mention.name, None) if mention.name in WORDS else None
