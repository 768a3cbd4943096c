"""Symmetric arrays: found where the equations keep them so, and only there."""

import pytest

from acausal.causalize.arrays.symmetry import find_symmetry
from tests.causalize.test_scalarize import flat_of


@pytest.mark.parametrize(
    ("text", "shapes", "symmetric"),
    [
        ("N = S - outer(u, u);;S = A*transpose(A)", {"N": (3, 3), "S": (3, 3), "A": (3, 4), "u": (3,)}, "NS"),
        ("N = A*S*transpose(A);;S = identity(3)*d", {"N": (2, 2), "S": (3, 3), "A": (2, 3), "d": ()}, "NS"),
        ("N = A*B", {"N": (3, 3), "A": (3, 3), "B": (3, 3)}, ""),
        ("N = A + transpose(A)", {"N": (3, 3), "A": (3, 3)}, "N"),
        ("N = S;;S + T = identity(2);;T = A*A", {"N": (2, 2), "S": (2, 2), "T": (2, 2), "A": (2, 2)}, ""),
        ("N = skew(u)*skew(u);;K = skew(u)", {"N": (3, 3), "K": (3, 3), "u": (3,)}, "N"),
    ],
)
def test_symmetric_arrays(text: str, shapes: dict[str, tuple[int, ...]], symmetric: str) -> None:
    found = find_symmetry(flat_of(text, shapes)[0], {})
    assert sorted(str(name[0]) for name in found.arrays) == sorted(symmetric)
    assert len(found.equations) == len(symmetric)
