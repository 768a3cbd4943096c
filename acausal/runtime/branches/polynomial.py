"""Polynomials through equidistant nodes on both sides of a singularity, and when they are to be trusted.

Errors by rounding and by the polynomial are about 1e-11 where half of the NODES are on either side (in the middle of
the nodes weights are small: L. N. Trefethen, Approximation Theory and Approximation Practice, 2013, chapter 15). The
highest difference tells the error of the polynomial; that before it is not zero at kinks in the middle, which are even
functions.

Of each of `size` results there are FIELDS numbers: DIRECT, VALUE of the polynomial, SIXTH and SEVENTH differences,
LEAST and GREATEST values at the nodes; results of one field stand together.
"""

from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel

NODES = 8
HALF = 4
DIRECT, VALUE, SIXTH, SEVENTH, LEAST, GREATEST = range(6)
FIELDS = 6
BESIDE = 0.05
"""Distance, in those of nodes, over which rates of solutions are taken."""
ERROR = 2e-3
"""Of the polynomial, as a share of its highest difference."""
SMOOTH = 1e-7
SMALL_SHARE = 1e-3
"""Errors that are accepted, as a share of the largest value of a derivative, of which all others have this share."""
KINK = 1e-3
"""The sixth difference, as the same share: at kinks it is as large as the values."""
EQUAL = 1e-12
"""Direct results stay where they differ from interpolated ones by less, as a share of the largest at a node."""
TRUSTED = 0.02
"""Errors of interpolated results, as a share of their distance to the direct ones; at a jump they are 0.08 at least."""
DECAYED = 1e-4
"""The last differences of a smooth result, as a share of its change from node to node."""
NOISE = 1e-8
"""Differences that are rounding, as a share of a result or of states and solutions."""
DIFFERENT = 1e-3
"""A difference of direct and interpolated results, as a share of the largest one, that is no error of exact ones."""
FAR = 10.0
"""A direct result is that many differences off where its errors outweigh those at the nodes."""


@kernel
def offset_of(node: Int) -> Real:
    """Places of the nodes around the singularity: back from it, then on."""
    if node < HALF:
        return -0.5 - float(node)
    return float(node - HALF) + 0.5


@kernel
def seventh_weight(node: Int) -> Real:
    """Factor of the value at a node in the seventh difference, of all nodes."""
    weight = 35.0
    for i in range(node if node < HALF else node - HALF):
        weight = -weight * float(3 - i) / float(5 + i)
    return weight if node < HALF else -weight


@kernel
def sixth_weight(node: Int) -> Real:
    """Factor of the value at a node in the sixth difference, of all nodes but the last one ahead."""
    weight = -20.0
    for i in range(node if node < HALF else node - HALF + 1):
        weight = -weight * float(3 - i) / float(4 + i)
    return weight


@kernel
def node_weight(node: Int, count: Int, at: Real) -> Real:
    """Factor of the value at a node in the polynomial through the first `count` ones."""
    weight = 1.0
    for i in range(count):
        if i != node:
            weight = weight * ((at - offset_of(i)) / (offset_of(node) - offset_of(i)))
    return weight


@kernel
def combine_nodes(n: Int, count: Int, at: Real, solutions: Reals, out: Reals) -> None:
    """Values of the polynomial through the solutions at the first `count` nodes."""
    for j in range(n):
        out[j] = 0.0
    for i in range(count):
        weight = node_weight(i, count, at)
        for j in range(n):
            out[j] = out[j] + weight * solutions[i * n + j]


@kernel
def rates_of_nodes(n: Int, at: Real, width: Real, solutions: Reals, out: Reals) -> None:
    """Rates of the polynomial through the solutions at all nodes, which are this time apart."""
    for j in range(n):
        out[j] = 0.0
    for i in range(NODES):
        change = node_weight(i, NODES, at + BESIDE) - node_weight(i, NODES, at - BESIDE)
        for j in range(n):
            out[j] = out[j] + change / (2.0 * BESIDE * width) * solutions[i * n + j]


