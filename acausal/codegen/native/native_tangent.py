"""The exact Jacobian in the form in which CVODE calls it: what `codegen.tangent` computes, brought to its places.

    int exact(double t, N_Vector y, N_Vector dydt, SUNMatrix J, void *user, N_Vector, N_Vector, N_Vector)

`user` is a `CvodeContext`; its field `jacobian` points to the words of `WORDS`, whole numbers or addresses. SUNDIALS
has cleared the matrix before, the places of a sparse one with it. What is no finite number counts as 0, as the slope of
a square root at 0: a Jacobian only leads Newton's method. (SUNDIALS 7, cvode_ls.h.)
"""

from llvmlite import ir

from acausal.base.caches import once
from acausal.codegen.native.native_function import INTEGER, POINTER, REAL, STATUS, Function, integer, real
from acausal.codegen.native.native_user import copy_indices, evaluate, numbers, of_user, whole, words

WORDS = (
    *("tangent", "states", "room", "memory_count", "memory"),
    *("entries", "count", "places", "values"),
    *("indices", "indices_there", "index_count", "pointers", "pointers_there", "pointer_count"),
    "filled",
)
"""`tangent` is the routine's address, `memory` its m, in which start values are the run's. Entry k goes to place
`places[k]` of `values`, the matrix' numbers. `indices` and `pointers` (int32) are copied there; `filled` counts."""


@once
def exact_address() -> int:
    """The address of the function, compiled once for all programs."""
    from acausal.codegen.llvm.to_llvm import published

    name = "acausal_exact"
    return int(published(name, _text).get_function_address(name))


def _text() -> str:
    module = ir.Module("exact")
    f = Function(module, "acausal_exact", STATUS, (REAL, *(POINTER,) * 7))
    b = f.b
    y, _, _, user = f.function.args[1:5]
    table = of_user(f, user, "jacobian")
    found = words(f, table, WORDS)
    at = {name: b.inttoptr(word, POINTER) for name, word in found.items()}
    _take_states(f, numbers(f, y), of_user(f, user, "place"), found["states"], at["room"])
    start_values = of_user(f, user, "m")
    with f.loop(integer(0), found["memory_count"]) as i:
        f.put(at["memory"], i, f.get(start_values, i))
    evaluate(f, found["tangent"], at["room"], at["memory"], at["entries"], user)
    with f.loop(integer(0), found["count"]) as k:
        entry = f.get(at["entries"], k)
        finite = b.fcmp_ordered("==", b.fsub(entry, entry), real(0.0))
        f.put(at["values"], whole(f, at["places"], k), b.select(finite, entry, real(0.0)))
    copy_indices(f, found)
    b.store(b.add(found["filled"], integer(1)), b.gep(table, [integer(WORDS.index("filled"))], source_etype=INTEGER))
    b.ret(STATUS(0))
    return str(module)


def _take_states(f: Function, there: ir.Value, place: ir.Value, states: ir.Value, room: ir.Value) -> None:
    """The states in their own order; `place` is null where CVODE has them in it."""
    b = f.b
    with b.if_else(b.icmp_unsigned("==", b.ptrtoint(place, INTEGER), integer(0))) as (as_they_are, ordered):
        with as_they_are, f.loop(integer(0), states) as i:
            f.put(room, i, f.get(there, i))
        with ordered, f.loop(integer(0), states) as i:
            f.put(room, i, f.get(there, whole(f, place, i)))
