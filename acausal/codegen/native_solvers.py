"""The solvers of blocks as native code: what numpy_solvers.py says, loop by loop.

    i32 acausal_solve(n, A, b)                       A row by row; b becomes the solution
    i32 acausal_newton(n, f, c, x, nominals, work, strict)   x becomes the solution; f(c, x, values)
    i32 acausal_lapack(n, A, b)                      A column by column; work behind b for n pivots
    i32 acausal_factor(n, A)                         A becomes L and U, behind it n pivots and 0, or nan if singular
    i32 acausal_substitute(n, A, b)                  A as acausal_factor leaves it; b becomes the solution

They return 0, or 1 if the block cannot be solved. `work` has the length that `newton_work` tells;
`strict` is 1 where Newton's method may only contract.
"""

from math import inf

from llvmlite import ir

from acausal.codegen.native_elimination import Elimination
from acausal.codegen.native_factors import factor, substitute
from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real
from acausal.codegen.numpy_solvers import (
    CONTRACTION,
    ITERATIONS,
    NOISE,
    RESIDUAL_TOLERANCE,
    SMALLEST_DAMPING,
    STEP_TOLERANCE,
    TINY,
)

TRUTH = ir.IntType(1)


def native_solvers() -> str:
    """The text of a module with all of them but `acausal_lapack`."""
    module = ir.Module("solvers")
    factor(module)
    substitute(module)
    solve = _solve(module)
    _newton(module, solve, _norm(module))
    return str(module)


def native_lapack() -> str:
    """The text of a module with `acausal_lapack`, which calls LAPACK's dgesv as `acausal_dgesv`."""
    module = ir.Module("lapack")
    _lapack(module)
    return str(module)


def _solve(module: ir.Module) -> ir.Function:
    f = Function(module, "acausal_solve", STATUS, (INTEGER, POINTER, POINTER))
    b = f.b
    n, matrix, right = f.function.args
    elimination = Elimination(f, n, matrix)
    with f.loop(integer(0), n) as k:
        row = elimination.pivot_row(k)
        with b.if_then(b.icmp_signed("!=", row, k)):
            elimination.exchange(k, row)
            f.swap(f.at(right, k), f.at(right, row))
        pivot = elimination.pivot(k)
        with f.loop(b.add(k, integer(1)), n) as i:
            quotient = elimination.reduce(k, i, pivot)
            f.put(right, i, b.fsub(f.get(right, i), b.fmul(quotient, f.get(right, k))))
    elimination.substitute_back(right)
    b.ret(STATUS(0))
    return f.function


def _norm(module: ir.Module) -> ir.Function:
    """The largest residual as a share of its scale; infinite if a value is not finite."""
    f = Function(module, "acausal_norm", REAL, (INTEGER, POINTER, POINTER))
    b = f.b
    n, values, scales = f.function.args
    total, largest = f.place(REAL), f.place(REAL)
    b.store(real(0.0), total)
    b.store(real(0.0), largest)
    with f.loop(integer(0), b.mul(n, b.add(n, integer(1)))) as i:
        b.store(b.fadd(b.load(total, typ=REAL), f.size_of(f.get(values, i))), total)
    with b.if_then(b.not_(b.fcmp_ordered("<", b.load(total, typ=REAL), real(inf)))):
        b.ret(real(inf))
    with f.loop(integer(0), n) as i:
        f.raise_to(largest, b.fdiv(f.size_of(f.get(values, i)), f.get(scales, i)))
    b.ret(b.load(largest, typ=REAL))
    return f.function