@kernel
def add_results(size: Int, node: Int, out: Reals, weight: Real, results: Reals) -> None:
    """Results at a node, whose factor in the polynomial is `weight`, to the fields of all results."""
    sixth = sixth_weight(node)
    seventh = seventh_weight(node)
    for i in range(size):
        if node == 0:
            results[VALUE * size + i] = 0.0
            results[SIXTH * size + i] = 0.0
            results[SEVENTH * size + i] = 0.0
            results[LEAST * size + i] = out[i]
            results[GREATEST * size + i] = out[i]
        results[VALUE * size + i] = results[VALUE * size + i] + weight * out[i]
        results[SIXTH * size + i] = results[SIXTH * size + i] + sixth * out[i]
        results[SEVENTH * size + i] = results[SEVENTH * size + i] + seventh * out[i]
        results[LEAST * size + i] = min(results[LEAST * size + i], out[i])
        results[GREATEST * size + i] = max(results[GREATEST * size + i], out[i])


@kernel
def largest_at_nodes(size: Int, i: Int, results: Reals) -> Real:
    """The largest value of a result at the nodes."""
    return max(abs(results[LEAST * size + i]), abs(results[GREATEST * size + i]))


@kernel
def is_small(sixth: Real, seventh: Real, size: Real) -> Bool:
    """True if the polynomial with these differences is exact enough for values of this size."""
    return ERROR * abs(seventh) <= SMOOTH * size and abs(sixth) <= KINK * size


@kernel
def is_smooth(size: Int, results: Reals) -> Bool:
    """True if the errors of all polynomials are small."""
    largest = 0.0
    for i in range(size):
        largest = max(largest, largest_at_nodes(size, i, results))
    for i in range(size):
        scale = max(largest_at_nodes(size, i, results), SMALL_SHARE * largest)
        if not is_small(results[SIXTH * size + i], results[SEVENTH * size + i], scale):
            return False
    return True


@kernel
def take_smooth(size: Int, motion: Real, is_exact: Bool, out: Reals, results: Reals) -> None:
    """Results that are constant at the nodes; else the polynomial where it is better than the direct result.

    States and solutions are of the size `motion`. Direct results stay where they are exact and different.
    """
    largest = 0.0
    for i in range(size):
        most = largest_at_nodes(size, i, results)
        if is_small(results[SIXTH * size + i], results[SEVENTH * size + i], most):
            largest = max(largest, most)
    for i in range(size):
        finite = results[SEVENTH * size + i] == results[SEVENTH * size + i]
        if is_exact and is_different(size, i, results):
            out[i] = results[DIRECT * size + i]
        elif finite and results[LEAST * size + i] == results[GREATEST * size + i]:
            out[i] = results[LEAST * size + i]
        elif is_better(size, i, SMALL_SHARE * largest, motion, results):
            out[i] = results[VALUE * size + i]


@kernel
def is_different(size: Int, i: Int, results: Reals) -> Bool:
    """True if a direct result differs from the interpolated one by more than errors: it changes between two nodes."""
    direct = results[DIRECT * size + i]
    away = abs(direct - results[VALUE * size + i])
    return away > DIFFERENT * max(abs(direct), largest_at_nodes(size, i, results))


@kernel
def is_better(size: Int, i: Int, small: Real, motion: Real, results: Reals) -> Bool:
    """True if an interpolated result is better than the direct one.

    The difference of two variables, of which a relation is the sign, is small beside these: then errors tell nothing as
    a share of the result. They are compared with the distance of both results, and rounding with the states.
    """
    scale = max(largest_at_nodes(size, i, results), small)
    away = abs(results[DIRECT * size + i] - results[VALUE * size + i])
    if away <= EQUAL * scale:
        return False
    last = max(abs(results[SIXTH * size + i]), abs(results[SEVENTH * size + i]))
    change = results[GREATEST * size + i] - results[LEAST * size + i]
    error = ERROR * abs(results[SEVENTH * size + i])
    if last <= NOISE * max(scale, motion):
        return True
    smooth = last <= DECAYED * change or FAR * last <= away
    return smooth and (error <= SMOOTH * scale or error <= TRUSTED * away)
