"""A function of machine code whose first argument is a structure: numbers and addresses of arrays, 8 bytes each."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

from llvmlite import ir

from acausal.codegen.native.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer

ROUTINE = (REAL, *(POINTER,) * 5)
"""Arguments of a routine of a program."""


class TableFunction(Function):
    """Words and arrays by their names; it returns 0, or something else where Python is to do it.

    `places` are the numbers of the words.
    """

    places: ClassVar[Mapping[str, int]]

    def __init__(
        self, module: ir.Module, name: str, arguments: tuple[ir.Type, ...] = (), result: ir.Type = STATUS
    ) -> None:
        super().__init__(module, name, result, (POINTER, *arguments))
        self.module = module
        self.table, *self.given = self.function.args
        self._ends: list[ir.Block] = []

    # ------------------------------------------------------------ words

    def word(self, name: str) -> ir.Value:
        """An integer number."""
        return self.b.load(self._where(name), typ=INTEGER)

    def set_word(self, name: str, value: ir.Value) -> None:
        """Another whole number."""
        self.b.store(value, self._where(name))

    def array(self, name: str) -> ir.Value:
        """The address that stands at a word."""
        return self.b.load(self._where(name), typ=POINTER)

    def number(self, name: str) -> ir.Value:
        """A float64."""
        return self.b.load(self.number_place(name), typ=REAL)

    def set_number(self, name: str, value: ir.Value) -> None:
        """Another value of it."""
        self.b.store(value, self.number_place(name))

    def number_place(self, name: str) -> ir.Value:
        """Position of the token."""
        return self._where(name)

    def real(self, name: str, index: ir.Value) -> ir.Value:
        """Element of an array of numbers."""
        return self.get(self.array(name), index)

    def set_real(self, name: str, index: ir.Value, value: ir.Value) -> None:
        """Another value of it."""
        self.put(self.array(name), index, value)

    def whole(self, name: str, index: ir.Value) -> ir.Value:
        """Element of an array of whole numbers."""
        return self.b.load(self.b.gep(self.array(name), [index], source_etype=INTEGER), typ=INTEGER)

    def _where(self, name: str) -> ir.Value:
        return self.b.gep(self.table, [integer(self.places[name])], source_etype=INTEGER)

    # ------------------------------------------------------------ calls

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        """Call of another function of the module."""
        return self.b.call(self.module.get_global(name), [self.table, *arguments])

    def must(self, name: str, *arguments: ir.Value) -> None:
        """Returns 1 where that function does."""
        self.fail_unless(self.b.icmp_signed("==", self.call(name, *arguments), STATUS(0)))

    def outside(self, name: str, *arguments: ir.Value, result: ir.Type = STATUS) -> ir.Value:
        """Calls the function whose address stands at a word."""
        signature = ir.FunctionType(result, tuple(a.type for a in arguments))
        return self.b.call(self.b.inttoptr(self.word(name), signature.as_pointer()), arguments)

    def copy(self, source: ir.Value, target: ir.Value, count: ir.Value) -> None:
        """Numbers from one place to another."""
        with self.loop(integer(0), count) as i:
            self.put(target, i, self.get(source, i))

    def done(self) -> None:
        """Returns 0; only the module's own functions call it."""
        self.b.ret(STATUS(0))

    # ------------------------------------------------------------ flow

    @contextmanager
    def all(self, count: str) -> Iterator[ir.Value]:
        """for index below the number that stands at a word."""
        with self.loop(integer(0), self.word(count)) as i:
            yield i

    @contextmanager
    def repeat(self) -> Iterator[None]:
        """Again and again, until `leave_if`."""
        head, end = (self.function.append_basic_block(name) for name in ("again", "left"))
        self.b.branch(head)
        self.b.position_at_end(head)
        self._ends.append(end)
        yield
        self.b.branch(head)
        self._ends.pop()
        self.b.position_at_end(end)

    def leave_if(self, condition: ir.Value) -> None:
        """Ends the innermost `repeat`."""
        onwards = self.function.append_basic_block("onwards")
        self.b.cbranch(condition, self._ends[-1], onwards)
        self.b.position_at_end(onwards)

    def variable(self, kind: ir.Type, value: ir.Value) -> ir.Value:
        """A variable with its first value."""
        place = self.place(kind)
        self.b.store(value, place)
        return place

    def greater(self, a: ir.Value, c: ir.Value) -> ir.Value:
        """The greater of two numbers, as Python's max(a, c)."""
        return self.b.select(self.b.fcmp_ordered(">", c, a), c, a)

    def lesser(self, a: ir.Value, c: ir.Value) -> ir.Value:
        """The smaller of two numbers, as Python's min(a, c)."""
        return self.b.select(self.b.fcmp_ordered("<", c, a), c, a)
