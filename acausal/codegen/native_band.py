"""Linear systems whose matrix is a narrow band, as native code.

    i32 acausal_band(n, lower, upper, A, b)      b becomes the solution; 0, or 1 if the matrix is singular

Row i of A holds its columns i - lower to i + upper + lower: the last `lower` ones are room for what comes from
exchanging rows. Elimination with partial pivoting; a pivot that is nothing but rounding error is none, as in
`solve_linear`.
"""

from llvmlite import ir

from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real
from acausal.runtime.linear import NOISE


def native_band() -> str:
    """The text of a module with `acausal_band`."""
    module = ir.Module("band")
    f = Function(module, "acausal_band", STATUS, (INTEGER, INTEGER, INTEGER, POINTER, POINTER))
    b = f.b
    n, lower, upper, matrix, right = f.function.args
    row_length = b.add(b.add(b.add(lower, lower), upper), integer(1))
    reach = b.add(b.add(lower, upper), integer(1))
    best, noise = f.place(INTEGER), f.place(REAL)

    def cell(i: ir.Value, j: ir.Value) -> ir.Value:
        return f.at(matrix, b.add(b.mul(i, row_length), b.add(b.sub(j, i), lower)))

    def entry(i: ir.Value, j: ir.Value) -> ir.Value:
        return b.load(cell(i, j), typ=REAL)

    with f.loop(integer(0), n) as k:
        following = b.add(k, integer(1))
        below, beyond = _least(b, n, b.add(following, lower)), _least(b, n, b.add(k, reach))
        b.store(k, best)
        with f.loop(following, below) as i:
            largest = f.size_of(entry(b.load(best, typ=INTEGER), k))
            with b.if_then(b.fcmp_ordered(">", f.size_of(entry(i, k)), largest)):
                b.store(i, best)
        row = b.load(best, typ=INTEGER)
        first = _most(b, integer(0), b.sub(k, lower))
        with b.if_then(b.icmp_signed("!=", row, k)):
            left = _most(b, first, b.sub(row, lower))
            with f.loop(first, left) as j:
                b.store(real(0.0), cell(k, j))
            with f.loop(left, beyond) as j:
                f.swap(cell(k, j), cell(row, j))
            f.swap(f.at(right, k), f.at(right, row))
        b.store(real(0.0), noise)
        with f.loop(first, k) as j:
            f.raise_to(noise, f.size_of(b.fmul(entry(k, j), entry(j, k))))
        pivot = entry(k, k)
        f.fail_unless(b.fcmp_ordered(">", f.size_of(pivot), b.fmul(real(NOISE), b.load(noise, typ=REAL))))
        with f.loop(following, below) as i:
            quotient = b.fdiv(entry(i, k), pivot)
            b.store(quotient, cell(i, k))
            with f.loop(following, beyond) as j:
                b.store(b.fsub(entry(i, j), b.fmul(quotient, entry(k, j))), cell(i, j))
            f.put(right, i, b.fsub(f.get(right, i), b.fmul(quotient, f.get(right, k))))
    with f.loop(integer(0), n) as done:
        k = b.sub(b.sub(n, done), integer(1))
        with f.loop(b.add(k, integer(1)), _least(b, n, b.add(k, reach))) as j:
            f.put(right, k, b.fsub(f.get(right, k), b.fmul(entry(k, j), f.get(right, j))))
        f.put(right, k, b.fdiv(f.get(right, k), entry(k, k)))
    b.ret(STATUS(0))
    return str(module)


def _least(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    return b.select(b.icmp_signed("<", x, y), x, y)


def _most(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    return b.select(b.icmp_signed(">", x, y), x, y)
