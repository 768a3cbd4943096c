"""The exact Jacobian in the form in which CVODE calls it: what `codegen.tangent` computes, brought to its places.

    int exact(double t, N_Vector y, N_Vector dydt, SUNMatrix J, void *user, N_Vector, N_Vector, N_Vector)

`user` is as in `llvm_cvode`; its word `jacobian` points to the words of `WORDS`, whole numbers or addresses. SUNDIALS
has cleared the matrix before, the places of a sparse one with it. (SUNDIALS 7, cvode_ls.h.)
"""

from functools import cache

from llvmlite import ir

from acausal.codegen.llvm_cvode import USER
from acausal.codegen.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real

WORDS = (
    *("tangent", "states", "room", "memory_count", "memory"),
    *("entries", "count", "places", "values"),
    *("indices", "indices_there", "index_count", "pointers", "pointers_there", "pointer_count"),
    "filled",
)
"""`tangent` is the routine's address, `memory` its m, in which start values are the run's. Entry k goes to place
`places[k]` of `values`, the matrix' numbers. `indices` and `pointers` (int32) are copied there; `filled` counts."""


@cache
def exact_address() -> int:
    """The address of the function, compiled once for all programs."""
    from acausal.codegen.to_llvm import published

    name = "acausal_exact"
    return int(published(name, _text).get_function_address(name))


def _text() -> str:
    module = ir.Module("exact")
    f = Function(module, "acausal_exact", STATUS, (REAL, *(POINTER,) * 7))
    b = f.b
    t, y, _, _, user = f.function.args[:5]
    table = _address(f, user, USER.index("jacobian"))
    words = {name: _word(f, table, number) for number, name in enumerate(WORDS)}
    at = {name: b.inttoptr(word, POINTER) for name, word in words.items()}
    _take_states(f, _numbers(f, user, y), _word(f, user, USER.index("place")), words["states"], at["room"])
    u, p, m = [_address(f, user, USER.index(name)) for name in ("u", "p", "m")]
    with f.loop(integer(0), words["memory_count"]) as i:
        f.put(at["memory"], i, f.get(m, i))
    signature = ir.FunctionType(STATUS, (REAL, *(POINTER,) * 5))
    routine = b.inttoptr(words["tangent"], signature.as_pointer())
    status = b.call(routine, [t, at["room"], u, p, at["memory"], at["entries"]])
    with b.if_then(b.icmp_signed("!=", status, STATUS(0))):
        record = _address(f, user, USER.index("record"))
        f.put(record, integer(1), b.sitofp(status, REAL))
        f.put(record, integer(2), t)
        b.ret(STATUS(1))
    with f.loop(integer(0), words["count"]) as k:
        entry = f.get(at["entries"], k)
        finite = b.fcmp_ordered("==", b.fsub(entry, entry), real(0.0))
        f.put(at["values"], _whole(f, at["places"], k), b.select(finite, entry, real(0.0)))
    for name, count in (("indices", "index_count"), ("pointers", "pointer_count")):
        with f.loop(integer(0), words[count]) as i:
            index = b.load(b.gep(at[name], [i], source_etype=STATUS), typ=STATUS)
            b.store(index, b.gep(at[f"{name}_there"], [i], source_etype=STATUS))
    b.store(b.add(words["filled"], integer(1)), b.gep(table, [integer(WORDS.index("filled"))], source_etype=INTEGER))
    b.ret(STATUS(0))
    return str(module)


def _take_states(f: Function, there: ir.Value, place: ir.Value, states: ir.Value, room: ir.Value) -> None:
    """The states in their own order; `place` is 0 where CVODE has them in it."""
    b = f.b
    plain = b.icmp_signed("==", place, integer(0))
    with b.if_else(plain) as (as_they_are, ordered):
        with as_they_are, f.loop(integer(0), states) as i:
            f.put(room, i, f.get(there, i))
        with ordered, f.loop(integer(0), states) as i:
            f.put(room, i, f.get(there, _whole(f, b.inttoptr(place, POINTER), i)))


def _whole(f: Function, array: ir.Value, index: ir.Value) -> ir.Value:
    return f.b.load(f.b.gep(array, [index], source_etype=INTEGER), typ=INTEGER)


def _word(f: Function, table: ir.Value, number: int) -> ir.Value:
    return _whole(f, table, integer(number))


def _address(f: Function, table: ir.Value, number: int) -> ir.Value:
    return f.b.inttoptr(_word(f, table, number), POINTER)


def _numbers(f: Function, user: ir.Value, vector: ir.Value) -> ir.Value:
    """The numbers of an N_Vector."""
    content = f.b.load(vector, typ=POINTER)
    where = f.b.gep(content, [_word(f, user, USER.index("data"))], source_etype=ir.IntType(8))
    return f.b.load(where, typ=POINTER)
