"""Balances of power as text and as plain data."""

from dataclasses import asdict

from acausal.analyses.linear_systems.text_tables import table
from acausal.analyses.power.balance import NodeBalance, PowerBalance

MOST = 20
"""Rows of a table; the largest come first where there are more."""
GROUND = "-"
"""Stands where a cut takes what is left, or no speed is known."""


def power_text(found: PowerBalance, model: str) -> str:
    """Tables of nodes and of submodels, and whether powers balance."""
    if not found.nodes:
        return f"no cut of {model} carries a power: there is nothing to balance"
    verdict = "balanced" if found.holds else "NOT BALANCED"
    nodes = sorted(found.nodes, key=_share, reverse=True) if len(found.nodes) > MOST else found.nodes
    submodels = found.submodels
    if len(submodels) > MOST:
        submodels = tuple(sorted(submodels, key=lambda taken: -abs(taken.energy)))
    taken = [[s.submodel, s.class_name, f"{s.power:.5g}", f"{s.energy:.6g}"] for s in submodels[:MOST]]
    lines = [
        *table(["node", "power imbalance [W]", "through (share)", "at [s]"], [_row(node) for node in nodes[:MOST]]),
        *_more(len(found.nodes), "nodes"),
        "",
        *table(["submodel", "class", "largest power [W]", "energy taken [J]"], taken),
        *_more(len(found.submodels), "submodels"),
        "",
        f"nodes     {verdict}: at most {found.imbalance:.2g} of the largest power, {found.largest_power:.5g} W; "
        f"through variables {found.through_imbalance:.2g}",
    ]
    assumed = [node.node for node in found.nodes if node.assumed]
    if assumed:
        lines.append(
            f"          across times through, whose units are not known, is taken for a power at {len(assumed)} nodes"
        )
    return "\n".join(lines)


def power_data(found: PowerBalance) -> dict[str, object]:
    """The balances at nodes, and what submodels take."""
    return {
        "power_imbalance": found.imbalance,
        "through_imbalance": found.through_imbalance,
        "largest_power": found.largest_power,
        "nodes": [asdict(node) for node in found.nodes],
        "submodels": [asdict(taken) for taken in found.submodels],
    }


def _share(node: NodeBalance) -> float:
    return max(node.power or 0.0, node.through or 0.0)


def _row(node: NodeBalance) -> list[str]:
    power, through = [GROUND if x is None else f"{x:.2g}" for x in (node.power, node.through)]
    return [node.node, power, through, f"{node.time:g}"]


def _more(count: int, what: str) -> list[str]:
    return [f"and {count - MOST} more {what}"] if count > MOST else []
