"""Advice for a loop that closes with its ends turned by 180 degrees: which joint starts half a turn away, and where.

    connect rocker:B at j3:B     j3.q = 1.104 there     ->     j3(near=4.246)

Turned about its own axis, a joint at the place of the closing changes no other joint's place.
"""

from collections.abc import Mapping
from math import pi

from acausal.ir.flat import FlatModel
from acausal.ir.names import Name
from acausal.ir.walk import postorder
from acausal.simulate.failure.user_lines import start_advice


def half_turn_advice(flat: FlatModel, loop: Name, values: Mapping[Name, float]) -> str | None:
    """Text as `j3(near=4.246)`; None where no joint at the closing has an angle with a start of its own."""
    joints = [c.path for c in flat.components if c.link]
    sets = [s.members for s in flat.connection_sets if any(m[: len(loop)] == loop for m in s.members)]
    at_closing = [joint for joint in joints if any(m[: len(joint)] == joint for members in sets for m in members)]
    nodes = postorder([side for e in flat.equations if e.origin.path in at_closing for side in (e.left, e.right)])
    angles = [n.args[0] for n in nodes if n.op in ("sin", "cos") and n.args[0].op == "variable"]
    for angle in dict.fromkeys(angles):
        advice = start_advice(flat, angle.name, f"{values.get(angle.name, 0.0) + pi:.4g}")
        if advice is not None:
            return advice
    return None
