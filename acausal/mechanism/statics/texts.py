"""Degrees of freedom and reactions as text and as plain data."""

from dataclasses import asdict
from textwrap import wrap

from acausal.analyses.linear_systems.text_tables import table
from acausal.mechanism.statics.mobility import Mobility
from acausal.mechanism.statics.reactions import Reaction, Reactions

WIDTH = 100
NOT_UNIQUE = "?"
"""Mark of a value that is not unique."""


def mobility_text(found: Mobility) -> str:
    """The two counts, and why they differ."""
    constraints = f"{found.constraints} constraints"
    if found.nonholonomic:
        constraints += f" ({found.nonholonomic} nonholonomic)"
    singular = found.redundancy_here - found.redundancy
    here = f" ({found.redundancy_here} at this pose)" if singular else ""
    lines = [
        f"degrees of freedom  {found.rank} by rank",
        f"                    {found.count} by counting: 6*{found.bodies} - {constraints}",
        f"redundancy          {found.redundancy}{here}",
        *[
            line
            for reason in found.reasons
            for line in wrap(reason, WIDTH, initial_indent="  ", subsequent_indent="  ")
        ],
    ]
    return "\n".join(lines)


def mobility_data(found: Mobility) -> dict[str, object]:
    """Counts, redundancy and reasons."""
    return {
        "degrees_of_freedom": {"count": found.count, "rank": found.rank},
        "constraints": {"holonomic": found.holonomic, "nonholonomic": found.nonholonomic},
        "redundancy": found.redundancy,
        "redundancy_at_pose": found.redundancy_here,
        "reasons": list(found.reasons),
    }


def reactions_text(found: Reactions) -> str:
    """A row for each joint; values that are not unique are marked."""
    columns = ("f1", "f2", "f3", "t1", "t2", "t3")
    of: dict[str, dict[str, Reaction]] = {}
    for component in found.components:
        of.setdefault(component.joint, {})[component.component] = component
    rows = [[joint, *[_cell(cells.get(column)) for column in columns]] for joint, cells in of.items()]
    axes = "of the joints" if found.axes == "joint" else "of the inertial frame"
    head = f"reactions at t = {found.time:g} s on the second body, forces [N] and torques [N.m] in axes {axes}"
    lines = [head, *table(["joint", *columns], rows)]
    return "\n".join([*lines, *_remarks(found)])


def reactions_data(found: Reactions) -> dict[str, object]:
    """The reactions, and the pose at which they are so."""
    return {
        "pose": {"time": found.time, "coordinates": dict(found.coordinates)},
        "axes": found.axes,
        "elastic": found.elastic,
        "reactions": [asdict(component) for component in found.components],
    }


def _remarks(found: Reactions) -> list[str]:
    """Sentences below the table: what is not unique, and why there are no values."""
    if not found.components:
        return ["no joint transmits forces"]
    lines = ["all of them are unique at this pose"]
    if found.undetermined:
        chosen = "; the value is one of many (minimum norm)"
        if found.elastic:
            chosen = "; the value is that of elastic joints"
        if found.components[0].value is None:
            chosen = ""
        lines = [f"{NOT_UNIQUE}: not unique at this pose (redundancy {found.redundancy}){chosen}"]
    if found.components[0].value is None:
        lines.append(
            "without values: the cuts of libraries with regrouped parameters do not carry the forces of the joints"
        )
    return lines


def _cell(found: Reaction | None) -> str:
    if found is None:
        return "-"
    mark = "" if found.unique else NOT_UNIQUE
    return ("unique" if found.unique else NOT_UNIQUE) if found.value is None else f"{_rounded(found.value)}{mark}"


def _rounded(value: float) -> str:
    return f"{value:.5g}" if abs(value) >= 1e-12 else "0"
