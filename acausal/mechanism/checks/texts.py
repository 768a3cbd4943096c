"""Balances of a run as text and as plain data."""

from dataclasses import asdict

import numpy as np

from acausal.analyses.linear_systems.text_tables import table
from acausal.analyses.power.texts import power_data, power_text
from acausal.mechanism.checks.power_balance import EnergyCheck
from acausal.mechanism.checks.run_check import RunCheck


def check_text(found: RunCheck, model: str) -> str:
    """The balances of a mechanism, where there is one, and of all nodes."""
    parts = [] if found.mechanism is None else [energy_text(found.mechanism)]
    if found.power.nodes or not parts:
        parts.append(power_text(found.power, model))
    return "\n\n".join(parts)


def check_data(found: RunCheck) -> dict[str, object]:
    """The balances as plain data; those of nodes stand in `nodes` and `submodels`, those of frames in `cuts`."""
    powers, frames = power_data(found.power), {} if found.mechanism is None else energy_data(found.mechanism)
    largest = max(found.power.largest_power, 0.0 if found.mechanism is None else found.mechanism.largest_power)
    whole = {"holds": found.holds, "power_imbalance": found.imbalance, "largest_power": largest}
    return {**powers, **frames, **whole}


def energy_text(found: EnergyCheck) -> str:
    """The balances at all cuts and of the whole."""
    rows = [[c.frame, f"{c.power:.2g}", f"{c.force:.2g}", f"{c.time:g}"] for c in found.cuts]
    verdict = "balanced" if found.holds else "NOT BALANCED"
    energy, work = found.energy, found.work
    lines = [
        *table(["cut", "power imbalance [W]", "force imbalance [N, N.m]", "at [s]"], rows),
        "",
        f"power     {verdict}: at most {found.imbalance:.2g} of the largest power, {found.largest_power:.5g} W",
        f"forces    at most {found.force_imbalance:.2g} of the largest, {found.largest_force:.5g} (momentum included)",
        f"energy    {energy[0]:.6g} J at the start, {energy[-1]:.6g} J at the end, kinetic and of gravity",
        f"work      {work[-1]:.6g} J of drives and force elements, integrated over the rows by trapezoids",
        f"          largest difference over the run {float(np.max(np.abs(energy - energy[0] - work))):.2g} J",
    ]
    return "\n".join(lines)


def energy_data(found: EnergyCheck) -> dict[str, object]:
    """The balances, and energy and work at the end."""
    return {
        "holds": found.holds,
        "power_imbalance": found.imbalance,
        "force_imbalance": found.force_imbalance,
        "largest_power": found.largest_power,
        "largest_force": found.largest_force,
        "rounding": {"power": found.rounding[0], "force": found.rounding[1]},
        "cuts": [asdict(cut) for cut in found.cuts],
        "joints": [{"joint": name, "power": power} for name, power in found.joints],
        "energy": [float(found.energy[0]), float(found.energy[-1])],
        "work": float(found.work[-1]),
    }
