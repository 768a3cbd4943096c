"""Factors of matrices that do not change during a run, as native code: what numpy_solvers.py says, loop by loop."""

from math import nan

from llvmlite import ir

from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real
from acausal.codegen.numpy_solvers import NOISE


def factor(module: ir.Module) -> None:
    """`i32 acausal_factor(n, A)`: see native_solvers."""
    f = Function(module, "acausal_factor", STATUS, (INTEGER, POINTER))
    b = f.b
    n, matrix = f.function.args
    pivots = f.at(matrix, b.mul(n, n))
    best, largest, noise = f.place(INTEGER), f.place(REAL), f.place(REAL)
    f.put(pivots, n, real(nan))
    with f.loop(integer(0), n) as k:
        below = b.add(k, integer(1))
        b.store(k, best)
        b.store(f.size_of(f.entry(matrix, n, k, k)), largest)
        with f.loop(below, n) as i:
            entry = f.size_of(f.entry(matrix, n, i, k))
            with b.if_then(b.fcmp_ordered(">", entry, b.load(largest, typ=REAL))):
                b.store(entry, largest)
                b.store(i, best)
        row = b.load(best, typ=INTEGER)
        f.put(pivots, k, b.sitofp(row, REAL))
        with b.if_then(b.icmp_signed("!=", row, k)), f.loop(integer(0), n) as j:
            f.swap(f.cell(matrix, n, k, j), f.cell(matrix, n, row, j))
        b.store(real(0.0), noise)
        with f.loop(integer(0), k) as j:
            f.raise_to(noise, f.size_of(b.fmul(f.entry(matrix, n, k, j), f.entry(matrix, n, j, k))))
        pivot = f.entry(matrix, n, k, k)
        f.fail_unless(b.fcmp_ordered(">", f.size_of(pivot), b.fmul(real(NOISE), b.load(noise, typ=REAL))))
        with f.loop(below, n) as i:
            quotient = b.fdiv(f.entry(matrix, n, i, k), pivot)
            b.store(quotient, f.cell(matrix, n, i, k))
            with f.loop(below, n) as j:
                difference = b.fsub(f.entry(matrix, n, i, j), b.fmul(quotient, f.entry(matrix, n, k, j)))
                b.store(difference, f.cell(matrix, n, i, j))
    f.put(pivots, n, real(0.0))
    b.ret(STATUS(0))


def substitute(module: ir.Module) -> None:
    """`i32 acausal_substitute(n, A, b)`: see native_solvers."""
    f = Function(module, "acausal_substitute", STATUS, (INTEGER, POINTER, POINTER))
    b = f.b
    n, matrix, right = f.function.args
    pivots = f.at(matrix, b.mul(n, n))
    f.fail_unless(b.fcmp_ordered("==", f.get(pivots, n), real(0.0)))
    with f.loop(integer(0), n) as k:
        f.swap(f.at(right, k), f.at(right, b.fptosi(f.get(pivots, k), INTEGER)))
    with f.loop(integer(0), n) as k, f.loop(b.add(k, integer(1)), n) as i:
        product = b.fmul(f.entry(matrix, n, i, k), f.get(right, k))
        f.put(right, i, b.fsub(f.get(right, i), product))
    with f.loop(integer(0), n) as done:
        k = b.sub(b.sub(n, done), integer(1))
        with f.loop(b.add(k, integer(1)), n) as j:
            f.put(right, k, b.fsub(f.get(right, k), b.fmul(f.entry(matrix, n, k, j), f.get(right, j))))
        f.put(right, k, b.fdiv(f.get(right, k), f.entry(matrix, n, k, k)))
    b.ret(STATUS(0))
