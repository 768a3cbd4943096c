"""Accelerations by Pinocchio, for `pinocchio.json`: python tests/imports/run_pinocchio.py, where `pin` is installed.

The joints are driven by given forces; damping is left out, as Pinocchio's accelerations have none. A joint that follows
another is led by its projection: with q = G*y + c the accelerations are those of G^T*M*G, G^T*(tau - h).
"""

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin


def states(file: str, count: int) -> list[dict[str, dict[str, float]]]:
    """Seeded states of a robot, driving forces and accelerations."""
    model = pin.buildModelFromUrdf(file)
    data = model.createData()
    leaders = {}
    for joint in ET.parse(file).getroot().findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            values = [float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))]
            leaders[joint.get("name")] = (mimic.get("joint"), *values)
    names = [model.names[k] for k in range(1, model.njoints)]
    free = [name for name in names if name not in leaders]
    spread, c = np.zeros((model.nv, len(free))), np.zeros(model.nv)
    for name in names:
        row = model.joints[model.getJointId(name)].idx_v
        leader, multiplier, offset = leaders.get(name, (name, 1, 0))
        spread[row, free.index(leader)], c[row] = multiplier, offset
    random, found = np.random.default_rng(18), []
    for _ in range(count):
        y, yd, tau = [random.uniform(-size, size, len(free)) for size in (1, 2, 5)]
        q = pin.neutral(model)
        for name in names:
            joint = model.joints[model.getJointId(name)]
            x = (spread @ y + c)[joint.idx_v]
            q[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(x), np.sin(x)) if joint.nq == 2 else x
        upper = np.triu(pin.crba(model, data, q))
        mass = spread.T @ (upper + np.triu(upper, 1).T) @ spread
        ydd = np.linalg.solve(mass, tau - spread.T @ pin.nonLinearEffects(model, data, q, spread @ yd))
        values = {"q": y, "w": yd, "force": tau, "wd": ydd}
        found.append({key: dict(zip(free, x.tolist(), strict=True)) for key, x in values.items()})
    return found


if __name__ == "__main__":
    here = Path(__file__).parent
    cases = states(str(here / "arm.urdf"), 3) if len(sys.argv) < 2 else states(sys.argv[1], int(sys.argv[2]))
    text = json.dumps({"pinocchio": pin.__version__, "states": cases}, indent=1)
    (here / "pinocchio.json" if len(sys.argv) < 2 else Path(sys.argv[3])).write_text(text + "\n", encoding="utf-8")
