"""A translated model as HTML, for notebooks: sizes, parameters with units, structure, notes."""

from collections.abc import Iterable, Sequence
from html import escape

from acausal.base.human_text import human_html
from acausal.base.report import Report
from acausal.ir.flat_connections import Component
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot

MOST_ROWS, MOST_COMPONENTS, MOST_NAMES = 100, 400, 60
"""Lines of the table of parameters, submodels of the tree, and names of a list."""
OPEN = 15
"""A table of at most so many rows is shown unfolded."""


def model_html(program: Program, components: Sequence[Component], report: Report) -> str:
    """The representation of a model in a notebook; all text of the model is escaped."""
    parts = [
        f"<p><b>{escape(program.name)}</b>: {_sizes(program)}</p>",
        _parameters(program.parameter_slots),
        _names("inputs", [show_derivative(*symbol) for symbol in program.input_slots]),
        _names("states", [show_derivative(*slot.symbol) for slot in program.state_slots]),
        _structure(components),
        human_html(report),
    ]
    return "".join(parts)


def _sizes(program: Program) -> str:
    counts = {
        "state": len(program.state_slots),
        "input": len(program.input_slots),
        "variable": len(program.variable_slots),
        "parameter": len(program.parameter_slots),
    }
    shown = [f"{count} {what}{'s' * (count != 1)}" for what, count in counts.items() if count or what == "state"]
    stop = program.experiment.stop
    return ", ".join(shown) + (f"; experiment to {stop:g} s" if stop is not None else "")


def _parameters(slots: Sequence[ParameterSlot]) -> str:
    if not slots:
        return ""
    head = "<tr><th>parameter</th><th>value</th><th>unit</th><th>meaning</th></tr>"
    rows = [
        "<tr>" + "".join([f"<td>{escape(cell)}</td>" for cell in _cells(slot)]) + "</tr>" for slot in slots[:MOST_ROWS]
    ]
    rest = f"<tr><td colspan=4>{_more(len(slots), MOST_ROWS)}</td></tr>" if len(slots) > MOST_ROWS else ""
    return _folded("parameters", len(slots), f"<table>{head}{''.join(rows)}{rest}</table>")


def _cells(slot: ParameterSlot) -> tuple[str, str, str, str]:
    value = str(bool(slot.value)).lower() if slot.type == "boolean" else f"{slot.value:g}"
    constant = "constant" if slot.constant else ""
    about = ", ".join([text for text in (slot.description, constant) if text])
    return show_name(slot.name), value, slot.unit or "", about


def _names(what: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    shown = ", ".join([f"<code>{escape(name)}</code>" for name in names[:MOST_NAMES]])
    return f"<p>{what}: {shown}{_more(len(names), MOST_NAMES)}</p>"


def _structure(components: Sequence[Component]) -> str:
    """The tree of submodels with their classes."""
    if not components:
        return ""
    lines, depth = ["<ul>"], 1
    for component in _in_order(components[:MOST_COMPONENTS]):
        level = _level(component.path)
        lines.append("<ul>" * (level - depth) + "</ul>" * (depth - level))
        text = f"{escape(show_name(component.path))}: <i>{escape(component.class_name)}</i>"
        lines.append(f"<li>{text}</li>")
        depth = level
    lines.append("</ul>" * depth)
    return _folded("submodels", len(components), "".join(lines) + _more(len(components), MOST_COMPONENTS))


def _in_order(components: Iterable[Component]) -> list[Component]:
    """Each submodel followed by those within it, siblings in the order of the text."""
    place: dict[Name, int] = {}
    for number, component in enumerate(components):
        for end in range(1, len(component.path) + 1):
            place.setdefault(component.path[:end], number)
    return sorted(components, key=lambda c: [place[c.path[:end]] for end in range(1, len(c.path) + 1)])


def _level(path: Name) -> int:
    """Depth in the tree, counted from 1; an index belongs to the name before it."""
    return sum([isinstance(part, str) for part in path]) or 1


def _folded(what: str, count: int, content: str) -> str:
    unfolded = " open" if count <= OPEN else ""
    return f"<details{unfolded}><summary>{count} {what[:-1] if count == 1 else what}</summary>{content}</details>"


def _more(count: int, most: int) -> str:
    return f" and {count - most} more" if count > most else ""