def _newton(module: ir.Module, solve: ir.Function, norm: ir.Function) -> None:
    signature = ir.FunctionType(ir.VoidType(), (POINTER, POINTER, POINTER))
    kinds = (INTEGER, signature.as_pointer(), POINTER, POINTER, POINTER, POINTER, REAL)
    f = Function(module, "acausal_newton", STATUS, kinds)
    b = f.b
    n, residuals, captured, x, _, values, strict = f.function.args
    square = b.mul(n, n)
    matrix = f.at(values, b.add(n, square))
    step = f.at(matrix, square)
    scales, trial = f.at(step, n), f.at(step, b.mul(n, integer(2)))
    size, damping, longest, way = (f.place(REAL) for _ in range(4))
    slow = f.place(TRUTH)
    is_strict = b.fcmp_ordered("==", strict, real(1.0))

    def call(at: ir.Value) -> None:
        b.call(residuals, [captured, at, values])

    b.store(real(inf), longest)
    b.store(real(0.0), way)
    b.store(TRUTH(0), slow)
    call(x)
    with f.loop(integer(0), integer(ITERATIONS)):
        _prepare(f, matrix, step, scales)
        f.fail_unless(b.icmp_signed("==", b.call(solve, [n, matrix, step]), STATUS(0)))
        _measure(f, step, size)
        start = b.call(norm, [n, values, scales])
        f.fail_unless(b.fcmp_ordered("<", start, real(inf)))
        whole = b.load(size, typ=REAL)
        longer = b.fcmp_ordered(">", whole, b.load(longest, typ=REAL))
        b.store(b.or_(b.load(slow, typ=TRUTH), longer), slow)
        contracts = b.and_(is_strict, b.fcmp_ordered(">", whole, real(STEP_TOLERANCE / CONTRACTION)))
        with b.if_then(contracts):
            b.store(b.fmul(real(CONTRACTION), whole), longest)
        b.store(real(1.0), damping)
        again, accepted = f.function.append_basic_block("again"), f.function.append_basic_block("accepted")
        b.branch(again)
        b.position_at_end(again)
        share = b.load(damping, typ=REAL)
        with f.loop(integer(0), n) as i:
            f.put(trial, i, b.fadd(f.get(x, i), b.fmul(share, f.get(step, i))))
        call(trial)
        now = b.call(norm, [n, values, scales])
        moved = b.select(is_strict, b.load(size, typ=REAL), b.fmul(share, b.load(size, typ=REAL)))
        small = b.fcmp_ordered("<=", moved, real(STEP_TOLERANCE))
        settled = b.and_(small, b.fcmp_ordered("<", now, real(inf)))
        with b.if_then(b.or_(settled, b.fcmp_ordered("<=", now, real(RESIDUAL_TOLERANCE)))):
            _copy(f, trial, x)
            b.ret(STATUS(0))
        shorter = f.function.append_basic_block("shorter")
        contracts = b.fcmp_ordered("<=", now, b.fmul(real(CONTRACTION), start))
        b.store(b.or_(b.load(slow, typ=TRUTH), b.and_(is_strict, b.not_(contracts))), slow)
        gone = b.fadd(b.load(way, typ=REAL), b.fmul(share, b.load(size, typ=REAL)))
        far = b.fcmp_ordered(">", gone, real(TINY))
        f.fail_unless(b.not_(b.and_(b.load(slow, typ=TRUTH), far)))
        enough = b.fmul(b.fsub(real(1.0), b.fmul(share, real(0.25))), start)
        b.cbranch(b.fcmp_ordered("<=", now, enough), accepted, shorter)
        b.position_at_end(shorter)
        half = b.fmul(share, real(0.5))
        b.store(half, damping)
        f.fail_unless(b.fcmp_ordered(">=", half, real(SMALLEST_DAMPING)))
        b.branch(again)
        b.position_at_end(accepted)
        b.store(gone, way)
        _copy(f, trial, x)
    b.ret(STATUS(1))


def _weight(f: Function, j: ir.Value) -> ir.Value:
    """The larger of an unknown and its nominal value."""
    x, nominals = f.function.args[3:5]
    size, nominal = f.size_of(f.get(x, j)), f.get(nominals, j)
    return f.b.select(f.b.fcmp_ordered(">", nominal, size), nominal, size)


def _prepare(f: Function, matrix: ir.Value, step: ir.Value, scales: ir.Value) -> None:
    """Copies the Jacobian and the negative residuals, and scales each row."""
    b = f.b
    n, values = f.function.args[0], f.function.args[5]
    jacobian = f.at(values, n)
    with f.loop(integer(0), n) as i:
        f.put(step, i, b.fneg(f.get(values, i)))
        f.put(scales, i, real(0.0))
        with f.loop(integer(0), n) as j:
            entry = f.entry(jacobian, n, i, j)
            b.store(entry, f.cell(matrix, n, i, j))
            f.raise_to(f.at(scales, i), b.fmul(f.size_of(entry), _weight(f, j)))


def _measure(f: Function, step: ir.Value, size: ir.Value) -> None:
    """The largest change as a share of its unknown."""
    f.b.store(real(0.0), size)
    with f.loop(integer(0), f.function.args[0]) as j:
        f.raise_to(size, f.b.fdiv(f.size_of(f.get(step, j)), _weight(f, j)))


def _copy(f: Function, source: ir.Value, target: ir.Value) -> None:
    with f.loop(integer(0), f.function.args[0]) as i:
        f.put(target, i, f.get(source, i))


def _lapack(module: ir.Module) -> None:
    """Calls dgesv, then looks at the pivots as `acausal_solve` does."""
    f = Function(module, "acausal_lapack", STATUS, (INTEGER, POINTER, POINTER))
    b = f.b
    n, matrix, right = f.function.args
    size, one, info, noise = f.place(STATUS), f.place(STATUS), f.place(STATUS), f.place(REAL)
    b.store(b.trunc(n, STATUS), size)
    b.store(STATUS(1), one)
    dgesv = ir.Function(module, ir.FunctionType(ir.VoidType(), (POINTER,) * 8), "acausal_dgesv")
    b.call(dgesv, [size, one, matrix, size, f.at(right, n), right, size, info])
    f.fail_unless(b.icmp_signed("==", b.load(info, typ=STATUS), STATUS(0)))
    with f.loop(integer(0), n) as k:
        b.store(real(0.0), noise)
        with f.loop(integer(0), k) as j:
            f.raise_to(noise, f.size_of(b.fmul(f.entry(matrix, n, j, k), f.entry(matrix, n, k, j))))
        limit = b.fmul(real(NOISE), b.load(noise, typ=REAL))
        f.fail_unless(b.fcmp_ordered(">", f.size_of(f.entry(matrix, n, k, k)), limit))
    b.ret(STATUS(0))
