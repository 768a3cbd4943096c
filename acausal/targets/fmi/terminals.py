"""terminalsAndIcons.xml of FMI 3.0: the cuts of the model, whose variables match one by one in their order."""

from collections.abc import Mapping

from acausal.ir.flat import FlatModel
from acausal.ir.flat_connections import CutTerminal
from acausal.ir.names import Name, show_name
from acausal.targets.fmi.content import Content
from acausal.targets.fmi.xml_text import document, element


def terminals(flat: FlatModel, content: Content) -> str | None:
    """The document; None for a model without cuts whose variables are all there."""
    known = {v.name for v in content.variables} | {a.name for v in content.variables for a in v.aliases}
    cuts = {cut.name: cut for cut in flat.terminals}
    inner = {part for cut in cuts.values() for part in cut.parts}
    lines = [line for name in cuts if name not in inner for line in _terminal(name, cuts, known)]
    if not lines:
        return None
    return document(element("fmiTerminalsAndIcons", (("fmiVersion", "3.0"),), element("Terminals", (), lines)))


def _terminal(name: str, cuts: Mapping[str, CutTerminal], known: set[str]) -> list[str]:
    """A terminal, hierarchical cuts with those of their parts; empty where a variable is missing."""
    cut = cuts.get(name)
    if cut is None:
        return []
    members = [
        *[(n, "signal") for n in cut.across],
        *[(n, "inflow" if sign > 0 else "outflow") for n, sign in cut.through],
    ]
    parts = [line for part in cut.parts for line in _terminal(part, cuts, known)]
    if any(show_name(n) not in known for n, _ in members) or not (members or parts):
        return []
    head = (("name", name), ("matchingRule", "sequence"))
    return element("Terminal", head, [*[line for n, kind in members for line in _member(n, kind)], *parts])


def _member(name: Name, kind: str) -> list[str]:
    attributes = (("variableName", show_name(name)), ("memberName", str(name[-1])), ("variableKind", kind))
    return element("TerminalMemberVariable", attributes)
