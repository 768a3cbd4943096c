"""The first change of sign between two times (`runtime/crossings/root_search`) for solvers that Python runs."""

from typing import TYPE_CHECKING

from acausal.runtime.crossings.root_search import RootSearch, locate_root

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.solver.hidden import Hidden, Watch


def locate(
    watch: "Watch", begin: float, first: "Array", end: float, hidden: "Hidden | None" = None
) -> tuple[float, dict[int, int]] | None:
    """The earliest time behind a crossing in (begin, end], and what crosses there in which direction.

    `first` are the values at `begin`; none of them is zero. Two crossings within the step are found by `hidden`.
    """
    count = len(first)
    if not count:
        return None
    values = watch(end, 1.0)
    above = values.tolist()
    if hidden is not None:
        if hidden.end != begin:
            hidden.begin(begin, first)
        inside = hidden.find(watch, end, values)
        if inside is not None:
            end, above = inside[0], inside[1].tolist()

    def watched(_: object, t: float, factor: float, out: list[float]) -> None:
        out[:] = watch(t, factor).tolist()

    room = {name: [0.0] * count for name in ("below", "values")}
    search = RootSearch(
        count=count, watch=watched, context=0, first=first.tolist(), above=above, roots=[0] * count, time=begin, **room
    )
    if not locate_root(search, begin, end):
        return None
    return search.time, {i: search.roots[i] for i in range(count) if search.roots[i]}
