"""Sample values follow from what an expression is: not from its pool, and not from what was made before it."""

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.symbolic.samples import Fingerprints
from acausal.symbolic.slopes import Point

SEEDS = range(3)


def built(pool: Pool, *, backwards: bool) -> list[Expr]:
    """Leaves, a sum, a product and a condition of the same two variables, made in one order or the other."""
    names = [("a", "x"), ("b", "y")]
    x, y = [pool.variable(n) for n in (names[::-1] if backwards else names)][:: -1 if backwards else 1]
    return [x, y, pool.add(x, y), pool.mul(y, x), pool.call("<", x, y), pool.parameter(("p",))]


def test_samples_are_those_of_another_pool_with_another_history() -> None:
    ours, theirs = built(Pool(), backwards=False), built(Pool(), backwards=True)
    assert [x.serial for x in ours] != [x.serial for x in theirs]
    for seed in SEEDS:
        samples = [[Fingerprints().sample(x, seed) for x in nodes] for nodes in (ours, theirs)]
        assert samples[0] == samples[1]


def test_samples_of_different_expressions_and_seeds_differ() -> None:
    pool = Pool()
    x, *others = built(pool, backwards=False)
    leaves = [x, *others, *[pool.variable(("n", str(k))) for k in range(1000)], pool.variable(("x",), 1)]
    fingerprints = Fingerprints()
    samples = [fingerprints.sample(leaf, seed) for leaf in leaves for seed in SEEDS]
    assert len(set(samples)) == len(samples)
    assert all(-1 <= s <= 1 for s in samples)
    assert abs(sum(samples)) < 4 * (len(samples) / 3) ** 0.5  # four standard deviations of a uniform distribution


def test_a_point_does_not_depend_on_what_was_made_before() -> None:
    values = []
    for backwards in (False, True):
        pool = Pool()
        if backwards:
            for k in range(100):
                pool.variable(("before", str(k)))
        x, y, total, *_ = built(pool, backwards=backwards)
        point = Point(pool, 1, 1.0)
        slopes = point.slope(pool.mul(total, x), {x, y})
        values.append([point.value(total), slopes[x], slopes[y]])
    assert values[0] == values[1]
