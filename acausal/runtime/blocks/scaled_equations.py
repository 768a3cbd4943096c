"""Scaled linear equations, and whether they say 0 = 0 where they are singular."""

from acausal.runtime.kernel.language import Bool, Int, Reals, kernel

OTHER, REACTION, MEASURED = 0.0, 1.0, 2.0
"""Kinds of unknowns; one that is the reaction of two elements is MEASURED + 1 and so on, its square counts twice."""
CONSISTENT = 1e-9
"""So much of the sums of absolute values may be left of a combination of equations that says 0 = 0."""
ROUNDING = 2.0**-50
"""Rounding errors of the singular vectors make as much of the largest of these sums, for each unknown."""
NEGLIGIBLE = 1e-6
"""Entries of null vectors below this count as zero."""


@kernel
def scale_rows(n: Int, a: Reals, rows: Reals) -> None:
    """Stores by what each row is multiplied, so that its largest entry is 1."""
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(a[i * n + j]))
        rows[i] = 1.0 / largest if largest > 0.0 else 1.0


@kernel
def scale_columns(n: Int, a: Reals, kinds: Reals, rows: Reals, columns: Reals) -> None:
    """The same for columns behind that; reactions have one scale, so that their norm is the plain one."""
    common = 0.0
    for j in range(n):
        largest = 0.0
        for i in range(n):
            largest = max(largest, abs(a[i * n + j]) * rows[i])
        columns[j] = 1.0 / largest if largest > 0.0 else 1.0
        if kinds[j] != OTHER:
            common = max(common, largest)
    for j in range(n):
        if kinds[j] != OTHER and common > 0.0:
            columns[j] = 1.0 / common


@kernel
def is_free_of_others(n: Int, v: Reals, kinds: Reals, first: Int) -> Bool:
    """True if null vectors, those from `first` on, have no share of other unknowns than reactions."""
    for k in range(first, n):
        for j in range(n):
            if kinds[j] == OTHER and not abs(v[j * n + k]) <= NEGLIGIBLE:
                return False
    return True


@kernel
def combine_scaled(n: Int, rank: Int, b: Reals, u: Reals, v: Reals, s: Reals, rows: Reals, z: Reals) -> None:
    """The shortest solution of the scaled equations."""
    for j in range(n):
        z[j] = 0.0
    for k in range(rank):
        share = 0.0
        for i in range(n):
            share = share + u[k * n + i] * (rows[i] * b[i])
        share = share / s[k]
        for j in range(n):
            z[j] = z[j] + share * v[j * n + k]


@kernel
def is_consistent(n: Int, rank: Int, a: Reals, b: Reals, u: Reals, rows: Reals, columns: Reals, z: Reals) -> Bool:
    """True if the combinations of equations that vanish on the left do so on the right."""
    largest = 0.0
    for i in range(n):
        terms = abs(b[i])
        for j in range(n):
            terms = terms + abs(a[i * n + j] * columns[j] * z[j])
        largest = max(largest, rows[i] * terms)
    for k in range(rank, n):
        total = 0.0
        size = ROUNDING * float(n) * largest / CONSISTENT
        for i in range(n):
            terms = abs(b[i])
            for j in range(n):
                terms = terms + abs(a[i * n + j] * columns[j] * z[j])
            total = total + u[k * n + i] * (rows[i] * b[i])
            size = size + abs(u[k * n + i]) * (rows[i] * terms)
        if not abs(total) <= CONSISTENT * size:
            return False
    return True
