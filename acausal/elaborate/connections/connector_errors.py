"""Errors of connector references: a name that is no submodel, cut, path or node."""

from acausal.base.diagnostics import ModelError
from acausal.base.near_names import did_you_mean
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake, without_sign
from acausal.ir.model.instance import Instance
from acausal.ir.names import show_name


def unknown_connector(instance: Instance, name: str, span: Span) -> Exception:
    """C001 for a name in an instance."""
    if instance.is_broken(name):
        return ModelError()
    template = instance.template
    known = [*instance.children, *template.cuts, *template.paths, *template.nodes]
    where = show_name(instance.path) or f"model {template.name}"
    message = f"unknown submodel, cut, path or node {name} in {where}"
    return mistake(
        "C001",
        message,
        span,
        "unknown",
        hint=without_sign(instance, name, ":") or did_you_mean(name, known) or _known_ends(instance),
    )


def _known_ends(instance: Instance) -> str:
    """Hint with the cuts of a submodel; in the model itself a node may be missing."""
    template = instance.template
    if not instance.path:
        return "declare it, for instance as a node, `node n1, n2`, or correct the name"
    ends = [*template.cuts, *template.paths]
    return f"its cuts are {', '.join(template.cuts)}" if ends else "it has no cuts"
