"""The names that a name in a class has in translated models: `u` in class resistor is `R1.u` and `R2.u`."""

from collections.abc import Iterable, Iterator

from acausal.editor.text.document import Document
from acausal.editor.text.findings import Findings, ModelFacts
from acausal.editor.text.mention import Mention
from acausal.ir import ast


def instances_of(node: ast.Class, document: Document, findings: Iterable[Findings]) -> Iterator[tuple[ModelFacts, str]]:
    """The models, and the instances of a class in them; "" for the model itself."""
    place = document.place(node.span)
    if place is None:
        return
    for found in findings:
        since = found.since(document)
        before = since.backward(place[0]), since.backward(place[1])
        for model in found.models:
            if model.name == node.name and node.kind == "model":
                yield model, ""
            else:
                yield from [(model, name) for name in model.instances_in(document.real_path, before) if name]


def full_names(mention: Mention, document: Document, findings: Iterable[Findings]) -> Iterator[tuple[ModelFacts, str]]:
    """The models and the names in them of the variable or parameter that a name means."""
    if not mention.home:
        return
    inside = ".".join([*mention.before, mention.name])
    for model, instance in instances_of(mention.home[-1], document, findings):
        name = f"{instance}.{inside}" if instance else inside
        if name in model.values:
            yield model, name
