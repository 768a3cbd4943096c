"""The sparse Jacobian of the derivatives by differences of groups of columns, in the form in which CVODE calls it.

    int jacobian(double t, N_Vector y, N_Vector dydt, SUNMatrix J, void *user, N_Vector, N_Vector, N_Vector)

No two columns of a group have an entry in the same row, so that one evaluation of the derivatives gives them all.
`user` is as in `llvm_cvode`; its word `jacobian` points to the words of `WORDS`, whole numbers or addresses.
(SUNDIALS 7, cvode_ls.h.)
"""

from collections.abc import Callable
from functools import cache

from llvmlite import ir

from acausal.codegen.llvm_cvode import DIFFERENCE, USER
from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real

WORDS = (
    *("derivatives", "states", "groups"),
    *("first_of_group", "columns", "first_of_column", "rows"),
    *("scales", "room", "base", "slopes", "steps"),
    *("values", "indices", "indices_there", "index_count", "pointers", "pointers_there", "pointer_count"),
    "filled",
)
"""`derivatives` is the routine's address, `values` is that of the matrix' numbers, column by column. `indices` and
`pointers` (int32) are copied to the matrix each time, because SUNDIALS clears them. `filled` counts."""


_Arrays = Callable[[str], ir.Value]
"""The address that stands at a word."""


@cache
def jacobian_address() -> int:
    """The address of the function, compiled once for all programs."""
    from acausal.codegen.to_llvm import published

    name = "acausal_jacobian"
    return int(published(name, _text).get_function_address(name))


def _text() -> str:
    module = ir.Module("jacobian")
    f = Function(module, "acausal_jacobian", STATUS, (REAL, *(POINTER,) * 7))
    b = f.b
    _, y, slopes_there, _, user = f.function.args[:5]
    table = _pointer(f, user, USER.index("jacobian"))
    words = {name: _word(f, table, number) for number, name in enumerate(WORDS)}

    def array(name: str) -> ir.Value:
        return b.inttoptr(words[name], POINTER)

    def whole(name: str, index: ir.Value) -> ir.Value:
        return b.load(b.gep(array(name), [index], source_etype=INTEGER), typ=INTEGER)

    there, base_there = _numbers(f, user, y), _numbers(f, user, slopes_there)
    with f.loop(integer(0), words["states"]) as i:
        f.put(array("room"), i, f.get(there, i))
        f.put(array("base"), i, f.get(base_there, i))
    with f.loop(integer(0), words["groups"]) as group:
        first, end = whole("first_of_group", group), whole("first_of_group", b.add(group, integer(1)))
        with f.loop(first, end) as number:
            _move(f, array, whole("columns", number))
        _evaluate(f, words["derivatives"], array, user)
        with f.loop(first, end) as number:
            column = whole("columns", number)
            f.put(array("room"), column, f.get(there, column))
            step = f.get(array("steps"), column)
            last = whole("first_of_column", b.add(column, integer(1)))
            with f.loop(whole("first_of_column", column), last) as entry:
                row = whole("rows", entry)
                difference = b.fsub(f.get(array("slopes"), row), f.get(array("base"), row))
                f.put(array("values"), entry, b.fdiv(difference, step))
    for name, count in (("indices", "index_count"), ("pointers", "pointer_count")):
        with f.loop(integer(0), words[count]) as i:
            index = b.load(b.gep(array(name), [i], source_etype=STATUS), typ=STATUS)
            b.store(index, b.gep(array(f"{name}_there"), [i], source_etype=STATUS))
    record = _pointer(f, user, USER.index("record"))
    f.put(record, integer(0), b.fadd(f.get(record, integer(0)), b.sitofp(words["groups"], REAL)))
    b.store(b.add(words["filled"], integer(1)), b.gep(table, [integer(WORDS.index("filled"))], source_etype=INTEGER))
    b.ret(STATUS(0))
    return str(module)


def _word(f: Function, table: ir.Value, number: int) -> ir.Value:
    return f.b.load(f.b.gep(table, [integer(number)], source_etype=INTEGER), typ=INTEGER)


def _pointer(f: Function, table: ir.Value, number: int) -> ir.Value:
    return f.b.inttoptr(_word(f, table, number), POINTER)


def _numbers(f: Function, user: ir.Value, vector: ir.Value) -> ir.Value:
    """The numbers of an N_Vector."""
    content = f.b.load(vector, typ=POINTER)
    where = f.b.gep(content, [_word(f, user, USER.index("data"))], source_etype=ir.IntType(8))
    return f.b.load(where, typ=POINTER)


def _move(f: Function, array: _Arrays, column: ir.Value) -> None:
    """Moves one state, and keeps by how much."""
    b = f.b
    x, scale = f.get(array("room"), column), f.get(array("scales"), column)
    size = f.size_of(x)
    moved = b.fadd(x, b.fmul(real(DIFFERENCE), b.select(b.fcmp_ordered(">", size, scale), size, scale)))
    f.put(array("steps"), column, b.fsub(moved, x))
    f.put(array("room"), column, moved)


def _evaluate(f: Function, derivatives: ir.Value, array: _Arrays, user: ir.Value) -> None:
    """Calls the derivatives; where a block cannot be solved, that is noted and CVODE tries a smaller step."""
    b = f.b
    u, p, m = [_pointer(f, user, USER.index(name)) for name in ("u", "p", "m")]
    signature = ir.FunctionType(STATUS, (REAL, *(POINTER,) * 5))
    function = b.inttoptr(derivatives, signature.as_pointer())
    t = f.function.args[0]
    status = b.call(function, [t, array("room"), u, p, m, array("slopes")])
    with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
        record = _pointer(f, user, USER.index("record"))
        f.put(record, integer(1), b.sitofp(status, REAL))
        f.put(record, integer(2), t)
        b.ret(STATUS(1))
