"""Balances of power at every cut, and of power, momentum and energy of the whole."""

from typing import TYPE_CHECKING

import numpy as np

from acausal.base.frozen import dataclass
from acausal.mechanism.checks.columns import RunColumns
from acausal.mechanism.model import Joint, Mechanism

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.result import Result

LIMIT, FORCE_LIMIT = 1e-9, 1e-7
"""Imbalances below these shares of the largest power or force are rounding: loops are closed to about 1e-9, which the
arms of forces feel."""
ROUNDING = 1e-13
"""Of a force, as a share of it and of the weight of all bodies; powers are forces times speeds."""


@dataclass(frozen=True, slots=True)
class CutBalance:
    """Balance at a frame: the largest imbalance of power [W] and of forces [N, N.m] there, and when it is [s]."""

    frame: str
    power: float
    force: float
    time: float


@dataclass(frozen=True, slots=True)
class EnergyCheck:
    """Balances of a run; `largest_power` [W] and `largest_force` [N, N.m] are those of any cut at any time.

    `joints` are the largest imbalances [W] of the joints: power behind less power before and less that of their drives.
    Joints that lock or rub are left out, as their friction and reactions count as drives.
    `momentum` [N, N.m] is that of the whole: the rate of its momentum and angular momentum about the origin, less what
    acts from the ground. `energy` is that of all bodies [J] at the rows, `work` that of drives and force elements since
    the start, integrated over the rows by trapezoids: their difference has the error of this rule. `rounding` is what
    power and forces are accurate to, where forces do no work or are zero.
    """

    cuts: tuple[CutBalance, ...]
    joints: tuple[tuple[str, float], ...]
    whole: float
    momentum: float
    largest_power: float
    largest_force: float
    rounding: tuple[float, float]
    energy: "Array"
    work: "Array"

    @property
    def imbalance(self) -> float:
        """The largest imbalance of power as a share of the largest power; small where it is rounding."""
        every = [self.whole, *[cut.power for cut in self.cuts], *[power for _, power in self.joints]]
        return max(every) / (max(self.largest_power, self.rounding[0] / LIMIT) or 1.0)

    @property
    def force_imbalance(self) -> float:
        """The largest imbalance of forces as a share of the largest force; small where it is rounding."""
        largest = max([self.momentum, *[cut.force for cut in self.cuts]])
        return largest / (max(self.largest_force, self.rounding[1] / FORCE_LIMIT) or 1.0)

    @property
    def holds(self) -> bool:
        """True if power and forces balance to rounding."""
        return self.imbalance < LIMIT and self.force_imbalance < FORCE_LIMIT


def check_energy(mechanism: Mechanism, result: "Result") -> EnergyCheck:
    """The balances of a run with all its variables; the libraries' cuts must carry the forces of the joints."""
    columns = RunColumns(mechanism, result)
    nodes = _Nodes(mechanism, columns)
    for link in mechanism.links:
        nodes.add(link.frame, columns.after(link))
        nodes.add(link.reference, -columns.before(link))
    bodies = [columns.of_body(element) for element in mechanism.elements]
    for element, wrench in zip(mechanism.elements, bodies, strict=True):
        nodes.add(element.frame, -wrench)
    elements = _element_wrenches(mechanism, columns)
    for frame, wrench in elements:
        nodes.add(frame, wrench)
    passed = {j.name: nodes.passed(j) for j in mechanism.joints}
    efforts = {j.name: columns.effort_power(j) for j in mechanism.joints if j.efforts and not j.lockable}
    driving = np.sum([*(passed | efforts).values(), *[nodes.power(f, w) for f, w in elements]], axis=0)
    taken = [nodes.power(e.frame, w) for e, w in zip(mechanism.elements, bodies, strict=True)]
    return EnergyCheck(
        cuts=tuple([nodes.balance(n) for n, frame in enumerate(mechanism.frames) if frame.link is not None]),
        joints=tuple([(name, _largest(passed[name] - power)) for name, power in efforts.items()]),
        whole=_largest(np.sum(taken, axis=0) - driving) if taken else 0.0,
        momentum=nodes.momentum(),
        largest_power=nodes.largest_power,
        largest_force=nodes.largest_force,
        rounding=(ROUNDING * nodes.largest_product, ROUNDING * (nodes.largest_force + nodes.weight)),
        energy=_energy(mechanism, columns),
        work=_integral(columns.time, driving),
    )


