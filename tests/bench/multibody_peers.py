"""Run by tests.bench.multibody in a Python that has `pin` and `mujoco`: the same chain, standard input to output."""

import json
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np


def turn(axis: int, angle: float) -> np.ndarray:
    """Rotation about an axis of the frame."""
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    found = np.eye(3)
    found[i, i] = found[j, j] = np.cos(angle)
    found[j, i] = np.sin(angle)
    found[i, j] = -found[j, i]
    return found


def symmetric(x: list[float]) -> np.ndarray:
    """From 11, 22, 33, 21, 31, 32."""
    return np.array([[x[0], x[3], x[4]], [x[3], x[1], x[5]], [x[4], x[5], x[2]]])


def pinocchio(chain: list[dict[str, list[float]]]) -> dict[str, Callable[[], np.ndarray]]:
    """aba and rnea."""
    import pinocchio as pin

    model, parent = pin.Model(), 0
    for k, h in enumerate(chain):
        place = pin.SE3(turn(0, h["angles"][0]) @ turn(1, h["angles"][1]), np.array(h["place"]))
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"j{k}")
        body = pin.Inertia(h["mass"][0], np.array(h["centre"]), symmetric(h["inertia"]))
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    model.gravity.linear = np.array([0, 0, -9.81])
    data = model.createData()
    q, v, x = (np.array([h["state"][k] for h in chain]) for k in range(3))
    return {"direct": lambda: pin.aba(model, data, q, v, x), "inverse": lambda: pin.rnea(model, data, q, v, x)}


def mujoco(chain: list[dict[str, list[float]]]) -> dict[str, Callable[[], np.ndarray]]:
    """mj_forward and mj_inverse, contacts and all else that is not there switched off."""
    import mujoco as mj

    spec = mj.MjSpec()  # not XML, which may not be nested that deep
    spec.option.gravity = [0, 0, -9.81]
    spec.option.disableflags = mj.mjtDisableBit.mjDSBL_CONSTRAINT
    body = spec.worldbody
    for h in chain:
        first, second = h["angles"]
        a, b = (np.array([np.cos(x / 2), np.sin(x / 2)]) for x in (first, second))
        quat = [a[0] * b[0], a[1] * b[0], a[0] * b[1], a[1] * b[1]]
        body = body.add_body(
            pos=h["place"], quat=quat, mass=h["mass"][0], ipos=h["centre"], fullinertia=h["inertia"],
            explicitinertial=True,
        )  # fmt: skip
        body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
    model = spec.compile()
    data, back = mj.MjData(model), mj.MjData(model)
    q, v, x = (np.array([h["state"][k] for h in chain]) for k in range(3))
    data.qpos, data.qvel, data.qfrc_applied = q, v, x
    back.qpos, back.qvel, back.qacc = q, v, x

    def direct() -> np.ndarray:
        mj.mj_forward(model, data)
        return data.qacc

    def inverse() -> np.ndarray:
        mj.mj_inverse(model, back)
        return back.qfrc_inverse

    return {"direct": direct, "inverse": inverse}


def least(call: Callable[[], object], rounds: int, seconds: float) -> float:
    """Seconds a call."""
    count = 1
    while True:
        begin = perf_counter()
        for _ in range(count):
            call()
        if perf_counter() - begin > seconds:
            break
        count *= 2
    times = []
    for _ in range(rounds):
        begin = perf_counter()
        for _ in range(count):
            call()
        times.append((perf_counter() - begin) / count)
    return min(times)


def main() -> None:
    """Result, time, and time of a chain of one, for each package and question."""
    given = json.load(sys.stdin)
    found: dict[str, dict[str, object]] = {}
    for make in (pinocchio, mujoco):
        try:
            calls, one = make(given["chain"]), make(given["one"])
        except ImportError:
            continue
        found[make.__name__] = {
            name: {
                "result": call().tolist(),
                "seconds": least(call, given["rounds"], given["seconds"]),
                "overhead": least(one[name], given["rounds"], given["seconds"]),
            }
            for name, call in calls.items()
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
