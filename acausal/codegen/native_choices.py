"""The judgement of choices of states as native code, so that no Python runs where nothing is wrong.

    i32 acausal_poor(results, table)

tells by the results of the routine `choices` whether a choice is a bad one (1) or may soon be (2). Its dummies are
judged by their columns in the matrix of the differentiated constraints: their volume beside that of the best columns,
found by orthogonalization with pivoting (modified Gram-Schmidt: G. H. Golub, C. F. Van Loan, Matrix Computations,
4th ed., 2013, sections 5.2.8 and 5.4.2), where a column counts the more the less its variable is wanted as a state.

The table begins with the number of choices; `WORDS` follow for each, the last four addresses: weights (float64),
dummies (int64), room for the columns (float64, `room` numbers), and for the numbers of the best columns (int64).
"""

import math

from llvmlite import ir

from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real
from acausal.structure.orthogonal import POOR

WORDS = ("rows", "columns", "position", "weights", "dummies", "room", "best")
SOON = 0.5
"""Below this share of the best volume a choice is to be judged at each step."""
MORE = 3
"""Numbers behind each column in the room: its weight, its position, and its square as it was last seen."""


def room(rows: int, columns: int) -> int:
    """Numbers of room that a choice needs."""
    return (rows + MORE) * columns


def native_choices() -> str:
    """The text of a module with `acausal_poor`."""
    module = ir.Module("choices")
    volume = _volume(module)
    f = Function(module, "acausal_poor", STATUS, (POINTER, POINTER))
    b = f.b
    results, table = f.function.args
    worst = f.place(REAL)
    b.store(real(1.0), worst)
    with f.loop(integer(0), b.load(table, typ=INTEGER)) as number:
        first = b.add(b.mul(number, integer(len(WORDS))), integer(1))
        words = {
            name: b.load(_whole(f, table, b.add(first, integer(i))), typ=POINTER if i >= 3 else INTEGER)
            for i, name in enumerate(WORDS)
        }
        share = _share(f, volume, results, words)
        with b.if_then(b.fcmp_ordered("<", share, b.load(worst, typ=REAL))):
            b.store(share, worst)
    share = b.load(worst, typ=REAL)
    soon = b.select(b.fcmp_ordered("<", share, real(SOON)), STATUS(2), STATUS(0))
    b.ret(b.select(b.fcmp_ordered("<", share, real(POOR)), STATUS(1), soon))
    return str(module)


def _share(f: Function, volume: ir.Function, results: ir.Value, words: dict[str, ir.Value]) -> ir.Value:
    """The volume of the dummies beside that of the best ones; 1 where there are numbers that are not finite."""
    b = f.b
    rows, columns, columns_room = words["rows"], words["columns"], words["room"]
    matrix = f.at(results, words["position"])
    share, total = f.place(REAL), f.place(REAL)
    b.store(real(1.0), share)
    b.store(real(0.0), total)
    with f.loop(integer(0), b.mul(rows, columns)) as i:
        b.store(b.fadd(b.load(total, typ=REAL), b.fmul(f.get(matrix, i), real(0.0))), total)
    with f.loop(integer(0), rows) as k:
        b.store(b.load(_whole(f, words["dummies"], k), typ=INTEGER), _whole(f, words["best"], k))
    with b.if_then(b.fcmp_ordered("==", b.load(total, typ=REAL), real(0.0))):
        with f.loop(integer(0), columns) as j:
            _column(f, words, matrix, j, j, f.get(words["weights"], j))
        largest = b.call(volume, [columns_room, rows, columns])
        with f.loop(integer(0), rows) as k:
            place = b.add(b.mul(k, b.add(rows, integer(MORE))), b.add(rows, integer(1)))
            b.store(b.fptosi(f.get(columns_room, place), INTEGER), _whole(f, words["best"], k))
        with f.loop(integer(0), rows) as k:
            _column(f, words, matrix, b.load(_whole(f, words["dummies"], k), typ=INTEGER), k, real(1.0))
        present = b.call(volume, [columns_room, rows, rows])
        b.store(b.fdiv(present, largest), share)
    return b.load(share, typ=REAL)


