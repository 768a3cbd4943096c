"""Blocks in LLVM's language: small linear ones eliminated in place, narrow bands and others by the native solvers."""

from acausal.codegen.llvm.band import find_band, solve_band
from acausal.codegen.llvm.lines import Lines, number
from acausal.codegen.lower.workspace import STRAIGHT, USE_LAPACK, factors_size, least_norm_work
from acausal.ir.least_norm import LeastNorm
from acausal.ir.program import FactoredSolve, LinearColumns, LinearFactor, LinearSolve, NewtonSolve
from acausal.runtime.blocks.least_norm import kinds_of
from acausal.runtime.blocks.linear import NOISE
from acausal.runtime.blocks.newton import ITERATIONS


def solve_block(lines: Lines, values: list[str], solve: LinearSolve | LinearColumns | FactoredSolve) -> list[str]:
    """The solution of linear equations; `values` are the arguments of the instruction."""
    if isinstance(solve, LinearSolve):
        return solve_linear(lines, values, solve)
    if isinstance(solve, LinearColumns):
        return solve_columns(lines, values, solve)
    return solve_factored(lines, values, solve)


def solve_linear(lines: Lines, values: list[str], solve: LinearSolve) -> list[str]:
    """The solution; `values` are A row by row, then b."""
    n = solve.size
    if solve.refined:
        return _solve_refined(lines, values, n, solve.block)
    if solve.norm is not None:
        return _solve_least_norm(lines, values, solve, solve.norm)
    if n <= STRAIGHT:
        rows = [[*values[i * n : (i + 1) * n], values[n * n + i]] for i in range(n)]
        return _eliminate(lines, rows, solve.block)[0]
    band = find_band(values, n)
    if band is not None:
        return solve_band(lines, values, solve, band)
    by_columns = n >= USE_LAPACK
    for i in range(n):
        for j in range(n):
            lines.fill(j * n + i if by_columns else i * n + j, values[i * n + j])
        lines.fill(n * n + i, values[n * n + i])
    arguments = f"i64 {n}, ptr {lines.place(0)}, ptr {lines.place(n * n)}"
    if by_columns:
        call = f"call i32 @solve_by_lapack({arguments}, ptr {lines.place(n * n + n)}, ptr @dgesv)"
    else:
        call = f"call i32 @solve_linear({arguments})"
    lines.unless_solved(call, solve.block)
    return lines.take(n * n, n)


def _solve_refined(lines: Lines, values: list[str], n: int, block: int) -> list[str]:
    for i, value in enumerate(values):
        lines.fill(i, value)
    a, b, work = [f"ptr {lines.place(position)}" for position in (0, n * n, n * n + n)]
    lines.unless_solved(f"call i32 @solve_refined(i64 {n}, {a}, {b}, {work})", block)
    return lines.take(n * n, n)


def _solve_least_norm(lines: Lines, values: list[str], solve: LinearSolve, norm: LeastNorm) -> list[str]:
    n, found = solve.size, kinds_of(solve.size, norm.reactions, norm.measured)
    kinds = f"@kinds_{''.join([f'{kind:g}' for kind in found])}"
    numbers = ", ".join([f"double {number(kind)}" for kind in found])
    lines.used[f"{kinds} = private constant [{n} x double] [{numbers}]"] = None
    for i, value in enumerate(values):
        lines.fill(i, value)
    right, work = n * n, n * n + n
    places = [lines.place(p) for p in (0, right, work, work + least_norm_work(n))]
    a, b, workspace, integers = [f"ptr {place}" for place in places]
    arguments = f"i64 {n}, {a}, {b}, ptr {kinds}, {workspace}, {integers}, ptr @dgesvd"
    lines.unless_solved(f"call i32 @solve_least_norm({arguments})", solve.block)
    return lines.take(right, n)


def solve_columns(lines: Lines, values: list[str], solve: LinearColumns) -> list[str]:
    """The solutions, column by column; `values` are A row by row, then B column by column."""
    n, square = solve.size, solve.size**2
    if n <= STRAIGHT:
        rows = [[*values[i * n : (i + 1) * n], *values[square + i :: n]] for i in range(n)]
        return [x for column in _eliminate(lines, rows, solve.block) for x in column]
    for i, value in enumerate(values[:square]):
        lines.fill(i, value)
    first = factors_size(n)
    matrix, size = lines.place(0), n * solve.columns
    lines.line(f"call i32 @factor_linear(i64 {n}, ptr {matrix})")
    for i, value in enumerate(values[square:]):
        lines.fill(first + i, value)
    for column in range(solve.columns):
        right = lines.place(first + column * n)
        lines.unless_solved(f"call i32 @solve_factored(i64 {n}, ptr {matrix}, ptr {right})", solve.block)
    return lines.take(first, size)


