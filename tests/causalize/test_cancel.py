"""What cancels once variables are known to be equal, or zero, goes before anything is solved."""

from acausal.causalize.aliases.eliminate_aliases import eliminate_aliases
from acausal.ir.pool import Pool
from tests.causalize.dae_text import dae_of


def test_a_row_that_its_pivot_takes_away() -> None:
    """n = j - u*(1/d)*u with u = d = j, as in the inertia behind a joint (row of its axis): n = 0."""
    reduced = eliminate_aliases(dae_of("n = h - u*(1/d)*w; d = u; w = h; u' = h; h' = n; z = n*u"))
    assert {repr(a.variable.symbol): repr(a.value) for a in reduced.aliases}["n"] == "0"
    assert {repr(a.variable.symbol): repr(a.value) for a in reduced.aliases}["z"] == "0"


def test_zeros_leave_zeros() -> None:
    """n has four neighbours, but its only product has a zero factor."""
    reduced = eliminate_aliases(dae_of("n = m - z*a*b*c; m = k; k = 0; z = k; a' = n; b' = a; c' = b"))
    assert {repr(a.variable.symbol): repr(a.value) for a in reduced.aliases}["n"] == "0"


def test_a_sum_opens_where_it_cancels() -> None:
    pool = Pool()
    x, y, z = (pool.variable((n,)) for n in "xyz")
    assert pool.add(x, pool.sub(y, x)) is y
    assert pool.add(pool.neg(pool.add(x, y, pool.const(2))), x, z) is pool.add(z, pool.neg(y), pool.const(-2))
    shared = pool.sub(y, x)
    assert shared in pool.add(shared, z).args


def test_what_stands_on_both_sides_goes() -> None:
    """Neither the derivative nor the sine is known, and both equations say that a variable is zero."""
    reduced = eliminate_aliases(dae_of("x' = x' + y; sin(u) = sin(u) + v; x = cos(u); u' = v + y"))
    assert {repr(a.variable.symbol): repr(a.value) for a in reduced.aliases} == {"y": "0", "v": "0"}
