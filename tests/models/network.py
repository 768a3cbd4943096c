"""Random series/parallel networks, as text and by nodal analysis."""

import random

import numpy as np


class Network:
    """A random network: its text, and its resistors as (name, value, node, node)."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.resistors: list[tuple[str, float, int, int]] = []
        self.nodes = 2

    def build(self, depth: int, a: int, b: int) -> str:
        """The text of a part between two nodes."""
        if depth == 0 or self.chance.random() < 0.25:
            name = f"R{len(self.resistors)}"
            self.resistors.append((name, round(self.chance.uniform(0.1, 10), 3), a, b))
            return name
        count = self.chance.randint(2, 4)
        if self.chance.random() < 0.5:
            return "(" + " // ".join(self.build(depth - 1, a, b) for _ in range(count)) + ")"
        ends = [a, *range(self.nodes, self.nodes + count - 1), b]
        self.nodes += count - 1
        return "(" + " - ".join(self.build(depth - 1, ends[k], ends[k + 1]) for k in range(count)) + ")"

    def currents(self, volts: float) -> dict[str, float]:
        """Nodal analysis: node 1 at `volts`, node 0 at ground."""
        matrix = np.zeros((self.nodes, self.nodes))
        for _, r, a, b in self.resistors:
            matrix[a, a] += 1 / r
            matrix[b, b] += 1 / r
            matrix[a, b] -= 1 / r
            matrix[b, a] -= 1 / r
        inner = slice(2, None)
        v = np.zeros(self.nodes)
        v[1] = volts
        if self.nodes > 2:
            v[inner] = np.linalg.solve(matrix[inner, inner], -matrix[inner, 1] * volts)
        return {name: (v[a] - v[b]) / r for name, r, a, b in self.resistors}

    def text(self, volts: float) -> str:
        """A model of the network between a source of so many volts and ground."""
        part = self.build(3, 1, 0)
        parts = ", ".join(f"{name}(R={value})" for name, value, *_ in self.resistors)
        return (
            f"@electrical.lib\nmodel N\n  submodel (source) U(V={volts})\n  submodel (ground) G\n"
            f"  submodel (resistor) {parts}\n  connect G - U - {part} - G\nend\n"
        )