def factor_linear(lines: Lines, values: list[str], factor: LinearFactor) -> None:
    """Factors the matrix of `values`, row by row, in its place in p; a singular one is marked there."""
    for i, value in enumerate(values):
        lines.store("out", factor.position + i, value)
    place = lines.line(f"getelementptr double, ptr %out, i64 {factor.position}")
    lines.line(f"call i32 @factor_linear(i64 {factor.size}, ptr {place})")


def solve_factored(lines: Lines, values: list[str], solve: FactoredSolve) -> list[str]:
    """The solution; `values` are b."""
    for i, value in enumerate(values):
        lines.fill(i, value)
    factors = lines.line(f"getelementptr double, ptr %p, i64 {solve.position}")
    arguments = f"i64 {solve.size}, ptr {factors}, ptr {lines.place(0)}"
    lines.unless_solved(f"call i32 @solve_factored({arguments})", solve.block)
    return lines.take(0, solve.size)


def solve_newton(lines: Lines, residuals: str, values: list[str], solve: NewtonSolve) -> list[str]:
    """The solution; `values` are what is captured, then the start values; `residuals` is the function's name."""
    n = solve.size
    captured = len(values) - n
    for i, value in enumerate(values):
        lines.fill(i, value)
    c, x, work = lines.place(0), lines.place(captured), lines.place(captured + n)
    strict = lines.get(lines.place(-1))
    arrays = f"ptr {c}, ptr {x}, ptr @{residuals}_nominals, ptr {work}"
    arguments = f"i64 {n}, ptr @{residuals}, {arrays}, i64 {ITERATIONS}, double {strict}"
    lines.unless_solved(f"call i32 @solve_newton({arguments})", solve.block)
    factors = lines.place(captured + n + n * (n + 1))
    lines.lines.append(f"  call void @note_pivots(ptr %m, i64 {lines.memory}, ptr {factors}, i64 {n})")
    return lines.take(captured, n)


def nominals(residuals: str, solve: NewtonSolve) -> str:
    """The constant array of nominal values."""
    values = ", ".join(f"double {number(v)}" for v in solve.nominals)
    return f"@{residuals}_nominals = private constant [{solve.size} x double] [{values}]"


def _eliminate(lines: Lines, rows: list[list[str]], block: int) -> list[list[str]]:
    """Straight-line elimination with partial pivoting, as `runtime/blocks/linear`, for each right-hand side."""
    n, length = len(rows), len(rows[0])
    for k in range(n):
        for i in range(k + 1, n):
            _order_rows(lines, rows, k, i)
        _check_pivot(lines, rows, k, block)
        for i in range(k + 1, n):
            factor = rows[i][k] = lines.line(f"fdiv double {rows[i][k]}, {rows[k][k]}")
            for j in range(k + 1, length):
                rows[i][j] = _subtract(lines, rows[i][j], factor, rows[k][j])
    solutions = [[row[j] for row in rows] for j in range(n, length)]
    for x in solutions:
        for k in reversed(range(n)):
            for j in range(k + 1, n):
                x[k] = _subtract(lines, x[k], rows[k][j], x[j])
            x[k] = lines.line(f"fdiv double {x[k]}, {rows[k][k]}")
    return solutions


def _subtract(lines: Lines, a: str, b: str, c: str) -> str:
    """a - b*c."""
    product = lines.line(f"fmul double {b}, {c}")
    return lines.line(f"fsub double {a}, {product}")


def _order_rows(lines: Lines, rows: list[list[str]], k: int, i: int) -> None:
    """Exchanges two rows if the lower one has the larger entry in column k."""
    upper, lower = lines.abs(rows[k][k]), lines.abs(rows[i][k])
    exchange = lines.line(f"fcmp ogt double {lower}, {upper}")
    for j, (a, b) in enumerate(zip(rows[k], rows[i], strict=True)):
        rows[k][j] = lines.line(f"select i1 {exchange}, double {b}, double {a}")
        rows[i][j] = lines.line(f"select i1 {exchange}, double {a}, double {b}")


def _check_pivot(lines: Lines, rows: list[list[str]], k: int, block: int) -> None:
    noise = number(0.0)
    for j in range(k):
        product = lines.abs(lines.line(f"fmul double {rows[k][j]}, {rows[j][k]}"))
        noise = lines.line(lines.call("llvm.maxnum.f64", [noise, product]))
    limit = lines.line(f"fmul double {noise}, {number(NOISE)}") if k else noise
    lines.unless(lines.line(f"fcmp ogt double {lines.abs(rows[k][k])}, {limit}"), block)