def _column(
    f: Function, words: dict[str, ir.Value], matrix: ir.Value, column: ir.Value, place: ir.Value, weight: ir.Value
) -> None:
    """A column of the matrix, times its weight, as the one at a place of the room."""
    b = f.b
    rows = words["rows"]
    target = f.at(words["room"], b.mul(place, b.add(rows, integer(MORE))))
    with f.loop(integer(0), rows) as i:
        f.put(target, i, b.fmul(f.entry(matrix, words["columns"], i, column), weight))
    f.put(target, rows, weight)
    f.put(target, b.add(rows, integer(1)), b.sitofp(column, REAL))


def _volume(module: ir.Module) -> ir.Function:
    """The volume of the best columns, without their weights; they come to stand first."""
    f = Function(module, "volume", REAL, (POINTER, INTEGER, INTEGER))
    f.function.linkage = "internal"
    b = f.b
    columns, rows, count = f.function.args
    found, largest, best = f.place(REAL), f.place(REAL), f.place(INTEGER)
    length = b.add(rows, integer(MORE))
    b.store(real(1.0), found)
    seen = b.add(rows, integer(MORE - 1))
    with f.loop(integer(0), count) as j:
        b.store(_product(f, columns, length, rows, j, j), f.cell(columns, length, j, seen))
    with f.loop(integer(0), rows) as k:
        b.store(real(-math.inf), largest)
        with f.loop(k, count) as j:
            square = f.entry(columns, length, j, seen)
            with b.if_then(b.fcmp_ordered(">", square, b.load(largest, typ=REAL))):
                b.store(square, largest)
                b.store(j, best)
        with f.loop(integer(0), length) as i:
            f.swap(f.cell(columns, length, k, i), f.cell(columns, length, b.load(best, typ=INTEGER), i))
        square, weight = _product(f, columns, length, rows, k, k), f.entry(columns, length, k, rows)
        size = b.call(module.declare_intrinsic("llvm.sqrt", [REAL]), [square])
        b.store(b.fmul(b.load(found, typ=REAL), b.fdiv(size, weight)), found)
        with b.if_then(b.fcmp_ordered(">", square, real(0.0))), f.loop(b.add(k, integer(1)), count) as j:
            product = _product(f, columns, length, rows, k, j)
            with b.if_then(b.fcmp_ordered("!=", product, real(0.0))):
                share = b.fdiv(product, square)
                with f.loop(integer(0), rows) as i:
                    _less(f, f.cell(columns, length, j, i), b.fmul(share, f.entry(columns, length, k, i)))
                _less(f, f.cell(columns, length, j, seen), b.fmul(share, product))
    b.ret(b.load(found, typ=REAL))
    return f.function


def _product(f: Function, columns: ir.Value, length: ir.Value, rows: ir.Value, j: ir.Value, k: ir.Value) -> ir.Value:
    """The product of two columns."""
    b = f.b
    total = f.place(REAL)
    b.store(real(0.0), total)
    with f.loop(integer(0), rows) as i:
        product = b.fmul(f.entry(columns, length, j, i), f.entry(columns, length, k, i))
        b.store(b.fadd(b.load(total, typ=REAL), product), total)
    return b.load(total, typ=REAL)


def _less(f: Function, cell: ir.Value, taken: ir.Value) -> None:
    """A number is taken from what stands in a cell."""
    f.b.store(f.b.fsub(f.b.load(cell, typ=REAL), taken), cell)


def _whole(f: Function, array: ir.Value, index: ir.Value) -> ir.Value:
    """The address of array[index] of whole numbers or addresses."""
    return f.b.gep(array, [index], source_etype=INTEGER)
