"""Networks of heat: one state a node, each exchanging heat with those it is joined to."""

from collections.abc import Sequence
from random import Random

import numpy as np

from acausal.codegen.executable import Executable
from tests.simulate.models import Model

Edges = Sequence[tuple[int, int]]
COOLING = 0.1


class Network:
    """dT_i/dt = sum of conductance_ij * (T_j - T_i) - loss * T_i^3; linear where `loss` is 0."""

    def __init__(self, size: int, edges: Edges, loss: float = COOLING) -> None:
        self.loss = loss
        self.laplacian = np.zeros((size, size))
        for a, b in edges:
            conductance = 1.0 + (a + b) % 5
            self.laplacian[a, b] += conductance
            self.laplacian[b, a] += conductance
            self.laplacian[a, a] -= conductance
            self.laplacian[b, b] -= conductance
        self.start = np.array([1.0 + i % 3 for i in range(size)])

    def executable(self) -> Executable:
        """The network as a program."""
        model = Model()
        q = model.pool
        states = [model.state("T", i + 1, start=float(x)) for i, x in enumerate(self.start)]
        for i, row in enumerate(self.laplacian):
            terms = [q.mul(q.const(float(row[j])), q.sub(states[j], states[i])) for j in np.flatnonzero(row) if j != i]
            if self.loss:
                terms.append(q.mul(q.const(-self.loss), q.pow(states[i], q.const(3))))
            model.slope(states[i], q.add(*terms))
        return model.executable()

    def jacobian(self, y: np.ndarray) -> np.ndarray:
        """The closed form."""
        return self.laplacian - np.diag(3 * self.loss * y**2)

    def exact(self, t: float) -> np.ndarray:
        """The states of a network without loss at a time."""
        values, vectors = np.linalg.eigh(self.laplacian)
        return vectors @ (np.exp(values * t) * (vectors.T @ self.start))


def chain(size: int) -> Edges:
    """One after the other, numbered in a random order."""
    names = list(range(size))
    Random(1).shuffle(names)
    return [(names[i], names[i + 1]) for i in range(size - 1)]


def tree(size: int) -> Edges:
    """Each node has two below it: no order makes it narrow."""
    return [((i - 1) // 2, i) for i in range(1, size)]


def full(size: int) -> Edges:
    """Each with each."""
    return [(a, b) for a in range(size) for b in range(a)]
