"""Random array expressions: their text, and their value worked out by NumPy."""

import random
from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shape = tuple[int, ...]
Pair = tuple[str, Array]

SHAPES: tuple[Shape, ...] = ((), (2,), (3,), (2, 2), (2, 3), (3, 2), (3, 3))


class Sampler:
    """Draws expressions of a wanted shape over `names` with values."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        generator = np.random.default_rng(seed)
        self.values: dict[str, Array] = {}
        for number, shape in enumerate(SHAPES):
            for copy in "ab":
                self.values[f"{copy}{number}"] = generator.uniform(0.5, 2.0, shape)

    def draw(self, shape: Shape, depth: int) -> Pair:
        """An expression of this shape."""
        if depth == 0 or self.chance.random() < 0.15:
            return self._leaf(shape)
        make = self.chance.choice([*self._general(), *self._special(shape)])
        text, value = make(shape, depth - 1)
        return f"({text})", np.asarray(value)

    def _leaf(self, shape: Shape) -> Pair:
        name = f"{self.chance.choice('ab')}{SHAPES.index(shape)}"
        return name, self.values[name]

    def _general(self) -> list[Callable[[Shape, int], Pair]]:
        return [self._sum, self._scaled, self._elementwise, self._negated, self._divided]

    def _special(self, shape: Shape) -> list[Callable[[Shape, int], Pair]]:
        made: list[Callable[[Shape, int], Pair]] = []
        if shape == ():
            made = [self._dot, self._reduced, self._element, self._function]
        elif shape == (3,):
            made = [self._cross, self._column, self._stacked, self._product]
        elif len(shape) == 1:
            made = [self._column, self._product]
        else:
            made = [self._product, self._transposed, self._outer, self._blocks]
        if shape == (3, 3):
            made += [self._skew, self._identity]
        if shape in ((2, 2), (3, 3)):
            made.append(self._diag)
        return made

    def _sum(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y), (c, z) = (self.draw(shape, depth) for _ in range(3))
        return f"{a} - {b} + {c}", x - y + z

    def _negated(self, shape: Shape, depth: int) -> Pair:
        a, x = self.draw(shape, depth)
        return f"-{a}", -x

    def _scaled(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw((), depth), self.draw(shape, depth)
        return (f"{a}*{b}", x * y) if self.chance.random() < 0.5 else (f"{b}*{a}", y * x)

    def _divided(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw(shape, depth), self._leaf(())
        return f"{a}/{b}", x / y

    def _elementwise(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw(shape, depth), self.draw(shape, depth)
        return f"{a} .* {b}", x * y

    def _product(self, shape: Shape, depth: int) -> Pair:
        inner = self.chance.choice((2, 3))
        left, right = ((*shape[:1], inner), (inner, *shape[1:]))
        if len(shape) == 1 and self.chance.random() < 0.5:
            left, right = (inner,), (inner, shape[0])
        (a, x), (b, y) = self.draw(left, depth), self.draw(right, depth)
        return f"{a}*{b}", x @ y

    def _dot(self, shape: Shape, depth: int) -> Pair:
        length = self.chance.choice((2, 3))
        (a, x), (b, y) = self.draw((length,), depth), self.draw((length,), depth)
        return self.chance.choice((f"{a}*{b}", f"dot({a}, {b})")), np.asarray(x @ y)

    def _reduced(self, shape: Shape, depth: int) -> Pair:
        a, x = self.draw(self.chance.choice(SHAPES[1:]), depth)
        name, value = self.chance.choice([("sum", x.sum()), ("min", x.min()), ("max", x.max())])
        return f"{name}({a})", np.asarray(value)

    def _element(self, shape: Shape, depth: int) -> Pair:
        name, x = self._leaf(self.chance.choice(SHAPES[1:]))
        at = self.chance.choice(list(product(*[range(n) for n in x.shape])))
        return f"{name}[{', '.join(str(i + 1) for i in at)}]", x[at]

    def _function(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw((), depth), self.draw((3,), depth)
        return self.chance.choice([(f"sin({a})", np.sin(x)), (f"norm({b})", np.asarray(np.linalg.norm(y)))])

    def _cross(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw((3,), depth), self.draw((3,), depth)
        return f"cross({a}, {b})", np.cross(x, y)

    def _column(self, shape: Shape, depth: int) -> Pair:
        name, x = self._leaf((shape[0], 3))
        if self.chance.random() < 0.5:
            return f"{name}[:, 2]", x[:, 1]
        name, x = self._leaf((3, 3))
        return f"{name}[3, 1:{shape[0]}]", x[2, : shape[0]]

    def _stacked(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw((2,), depth), self.draw((), depth)
        return f"[{a}; {b}]", np.concatenate([x, [y]])

    def _transposed(self, shape: Shape, depth: int) -> Pair:
        a, x = self.draw(shape[::-1], depth)
        return f"transpose({a})", x.T

    def _outer(self, shape: Shape, depth: int) -> Pair:
        (a, x), (b, y) = self.draw(shape[:1], depth), self.draw(shape[1:], depth)
        return f"outer({a}, {b})", np.outer(x, y)

    def _skew(self, shape: Shape, depth: int) -> Pair:
        a, x = self.draw((3,), depth)
        return f"skew({a})", np.array([np.cross(x, e) for e in np.eye(3)]).T

    def _identity(self, shape: Shape, depth: int) -> Pair:
        return "identity(3) - zeros(3, 3) + ones(3, 3)", np.eye(3) + np.ones((3, 3))

    def _diag(self, shape: Shape, depth: int) -> Pair:
        a, x = self.draw(shape[:1], depth)
        return f"diag({a})", np.diag(x)

    def _blocks(self, shape: Shape, depth: int) -> Pair:
        if shape == (3, 3):
            (a, x), (b, y), (c, z) = self.draw((2, 2), depth), self.draw((2,), depth), self.draw((), depth)
            bottom = np.array([[1.0, 2.0]])
            return f"[{a}, {b}; 1, 2, {c}]", np.block([[x, y[:, None]], [bottom, z.reshape(1, 1)]])
        columns = [self.draw(shape[:1], depth) for _ in range(shape[1])]
        return f"[{', '.join(t for t, _ in columns)}]", np.column_stack([x for _, x in columns])
