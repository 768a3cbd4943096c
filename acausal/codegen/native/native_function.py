"""A function of numbers and loops under construction, by llvmlite's builder."""

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir

REAL, INTEGER, STATUS = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
POINTER = ir.PointerType()


def integer(value: int) -> ir.Value:
    """An integer number."""
    return INTEGER(value)


def real(value: float) -> ir.Value:
    """A number."""
    return REAL(value)


class Function:
    """A function under construction, with loops and places."""

    def __init__(self, module: ir.Module, name: str, result: ir.Type, arguments: tuple[ir.Type, ...]) -> None:
        self.function = ir.Function(module, ir.FunctionType(result, arguments), name)
        self.b = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.fabs = module.declare_intrinsic("llvm.fabs", [REAL])

    @contextmanager
    def loop(self, start: ir.Value, stop: ir.Value) -> Iterator[ir.Value]:
        """for index from start to stop - 1."""
        b = self.b
        before = b.block
        head, body, end = (self.function.append_basic_block(name) for name in ("head", "body", "end"))
        b.branch(head)
        b.position_at_end(head)
        index = b.phi(INTEGER)
        index.add_incoming(start, before)
        b.cbranch(b.icmp_signed("<", index, stop), body, end)
        b.position_at_end(body)
        yield index
        index.add_incoming(b.add(index, integer(1)), b.block)
        b.branch(head)
        b.position_at_end(end)

    def place(self, kind: ir.Type) -> ir.Value:
        """A variable; it lives in the entry block, so that loops do not take stack."""
        with self.b.goto_entry_block():
            return self.b.alloca(kind)

    def at(self, array: ir.Value, index: ir.Value) -> ir.Value:
        """The address of array[index]."""
        return self.b.gep(array, [index], source_etype=REAL)

    def get(self, array: ir.Value, index: ir.Value) -> ir.Value:
        """array[index]."""
        return self.b.load(self.at(array, index), typ=REAL)

    def put(self, array: ir.Value, index: ir.Value, value: ir.Value) -> None:
        """array[index] = value."""
        self.b.store(value, self.at(array, index))

    def cell(self, array: ir.Value, n: ir.Value, i: ir.Value, j: ir.Value) -> ir.Value:
        """The address of array[i*n + j]."""
        return self.at(array, self.b.add(self.b.mul(i, n), j))

    def entry(self, array: ir.Value, n: ir.Value, i: ir.Value, j: ir.Value) -> ir.Value:
        """array[i*n + j]."""
        return self.b.load(self.cell(array, n, i, j), typ=REAL)

    def size_of(self, value: ir.Value) -> ir.Value:
        """Absolute value of a number."""
        return self.b.call(self.fabs, [value])

    def raise_to(self, place: ir.Value, value: ir.Value) -> None:
        """place = max(place, value)."""
        old = self.b.load(place, typ=REAL)
        self.b.store(self.b.select(self.b.fcmp_ordered(">", value, old), value, old), place)

    def swap(self, a: ir.Value, c: ir.Value) -> None:
        """Exchanges two numbers."""
        first, second = self.b.load(a, typ=REAL), self.b.load(c, typ=REAL)
        self.b.store(second, a)
        self.b.store(first, c)

    def fail_unless(self, good: ir.Value) -> None:
        """Returns 1 if not good."""
        with self.b.if_then(self.b.not_(good)):
            self.b.ret(STATUS(1))