class _Nodes:
    """Sums of the wrenches at all frames, in axes of each, and the largest that was added."""

    def __init__(self, mechanism: Mechanism, columns: RunColumns) -> None:
        self._mechanism = mechanism
        self._columns = columns
        count = len(columns.time)
        self._sums = [np.zeros((count, 6)) for _ in mechanism.frames]
        self._velocities = [columns.velocity(frame) for frame in range(len(mechanism.frames))]
        self.largest_power = 0.0
        self.largest_force = 0.0
        self.largest_product = 0.0
        self.weight = sum(e.mass for e in mechanism.elements) * float(np.linalg.norm(mechanism.gravity))
        arms = [*[e.center for e in mechanism.elements], *[link.placement for link in mechanism.links]]
        self._arm = max([float(np.linalg.norm(arm)) for arm in arms])

    def add(self, frame: int, wrench: "Array") -> None:
        """Torque and force on a frame."""
        self._sums[frame] += wrench
        self.largest_power = max(self.largest_power, _largest(self.power(frame, wrench)))
        self.largest_force = max(self.largest_force, _largest(wrench))
        force, speed = np.linalg.norm(wrench[:, 3:], axis=1) + self.weight, self._velocities[frame]
        turning, moving = np.linalg.norm(speed[:, :3], axis=1), np.linalg.norm(speed[:, 3:], axis=1)
        torque = np.linalg.norm(wrench[:, :3], axis=1) + self._arm * force
        self.largest_product = max(self.largest_product, _largest(torque * turning + force * moving))

    def power(self, frame: int, wrench: "Array") -> "Array":
        """Power of a wrench on a frame [W]."""
        found: Array = np.einsum("ni,ni->n", wrench, self._velocities[frame])
        return found

    def passed(self, joint: Joint) -> "Array":
        """Power that comes out of a joint behind, less what goes in before [W]."""
        behind = self.power(joint.frame, self._columns.after(joint))
        found: Array = behind - self.power(joint.reference, self._columns.before(joint))
        return found

    def balance(self, frame: int) -> CutBalance:
        """The largest imbalances at a frame."""
        wrench = self._sums[frame]
        power = np.abs(self.power(frame, wrench))
        name = self._mechanism.frames[frame].name
        when = float(self._columns.time[int(np.argmax(power))])
        return CutBalance(name, _largest(power), _largest(wrench), when)

    def momentum(self) -> float:
        """The largest sum of all imbalances about the origin, the ground's apart."""
        total = np.zeros((len(self._columns.time), 6))
        for number, frame in enumerate(self._mechanism.frames):
            if frame.link is not None:
                turned, place = self._columns.rotation(number), self._columns.place(number)
                torque = np.einsum("nij,nj->ni", turned, self._sums[number][:, :3])
                force = np.einsum("nij,nj->ni", turned, self._sums[number][:, 3:])
                total += np.hstack([torque + np.cross(place, force), force])
        return _largest(total)


def _element_wrenches(mechanism: Mechanism, columns: RunColumns) -> "list[tuple[int, Array]]":
    """Wrenches of force elements and closures on their frames."""
    found = []
    for closure in mechanism.closures:
        if closure.kind == "rigid":
            wrench = columns.vector(f"{closure.name}.f")
            found += [(closure.first, -wrench), (closure.second, wrench)]
        else:
            found += [(closure.first, columns.vector(f"{closure.name}.fa"))]
            found += [(closure.second, columns.vector(f"{closure.name}.fb"))]
    for force in mechanism.forces:
        names = ("fa", "fb")
        found += [(f, columns.vector(f"{force.name}.{n}")) for f, n in zip(force.frames, names, strict=False)]
    return found


def _energy(mechanism: Mechanism, columns: RunColumns) -> "Array":
    """Kinetic energy and that of the uniform field of gravity [J]."""
    total = np.zeros(len(columns.time))
    for element in mechanism.elements:
        velocity = columns.velocity(element.frame)
        center, w = np.array(element.center), velocity[:, :3]
        linear = velocity[:, 3:] + np.cross(w, center)
        turned = columns.rotation(element.frame)
        height = (columns.place(element.frame) + turned @ center) @ np.array(mechanism.gravity)
        total += element.mass * (np.einsum("ni,ni->n", linear, linear) / 2 - height)
        total += np.einsum("ni,ij,nj->n", w, np.array(element.inertia), w) / 2
    return total


def _integral(time: "Array", rate: "Array") -> "Array":
    steps = np.diff(time) * (rate[1:] + rate[:-1]) / 2
    return np.concatenate([[0.0], np.cumsum(steps)])


def _largest(values: "Array") -> float:
    return float(np.max(np.abs(values), initial=0.0))
