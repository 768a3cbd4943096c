"""One routine for many rows, as native code: the loop around it.

    i32 acausal_rows(f, count, t, y, n, u, k, p, q, m0, m, s, out, r, done)

calls f(t[i], y + i*n, u + i*k, p + i*q, m, out + i*r) for each row i, with the first s numbers of m as in m0. It
returns what f says where that is not 0; `done` counts the rows before.
"""

from llvmlite import ir

from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer

_WIDE = (POINTER, INTEGER)
_ROUTINE = ir.FunctionType(STATUS, (REAL, *[POINTER] * 5)).as_pointer()
_ARGUMENTS = (_ROUTINE, INTEGER, POINTER, *_WIDE, *_WIDE, *_WIDE, POINTER, POINTER, INTEGER, *_WIDE, POINTER)


def native_rows() -> str:
    """The text of a module with `acausal_rows`."""
    module = ir.Module("rows")
    f = Function(module, "acausal_rows", STATUS, _ARGUMENTS)
    b = f.b
    routine, count, t, y, n, u, k, p, q, start, m, size, out, r, done = f.function.args
    with f.loop(integer(0), count) as i:
        b.store(i, done)
        with f.loop(integer(0), size) as j:
            f.put(m, j, f.get(start, j))
        rows = [f.at(base, b.mul(i, width)) for base, width in ((y, n), (u, k), (p, q))]
        status = b.call(routine, [f.get(t, i), *rows, m, f.at(out, b.mul(i, r))])
        with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
            b.ret(status)
    b.store(count, done)
    b.ret(STATUS(0))
    return str(module)
