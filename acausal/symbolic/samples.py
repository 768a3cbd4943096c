"""Sample values of expressions: numbers without pattern that follow from what an expression is.

    x     sample(fingerprint of x, seed)     the same in every process, after every other translation, in every pool

Serials of nodes would not do: a class that was read before makes fewer nodes than one read for the first time.
"""

from zlib import crc32

from acausal.ir.expr import Expr
from acausal.ir.walk import postorder

_WORD = 2**64 - 1
_COMMUTATIVE = frozenset(("add", "mul"))


class Fingerprints:
    """A number for each expression, from operators and names; equal for sums that differ in the order of terms."""

    def __init__(self) -> None:
        self._numbers: dict[Expr, int] = {}

    def __getitem__(self, node: Expr) -> int:
        numbers = self._numbers
        for below in postorder([node], numbers.__contains__):
            inner = [numbers[a] for a in below.args]
            if below.op in _COMMUTATIVE:
                inner.sort()
            numbers[below] = crc32(repr((below.op, below.value, below.order, below.shape, inner)).encode())
        return numbers[node]

    def sample(self, node: Expr, seed: int) -> float:
        """A number between -1 and 1 for the expression, another one for each seed."""
        return _mixed(self[node], seed)


def _mixed(number: int, seed: int) -> float:
    """Between -1 and 1, without pattern (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)."""
    z = (seed * 0x632BE59BD9B4E019 + (number + 1) * 0x9E3779B97F4A7C15) & _WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
    return (z ^ (z >> 31)) / 2.0**63 - 1.0
