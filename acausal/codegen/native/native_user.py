"""Data of functions that CVODE calls, found by `user` (`runtime/cvode.CvodeContext`), by llvmlite's builder."""

from llvmlite import ir

from acausal.codegen.native.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer
from acausal.runtime.cvode import CvodeContext
from acausal.runtime.kernel.signature import fields

CONTENT = 8
"""Where in the content of an N_Vector the address of its numbers stands, in bytes."""


def whole(f: Function, table: ir.Value, index: ir.Value) -> ir.Value:
    """table[index], a whole number or an address."""
    return f.b.load(f.b.gep(table, [index], source_etype=INTEGER), typ=INTEGER)


def words(f: Function, table: ir.Value, names: tuple[str, ...]) -> dict[str, ir.Value]:
    """The words of a table by their names, in this order."""
    return {name: whole(f, table, integer(i)) for i, name in enumerate(names)}


def of_user(f: Function, user: ir.Value, name: str) -> ir.Value:
    """A word of `user` as an address."""
    return f.b.inttoptr(whole(f, user, integer(fields(CvodeContext)[name][0])), POINTER)


def numbers(f: Function, vector: ir.Value) -> ir.Value:
    """The numbers of an N_Vector."""
    content = f.b.load(vector, typ=POINTER)
    return f.b.load(f.b.gep(content, [integer(CONTENT)], source_etype=ir.IntType(8)), typ=POINTER)


def evaluate(f: Function, routine: ir.Value, y: ir.Value, m: ir.Value, out: ir.Value, user: ir.Value) -> None:
    """Calls a routine at the time of the call; where a block cannot be solved, that is noted, and CVODE told.

    It then tries a smaller step.
    """
    b, t = f.b, f.function.args[0]
    signature = ir.FunctionType(STATUS, (REAL, *(POINTER,) * 5))
    function = b.inttoptr(routine, signature.as_pointer())
    status = b.call(function, [t, y, of_user(f, user, "u"), of_user(f, user, "p"), m, out])
    with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
        record = of_user(f, user, "record")
        f.put(record, integer(1), b.sitofp(status, REAL))
        f.put(record, integer(2), t)
        b.ret(STATUS(1))


def copy_indices(f: Function, found: dict[str, ir.Value]) -> None:
    """The places of a sparse matrix' entries, which SUNDIALS has cleared: `indices` and `pointers` (int32)."""
    b = f.b
    for name, count in (("indices", "index_count"), ("pointers", "pointer_count")):
        source, target = (b.inttoptr(found[word], POINTER) for word in (name, f"{name}_there"))
        with f.loop(integer(0), found[count]) as i:
            index = b.load(b.gep(source, [i], source_etype=STATUS), typ=STATUS)
            b.store(index, b.gep(target, [i], source_etype=STATUS))
