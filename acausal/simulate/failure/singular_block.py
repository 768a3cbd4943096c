"""A singular block at one point: what its equations leave open, said of its variables.

R1.i + R2.i = 5, R1.u = R2.u, ...  with R1.R = R2.R = 0
->   R1.i and R2.i are not determined: only their sum is
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.ir.dae import SortedSystem
from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block
from acausal.ir.names import listed, show_derivative
from acausal.ir.walk import variables_of
from acausal.simulate.failure.sorted_equations import Values, residual
from acausal.structure.regular import stays_regular
from acausal.symbolic.differentiate import differentiate

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

EXACT, NEARLY = 1e-11, 1e-5
"""Below which share of the largest one a singular value of the scaled matrix counts as 0, unless the matrix stays
regular whatever its entries do within that share: then it is only badly scaled."""
SMALL = 1e-6
"""Entries of a null vector below this share of the largest do not count."""
SHOWN = 6
LARGEST = 400
"""Equations of a block that is examined."""


@dataclass(frozen=True, slots=True)
class Singular:
    """Undetermined unknowns, as `sentence`; the dependent equations, and whether they are inconsistent."""

    sentence: str
    equations: tuple[Equation, ...]
    contradict: bool


def block_of(system: SortedSystem, unknown: Expr) -> Block | None:
    """The block that an unknown is solved in."""
    for block in system.blocks:
        if any(system.unknowns[v] is unknown for v in block.vars):
            return block
    return None


def singular(system: SortedSystem, block: Block, known: Values, share: float = EXACT) -> Singular | None:
    """Undetermined unknowns of a block at this point; None where it is regular or cannot be judged."""
    import numpy as np

    equations = [system.equations[e] for e in block.eqs]
    unknowns = sorted([system.unknowns[v] for v in block.vars], key=lambda x: x.serial)
    if len(equations) > LARGEST:
        return None
    matrix = np.array(_jacobian(system, equations, unknowns, known))
    if not np.isfinite(matrix).all():
        return None
    rows = _largest(matrix, 1)
    scaled = matrix / rows[:, np.newaxis]
    columns = _largest(scaled, 0)
    left, sizes, right = np.linalg.svd(scaled / columns)
    open_ = sizes <= share * max(1.0, sizes[0])
    if not open_.any() or stays_regular(matrix, share):
        return None
    vectors = _sparse(right[open_] / columns)
    dependent = _sparse(left[:, open_].T / rows)
    involved = np.abs(dependent).max(axis=0).tolist()
    return Singular(
        _sentence(unknowns, vectors),
        tuple([e for e, used in zip(equations, involved, strict=True) if used]),
        _contradict(system, equations, unknowns, known, dependent),
    )


def _jacobian(
    system: SortedSystem, equations: Sequence[Equation], unknowns: Sequence[Expr], known: Values
) -> list[list[float]]:
    place = {x: i for i, x in enumerate(unknowns)}
    matrix = []
    for equation in equations:
        row = [0.0] * len(unknowns)
        whole = residual(system, equation)
        for x in variables_of([whole]):
            if x in place:
                row[place[x]] = evaluated(differentiate(system.pool, whole, {x: system.pool.one}, {}), known)
        matrix.append(row)
    return matrix


def _largest(matrix: "Array", axis: int) -> "Array":
    """The largest entry of each row or column, 1 where all are 0."""
    import numpy as np

    sizes = np.abs(matrix).max(axis=axis)
    return np.where(sizes > 0.0, sizes, 1.0)


def _sparse(vectors: "Array") -> "Array":
    """A basis of the same space, reduced so that each vector has an entry 1 where the others have 0."""
    import numpy as np

    basis = np.array(vectors, dtype=float)
    used: list[int] = []
    for i in range(len(basis)):
        sizes = np.abs(basis[i]) * [k not in used for k in range(basis.shape[1])]
        pivot = int(np.argmax(sizes > 0.99 * sizes.max()))
        used.append(pivot)
        basis[i] /= basis[i, pivot]
        for j in range(len(basis)):
            if j != i:
                basis[j] -= basis[j, pivot] * basis[i]
    largest = np.abs(basis).max(axis=1, keepdims=True)
    basis[np.abs(basis) < SMALL * largest] = 0.0
    return basis


def _contradict(
    system: SortedSystem, equations: Sequence[Equation], unknowns: Sequence[Expr], known: Values, dependent: "Array"
) -> bool:
    """True if equations that depend on each other cannot hold together (where they are linear)."""
    import numpy as np

    at_zero = known | dict.fromkeys(unknowns, 0.0)
    rest = np.array([evaluated(residual(system, e), at_zero) for e in equations])
    if not np.isfinite(rest).all():
        return False
    terms = np.abs(dependent) @ np.abs(rest)
    return bool((np.abs(dependent @ rest) > SMALL * np.maximum(terms, 1e-300)).any())


# -------------------------------------------------------------------- words


def _sentence(unknowns: Sequence[Expr], vectors: "Array") -> str:
    parts = [_open_part(unknowns, group) for group in _groups(vectors)]
    return "; ".join(parts[:3]) + (f"; and {len(parts) - 3} more" if len(parts) > 3 else "")


def _groups(vectors: "Array") -> "list[Array]":
    """The null vectors, those with common variables together."""
    import numpy as np

    groups: list[Array] = []
    for vector in vectors:
        mine = [g for g in groups if ((np.abs(g).max(axis=0) > 0) & (vector != 0)).any()]
        groups = [g for g in groups if not any(g is m for m in mine)]
        groups.append(np.vstack([*mine, vector]))
    return groups


def _open_part(unknowns: Sequence[Expr], vectors: "Array") -> str:
    """Text about the variables of null vectors: the only combinations that are determined."""
    import numpy as np

    used = np.flatnonzero(np.abs(vectors).max(axis=0)).tolist()
    names = [show_derivative(unknowns[i].name, unknowns[i].order) for i in used]
    if len(names) == 1:
        return f"{names[0]} is not determined"
    shown = listed(names, SHOWN) if len(names) > SHOWN else f"{', '.join(names[:-1])} and {names[-1]}"
    rank = len(vectors)
    fixed = len(names) - rank
    if not fixed:
        return f"{shown} are not determined"
    if fixed > 2 or len(names) > SHOWN:
        return f"{shown} are not determined: they can change together"
    left = np.linalg.svd(vectors[:, used])[2][rank:]
    invariants = [_invariant(names, combination.tolist()) for combination in _sparse(left)]
    return f"{shown} are not determined: only {' and '.join(invariants)} {'is' if fixed == 1 else 'are'}"


def _invariant(names: Sequence[str], factors: Sequence[float]) -> str:
    """A combination of variables in words: that all of them are in it need not be repeated for two."""
    smallest = min((abs(f) for f in factors if f), default=1.0)
    shares = [f / smallest for f in factors]
    every = all(abs(s - shares[0]) < SMALL for s in shares)
    if every:
        return "their sum"
    if len(names) == 2 and abs(shares[0] + shares[1]) < SMALL:
        return "their difference"
    if shares[next(i for i, s in enumerate(shares) if s)] < 0:
        shares = [-s for s in shares]
    terms = [(s < 0, _times(abs(s), name)) for s, name in zip(shares, names, strict=True) if s]
    return "".join(
        f"{(' - ' if minus else ' + ') if i else ('-' if minus else '')}{term}" for i, (minus, term) in enumerate(terms)
    )


def _times(factor: float, name: str) -> str:
    return name if abs(factor - 1) < SMALL else f"{_number(factor)}*{name}"


def _number(value: float) -> str:
    near = round(value)
    return str(near) if near and abs(value - near) < SMALL * abs(near) else f"{value:.4g}"
