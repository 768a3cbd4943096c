"""Balance of power at all nodes of a run, and the energy that each submodel takes."""

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from acausal.analyses.power.nodes import End, Node, nodes_of, outer_submodels
from acausal.analyses.power.pairs import Pair, pairs_of
from acausal.analyses.power.run_values import RunValues
from acausal.base.frozen import dataclass
from acausal.ir.flat import FlatModel
from acausal.ir.names import Name, show_name

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.result import Result

LIMIT = 1e-9
"""Imbalances below this share of the largest power or through variable are rounding."""
ROUNDING = 1e-13
"""Accuracy of a product, as a share of the largest factors."""


@dataclass(frozen=True, slots=True)
class NodeBalance:
    """Balance at a node: the largest sum of the powers of all its cuts [W], and when [s].

    `through` is the largest sum of a through variable as a share of the largest one there. Both are None at a node
    with a cut `.`, such as a ground, which takes what is left. The power is `assumed` to be the product of the only
    across and the only through variable where their units are not known.
    """

    node: str
    cuts: tuple[str, ...]
    power: float | None
    through: float | None
    time: float
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class TakenEnergy:
    """The largest power [W] that a submodel takes through its cuts or gives, and the energy that it takes [J].

    The energy is integrated over the rows by trapezoids; it is negative for what drives the others. Speeds that the
    program does not compute are differences between rows.
    """

    submodel: str
    class_name: str
    power: float
    energy: float


@dataclass(frozen=True, slots=True)
class PowerBalance:
    """Balances of a run; `largest_power` [W] is that of any cut at any time, `rounding` [W] what powers are exact to.

    `submodels` are those of the model itself, with what they take through their cuts, those of multibody frames apart:
    what they take from each other sums to zero.
    """

    nodes: tuple[NodeBalance, ...]
    submodels: tuple[TakenEnergy, ...]
    largest_power: float
    rounding: float

    @property
    def imbalance(self) -> float:
        """The largest imbalance of power as a share of the largest power; small where it is rounding."""
        worst = max([node.power for node in self.nodes if node.power is not None], default=0.0)
        return worst / (max(self.largest_power, self.rounding / LIMIT) or 1.0)

    @property
    def through_imbalance(self) -> float:
        """The largest sum of a through variable as a share of the largest one at its node."""
        return max([node.through for node in self.nodes if node.through is not None], default=0.0)

    @property
    def holds(self) -> bool:
        """True if powers and through variables balance to rounding; also where there is nothing to balance."""
        return self.imbalance < LIMIT and self.through_imbalance < LIMIT


def power_balance(flat: FlatModel, result: "Result") -> PowerBalance:
    """The balances of a run that has all variables."""
    sums = _Sums(flat, result)
    nodes = [found for node in nodes_of(flat) if (found := sums.balance(node)) is not None]
    taken = [
        TakenEnergy(show_name(c.path), c.class_name, _largest(power), float(np.trapezoid(power, result.time)))
        for c in dict.fromkeys(outer_submodels(flat).values())
        if (power := sums.taken.get(c.path)) is not None
    ]
    return PowerBalance(tuple(nodes), tuple(taken), sums.largest_power, ROUNDING * sums.largest_product)


class _Sums:
    """Powers into submodels, and the largest of all powers and factors so far."""

    def __init__(self, flat: FlatModel, result: "Result") -> None:
        self._values = RunValues(flat, result)
        self._time = result.time
        self._speeds = self._speeds_of(flat)
        self._submodels = outer_submodels(flat)
        self.taken: dict[Name, Array] = {}
        self.largest_power = 0.0
        self.largest_product = 0.0

    def _speeds_of(self, flat: FlatModel) -> "dict[int, Array]":
        """The speed of each point of ladders: that of any of its cuts, as the run has the derivative of few only.

        Where it has none, that of differences between rows: of a balance it is a common factor.
        """
        found: dict[int, Array] = {}
        positions: dict[int, Array] = {}
        for node in nodes_of(flat):
            for end in node.ends if node.ladder else ():
                first = self._values.quantity(end.across(0))
                speed = self._values.quantity(end.across(1)) if len(end.cut.across) > 1 else None
                if speed is not None and node.group not in found:
                    found[node.group] = self._values.values(speed)
                if first is not None and node.group not in positions:
                    positions[node.group] = self._values.values(first)
        return {k: _differences(self._time, values) for k, values in positions.items() if k not in found} | found

    def balance(self, node: Node) -> NodeBalance | None:
        """The balance at a node, whose powers are added to its submodels; None where no variables give a power."""
        pairs = list(pairs_of(node, self._values))
        if not pairs:
            return None
        open_ = any(end.through(pair.through) is None for end in node.ends for pair in pairs)
        powers = [self._power(node, end, pairs) for end in node.ends]
        known = [power for power in powers if power is not None]
        total: Array = np.sum(known, axis=0) if known else np.zeros(len(self._time))
        for end, power in zip(node.ends, powers, strict=True):
            self._add(node, end, -total if open_ and end.through(pairs[0].through) is None else power)
        complete = not open_ and len(known) == len(powers)
        return NodeBalance(
            node.name,
            tuple([end.name for end in node.ends]),
            _largest(total) if complete else None,
            None if open_ else max([self._through(node, pair) for pair in pairs]),
            float(self._time[int(np.argmax(np.abs(total)))]) if len(self._time) else 0.0,
            any(pair.assumed for pair in pairs),
        )

    def _power(self, node: Node, end: End, pairs: list[Pair]) -> "Array | None":
        """The power that a cut takes, with the sign that it has at the node; None where it is not known."""
        total: Array = np.zeros(len(self._time))
        for pair in pairs:
            through = self._values.quantity(end.through(pair.through))
            if through is None:
                continue
            flow = end.sign(pair.through) * self._values.values(through)
            if pair.across is None:
                total += flow.sum(axis=1)
                continue
            potential = self._potential(node, end, pair.across)
            if potential is None:
                return None
            self.largest_product = max(self.largest_product, _largest(potential) * _largest(flow))
            total += np.einsum("ni,ni->n", potential, flow)
        return total

    def _potential(self, node: Node, end: End, place: int) -> "Array | None":
        if node.ladder:
            return self._speeds.get(node.group)
        quantity = self._values.quantity(end.across(place))
        return None if quantity is None else self._values.values(quantity)

    def _through(self, node: Node, pair: Pair) -> float:
        """The largest sum of a through variable as a share of the largest one at the node."""
        found = [(end.sign(pair.through), self._values.quantity(end.through(pair.through))) for end in node.ends]
        flows = [sign * self._values.values(quantity) for sign, quantity in found if quantity is not None]
        largest = max([_largest(flow) for flow in flows], default=0.0)
        return _largest(np.sum(flows, axis=0)) / largest if largest else 0.0

    def _add(self, node: Node, end: End, power: "Array | None") -> None:
        if power is not None:
            self.largest_power = max(self.largest_power, _largest(power))
            if node.outer and end.path:
                path = self._submodels[end.path].path
                self.taken[path] = self.taken.get(path, 0.0) + power


def _differences(time: "Array", values: "Array") -> "Array":
    """Derivatives by differences between rows; the two rows of an event belong to different pieces."""
    found: Array = np.zeros_like(values)
    ends = [0, *(np.flatnonzero(np.diff(time) <= 0) + 1), len(time)]
    for first, last in pairwise(ends):
        if last - first > 1:
            found[first:last] = np.gradient(values[first:last], time[first:last], axis=0)
    return found


def _largest(values: "Array") -> float:
    return float(np.max(np.abs(values), initial=0.0))
