"""The sparse Jacobian of the derivatives by differences of groups of columns, in the form in which CVODE calls it.

    int jacobian(double t, N_Vector y, N_Vector dydt, SUNMatrix J, void *user, N_Vector, N_Vector, N_Vector)

No two columns of a group have an entry in the same row, so that one evaluation of the derivatives gives them all.
`user` is a `CvodeContext`; its field `jacobian` points to the words of `WORDS`, whole numbers or addresses.
(SUNDIALS 7, cvode_ls.h.)
"""

from llvmlite import ir

from acausal.base.caches import once
from acausal.codegen.native.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real
from acausal.codegen.native.native_user import copy_indices, evaluate, numbers, of_user, whole, words
from acausal.runtime.limits import DIFFERENCE

WORDS = (
    *("derivatives", "states", "groups"),
    *("first_of_group", "columns", "first_of_column", "rows"),
    *("scales", "room", "base", "slopes", "steps"),
    *("values", "indices", "indices_there", "index_count", "pointers", "pointers_there", "pointer_count"),
    "filled",
)
"""`derivatives` is the routine's address, `values` is that of the matrix' numbers, column by column. `indices` and
`pointers` (int32) are copied to the matrix each time, because SUNDIALS clears them. `filled` counts."""


@once
def jacobian_address() -> int:
    """The address of the function, compiled once for all programs."""
    from acausal.codegen.llvm.to_llvm import published

    name = "acausal_jacobian"
    return int(published(name, _text).get_function_address(name))


def _text() -> str:
    module = ir.Module("jacobian")
    f = Function(module, "acausal_jacobian", STATUS, (REAL, *(POINTER,) * 7))
    b = f.b
    _, y, slopes_there, _, user = f.function.args[:5]
    table = of_user(f, user, "jacobian")
    found = words(f, table, WORDS)
    at = {name: b.inttoptr(word, POINTER) for name, word in found.items()}
    there, base_there = numbers(f, y), numbers(f, slopes_there)
    with f.loop(integer(0), found["states"]) as i:
        f.put(at["room"], i, f.get(there, i))
        f.put(at["base"], i, f.get(base_there, i))
    with f.loop(integer(0), found["groups"]) as group:
        first, end = (whole(f, at["first_of_group"], i) for i in (group, b.add(group, integer(1))))
        with f.loop(first, end) as number:
            _move(f, at, whole(f, at["columns"], number))
        evaluate(f, found["derivatives"], at["room"], of_user(f, user, "m"), at["slopes"], user)
        with f.loop(first, end) as number:
            column = whole(f, at["columns"], number)
            f.put(at["room"], column, f.get(there, column))
            step = f.get(at["steps"], column)
            last = whole(f, at["first_of_column"], b.add(column, integer(1)))
            with f.loop(whole(f, at["first_of_column"], column), last) as entry:
                row = whole(f, at["rows"], entry)
                difference = b.fsub(f.get(at["slopes"], row), f.get(at["base"], row))
                f.put(at["values"], entry, b.fdiv(difference, step))
    copy_indices(f, found)
    record = of_user(f, user, "record")
    f.put(record, integer(0), b.fadd(f.get(record, integer(0)), b.sitofp(found["groups"], REAL)))
    b.store(b.add(found["filled"], integer(1)), b.gep(table, [integer(WORDS.index("filled"))], source_etype=INTEGER))
    b.ret(STATUS(0))
    return str(module)


def _move(f: Function, at: dict[str, ir.Value], column: ir.Value) -> None:
    """Moves one state, and keeps by how much."""
    b = f.b
    x, scale = f.get(at["room"], column), f.get(at["scales"], column)
    size = f.size_of(x)
    moved = b.fadd(x, b.fmul(real(DIFFERENCE), b.select(b.fcmp_ordered(">", size, scale), size, scale)))
    f.put(at["steps"], column, b.fsub(moved, x))
    f.put(at["room"], column, moved)
