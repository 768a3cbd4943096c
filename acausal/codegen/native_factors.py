"""Factors of matrices that do not change during a run, as native code: what numpy_solvers.py says, loop by loop."""

from math import nan

from llvmlite import ir

from acausal.codegen.native_elimination import Elimination
from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real


def factor(module: ir.Module) -> None:
    """`i32 acausal_factor(n, A)`: see native_solvers."""
    f = Function(module, "acausal_factor", STATUS, (INTEGER, POINTER))
    b = f.b
    n, matrix = f.function.args
    pivots = f.at(matrix, b.mul(n, n))
    elimination = Elimination(f, n, matrix)
    f.put(pivots, n, real(nan))
    with f.loop(integer(0), n) as k:
        row = elimination.pivot_row(k)
        f.put(pivots, k, b.sitofp(row, REAL))
        with b.if_then(b.icmp_signed("!=", row, k)):
            elimination.exchange(k, row)
        pivot = elimination.pivot(k)
        with f.loop(b.add(k, integer(1)), n) as i:
            elimination.reduce(k, i, pivot)
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
    Elimination(f, n, matrix).substitute_back(right)
    b.ret(STATUS(0))
