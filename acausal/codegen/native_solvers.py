"""The solvers of blocks as native code: what numpy_solvers.py says, loop by loop.

    i32 acausal_solve(n, A, b)                       A row by row; b becomes the solution
    i32 acausal_newton(n, f, c, x, nominals, work)   x becomes the solution; f(c, x, values)
    i32 acausal_lapack(n, A, b)                      A column by column; work behind b for n pivots

They return 0, or 1 if the block cannot be solved. `work` has the length that `newton_work` tells.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf

from llvmlite import ir

from acausal.codegen.numpy_solvers import (
    ITERATIONS,
    NOISE,
    RESIDUAL_TOLERANCE,
    SMALLEST_DAMPING,
    STEP_TOLERANCE,
)

_REAL, _INT, _STATUS = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
_POINTER = ir.PointerType()


def native_solvers() -> str:
    """The text of a module with `acausal_solve` and `acausal_newton`."""
    module = ir.Module("solvers")
    solve = _solve(module)
    _newton(module, solve, _norm(module))
    return str(module)


def native_lapack(address: int) -> str:
    """The text of a module with `acausal_lapack`; `address` is that of dgesv."""
    module = ir.Module("lapack")
    _lapack(module, address)
    return str(module)


class _Function:
    """A function under construction, with loops and places."""

    def __init__(self, module: ir.Module, name: str, result: ir.Type, arguments: tuple[ir.Type, ...]) -> None:
        self.function = ir.Function(module, ir.FunctionType(result, arguments), name)
        self.b = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.fabs = module.declare_intrinsic("llvm.fabs", [_REAL])

    @contextmanager
    def loop(self, start: ir.Value, stop: ir.Value) -> Iterator[ir.Value]:
        """for index from start to stop - 1."""
        b = self.b
        before = b.block
        head, body, end = (self.function.append_basic_block(name) for name in ("head", "body", "end"))
        b.branch(head)
        b.position_at_end(head)
        index = b.phi(_INT)
        index.add_incoming(start, before)
        b.cbranch(b.icmp_signed("<", index, stop), body, end)
        b.position_at_end(body)
        yield index
        index.add_incoming(b.add(index, _int(1)), b.block)
        b.branch(head)
        b.position_at_end(end)

    def place(self, kind: ir.Type) -> ir.Value:
        """A variable; it lives in the entry block, so that loops do not take stack."""
        with self.b.goto_entry_block():
            return self.b.alloca(kind)

    def at(self, array: ir.Value, index: ir.Value) -> ir.Value:
        """The address of array[index]."""
        return self.b.gep(array, [index], source_etype=_REAL)

    def get(self, array: ir.Value, index: ir.Value) -> ir.Value:
        """array[index]."""
        return self.b.load(self.at(array, index), typ=_REAL)

    def put(self, array: ir.Value, index: ir.Value, value: ir.Value) -> None:
        """array[index] = value."""
        self.b.store(value, self.at(array, index))

    def cell(self, array: ir.Value, n: ir.Value, i: ir.Value, j: ir.Value) -> ir.Value:
        """The address of array[i*n + j]."""
        return self.at(array, self.b.add(self.b.mul(i, n), j))

    def entry(self, array: ir.Value, n: ir.Value, i: ir.Value, j: ir.Value) -> ir.Value:
        """array[i*n + j]."""
        return self.b.load(self.cell(array, n, i, j), typ=_REAL)

    def size_of(self, value: ir.Value) -> ir.Value:
        """Its absolute value."""
        return self.b.call(self.fabs, [value])

    def raise_to(self, place: ir.Value, value: ir.Value) -> None:
        """place = max(place, value)."""
        old = self.b.load(place, typ=_REAL)
        self.b.store(self.b.select(self.b.fcmp_ordered(">", value, old), value, old), place)

    def swap(self, a: ir.Value, c: ir.Value) -> None:
        """Exchanges two numbers."""
        first, second = self.b.load(a, typ=_REAL), self.b.load(c, typ=_REAL)
        self.b.store(second, a)
        self.b.store(first, c)

    def fail_unless(self, good: ir.Value) -> None:
        """Returns 1 if not good."""
        with self.b.if_then(self.b.not_(good)):
            self.b.ret(_STATUS(1))


def _int(value: int) -> ir.Value:
    return _INT(value)


def _real(value: float) -> ir.Value:
    return _REAL(value)


def _check_pivot(f: _Function, noise: ir.Value, pivot: ir.Value) -> None:
    limit = f.b.fmul(_real(NOISE), f.b.load(noise, typ=_REAL))
    f.fail_unless(f.b.fcmp_ordered(">", f.size_of(pivot), limit))


def _solve(module: ir.Module) -> ir.Function:
    f = _Function(module, "acausal_solve", _STATUS, (_INT, _POINTER, _POINTER))
    b = f.b
    n, matrix, right = f.function.args
    best, largest, noise = f.place(_INT), f.place(_REAL), f.place(_REAL)
    with f.loop(_int(0), n) as k:
        below = b.add(k, _int(1))
        _choose_pivot(f, k, best, largest)
        row = b.load(best, typ=_INT)
        with b.if_then(b.icmp_signed("!=", row, k)):
            with f.loop(_int(0), n) as j:
                f.swap(f.cell(matrix, n, k, j), f.cell(matrix, n, row, j))
            f.swap(f.at(right, k), f.at(right, row))
        b.store(_real(0.0), noise)
        with f.loop(_int(0), k) as j:
            f.raise_to(noise, f.size_of(b.fmul(f.entry(matrix, n, k, j), f.entry(matrix, n, j, k))))
        pivot = f.entry(matrix, n, k, k)
        _check_pivot(f, noise, pivot)
        with f.loop(below, n) as i:
            factor = b.fdiv(f.entry(matrix, n, i, k), pivot)
            b.store(factor, f.cell(matrix, n, i, k))
            with f.loop(below, n) as j:
                difference = b.fsub(f.entry(matrix, n, i, j), b.fmul(factor, f.entry(matrix, n, k, j)))
                b.store(difference, f.cell(matrix, n, i, j))
            f.put(right, i, b.fsub(f.get(right, i), b.fmul(factor, f.get(right, k))))
    with f.loop(_int(0), n) as done:
        k = b.sub(b.sub(n, done), _int(1))
        with f.loop(b.add(k, _int(1)), n) as j:
            f.put(right, k, b.fsub(f.get(right, k), b.fmul(f.entry(matrix, n, k, j), f.get(right, j))))
        f.put(right, k, b.fdiv(f.get(right, k), f.entry(matrix, n, k, k)))
    b.ret(_STATUS(0))
    return f.function


def _choose_pivot(f: _Function, k: ir.Value, best: ir.Value, largest: ir.Value) -> None:
    """The row of the largest entry of column k, from row k on."""
    b = f.b
    n, matrix, _ = f.function.args
    b.store(k, best)
    b.store(f.size_of(f.entry(matrix, n, k, k)), largest)
    with f.loop(b.add(k, _int(1)), n) as i:
        entry = f.size_of(f.entry(matrix, n, i, k))
        with b.if_then(b.fcmp_ordered(">", entry, b.load(largest, typ=_REAL))):
            b.store(entry, largest)
            b.store(i, best)


def _norm(module: ir.Module) -> ir.Function:
    """The largest residual as a share of its scale; infinite if a value is not finite."""
    f = _Function(module, "acausal_norm", _REAL, (_INT, _POINTER, _POINTER))
    b = f.b
    n, values, scales = f.function.args
    total, largest = f.place(_REAL), f.place(_REAL)
    b.store(_real(0.0), total)
    b.store(_real(0.0), largest)
    with f.loop(_int(0), b.mul(n, b.add(n, _int(1)))) as i:
        b.store(b.fadd(b.load(total, typ=_REAL), f.size_of(f.get(values, i))), total)
    with b.if_then(b.not_(b.fcmp_ordered("<", b.load(total, typ=_REAL), _real(inf)))):
        b.ret(_real(inf))
    with f.loop(_int(0), n) as i:
        f.raise_to(largest, b.fdiv(f.size_of(f.get(values, i)), f.get(scales, i)))
    b.ret(b.load(largest, typ=_REAL))
    return f.function


def _newton(module: ir.Module, solve: ir.Function, norm: ir.Function) -> None:
    signature = ir.FunctionType(ir.VoidType(), (_POINTER, _POINTER, _POINTER))
    kinds = (_INT, signature.as_pointer(), _POINTER, _POINTER, _POINTER, _POINTER)
    f = _Function(module, "acausal_newton", _STATUS, kinds)
    b = f.b
    n, residuals, captured, x, _, values = f.function.args
    square = b.mul(n, n)
    matrix = f.at(values, b.add(n, square))
    step = f.at(matrix, square)
    scales, trial = f.at(step, n), f.at(step, b.mul(n, _int(2)))
    size, damping = f.place(_REAL), f.place(_REAL)

    def call(at: ir.Value) -> None:
        b.call(residuals, [captured, at, values])

    call(x)
    with f.loop(_int(0), _int(ITERATIONS)):
        _prepare(f, matrix, step, scales)
        f.fail_unless(b.icmp_signed("==", b.call(solve, [n, matrix, step]), _STATUS(0)))
        _measure(f, step, size)
        start = b.call(norm, [n, values, scales])
        f.fail_unless(b.fcmp_ordered("<", start, _real(inf)))
        b.store(_real(1.0), damping)
        again, accepted = f.function.append_basic_block("again"), f.function.append_basic_block("accepted")
        b.branch(again)
        b.position_at_end(again)
        share = b.load(damping, typ=_REAL)
        with f.loop(_int(0), n) as i:
            f.put(trial, i, b.fadd(f.get(x, i), b.fmul(share, f.get(step, i))))
        call(trial)
        now = b.call(norm, [n, values, scales])
        small = b.fcmp_ordered("<=", b.fmul(share, b.load(size, typ=_REAL)), _real(STEP_TOLERANCE))
        settled = b.and_(small, b.fcmp_ordered("<", now, _real(inf)))
        with b.if_then(b.or_(settled, b.fcmp_ordered("<=", now, _real(RESIDUAL_TOLERANCE)))):
            _copy(f, trial, x)
            b.ret(_STATUS(0))
        shorter = f.function.append_basic_block("shorter")
        enough = b.fmul(b.fsub(_real(1.0), b.fmul(share, _real(0.25))), start)
        b.cbranch(b.fcmp_ordered("<=", now, enough), accepted, shorter)
        b.position_at_end(shorter)
        half = b.fmul(share, _real(0.5))
        b.store(half, damping)
        f.fail_unless(b.fcmp_ordered(">=", half, _real(SMALLEST_DAMPING)))
        b.branch(again)
        b.position_at_end(accepted)
        _copy(f, trial, x)
    b.ret(_STATUS(1))


def _weight(f: _Function, j: ir.Value) -> ir.Value:
    """The larger of an unknown and its nominal value."""
    _, _, _, x, nominals, _ = f.function.args
    size, nominal = f.size_of(f.get(x, j)), f.get(nominals, j)
    return f.b.select(f.b.fcmp_ordered(">", nominal, size), nominal, size)


def _prepare(f: _Function, matrix: ir.Value, step: ir.Value, scales: ir.Value) -> None:
    """Copies the Jacobian and the negative residuals, and scales each row."""
    b = f.b
    n, values = f.function.args[0], f.function.args[5]
    jacobian = f.at(values, n)
    with f.loop(_int(0), n) as i:
        f.put(step, i, b.fneg(f.get(values, i)))
        f.put(scales, i, _real(0.0))
        with f.loop(_int(0), n) as j:
            entry = f.entry(jacobian, n, i, j)
            b.store(entry, f.cell(matrix, n, i, j))
            f.raise_to(f.at(scales, i), b.fmul(f.size_of(entry), _weight(f, j)))


def _measure(f: _Function, step: ir.Value, size: ir.Value) -> None:
    """The largest change as a share of its unknown."""
    f.b.store(_real(0.0), size)
    with f.loop(_int(0), f.function.args[0]) as j:
        f.raise_to(size, f.b.fdiv(f.size_of(f.get(step, j)), _weight(f, j)))


def _copy(f: _Function, source: ir.Value, target: ir.Value) -> None:
    with f.loop(_int(0), f.function.args[0]) as i:
        f.put(target, i, f.get(source, i))


def _lapack(module: ir.Module, address: int) -> None:
    """Calls dgesv, then looks at the pivots as `acausal_solve` does."""
    f = _Function(module, "acausal_lapack", _STATUS, (_INT, _POINTER, _POINTER))
    b = f.b
    n, matrix, right = f.function.args
    size, one, info, noise = f.place(_STATUS), f.place(_STATUS), f.place(_STATUS), f.place(_REAL)
    b.store(b.trunc(n, _STATUS), size)
    b.store(_STATUS(1), one)
    signature = ir.FunctionType(ir.VoidType(), (_POINTER,) * 8)
    dgesv = b.inttoptr(_INT(address), signature.as_pointer())
    b.call(dgesv, [size, one, matrix, size, f.at(right, n), right, size, info])
    f.fail_unless(b.icmp_signed("==", b.load(info, typ=_STATUS), _STATUS(0)))
    with f.loop(_int(0), n) as k:
        b.store(_real(0.0), noise)
        with f.loop(_int(0), k) as j:
            f.raise_to(noise, f.size_of(b.fmul(f.entry(matrix, n, j, k), f.entry(matrix, n, k, j))))
        _check_pivot(f, noise, f.entry(matrix, n, k, k))
    b.ret(_STATUS(0))
