"""Arguments of reactions, checked."""

from collections.abc import Mapping

import numpy as np

from acausal.base.arguments import as_mapping, as_number
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import listed, show_name
from acausal.mechanism.model import Mechanism
from acausal.mechanism.statics.reactions import Axes, ReactionRequest
from acausal.mechanism.structure.system_graph import SystemGraph
from acausal.results.result import Result

AXES: tuple[Axes, ...] = ("joint", "inertial")
MOST_NAMED = 6


def reaction_request(
    mechanism: Mechanism,
    graph: SystemGraph,
    result: Result,
    axes: str,
    compliances: "Mapping[str, float | tuple[float, float]] | None",
) -> ReactionRequest:
    """The request at the end of a run; UsageError F006 for unknown axes or compliances below 0, F005 for joints."""
    chosen = next((known for known in AXES if known == axes), None)
    if chosen is None:
        hint = "the axes are joint and inertial"
        raise UsageError(Diagnostic("F006", f"unknown axes {axes!r}", help=hint))
    names = [show_name(name) for joint in mechanism.joints for name in joint.coordinates]
    coordinates = {name: float(result[name][-1]) for name in names}
    given = None if compliances is None else _compliances(graph, as_mapping("compliances", compliances))
    return ReactionRequest(float(result.time[-1]), coordinates, chosen, given)


def _compliances(graph: SystemGraph, given: Mapping[str, object]) -> dict[str, tuple[float, float]]:
    found = {}
    for name, value in given.items():
        if name not in [edge.name for edge in graph.edges]:
            hint = f"the joints are {listed([edge.name for edge in graph.edges], MOST_NAMED)}"
            raise UsageError(Diagnostic("F005", f"unknown joint {name}", help=hint))
        pair = value if isinstance(value, tuple | list) else (value, 0.0)
        numbers = [x for part in pair if (x := as_number(f"compliances[{name!r}]", part)) is not None]
        if len(numbers) != 2 or min(numbers) < 0 or not np.isfinite(numbers).all():
            hint = "give a number [m/N], or a pair of one for forces [m/N] and one for torques [rad/(N.m)]"
            raise UsageError(
                Diagnostic("F006", f"the compliances of {name} must be one or two numbers, 0 or greater", help=hint)
            )
        found[name] = numbers[0], numbers[1]
    return found
