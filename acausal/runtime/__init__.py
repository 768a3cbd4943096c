"""Run-time kernels: each is written once, in a typed subset of Python, and is run by Python and as machine code.

`kernel/language` says what the subset is, `kernel/check` turns a kernel into a typed tree, `kernel/llvm`
prints the tree as LLVM, `kernel/c` as C99; `kernel/effects` refuses what depends on the order of evaluation, which C
leaves open. The kernels work on the structures of `context`, with the numbers of `limits`.
tests/runtime/test_kernels.py executes every kernel in all three ways; a new one needs a scenario in which Python calls
it.

Events (`events/`). The equations have two routines for them: `events` (what discrete values are to become, and what
`init` and `new` say) and `crossings` (the root functions). `event_iteration` iterates one event to a fixed point;
relations at an event form a linear complementarity problem (`relations/fixed_point`): all that disagree change at once,
then by least index. Relations that were located go by where they are heading, not by the rounding error at the
crossing, unless they have come over a pole or a jump; where rounding errors contradict each other, values are taken
with which the variables agree a little later (`relations/relation_search`). No crossing is lost or comes twice: a
solver begins with root functions on the sides of their frozen values, which it is given and does not evaluate, as a
second evaluation may differ by rounding; where it stops, the values it has seen last are compared with these sides, and
a crossing that it has not reported is an event (`root_functions`). Sines go through sixteen evaluations in each period,
between the steps of a solver too (`phase_checks`), whatever their angles come from (`angular_velocity`). Samples count
their instants; what time alone changes is decided by its own time (`relations/discrete`). Each run verifies this where
a solver begins (`relations/consistency`); relations at rest get a band (`relations/rest_bands`). `event_loop` goes
through output times and events, `single_event` does one event for solvers that return to Python; both leave an event to
Python, everything as before it, where a routine fails, a value is not finite or events do not end. `python -m
tests.long hybrid` tries this.

Branches (`blocks/`). Nonlinear blocks keep their branch between events (`branch`): Newton's method starts at the
extrapolated solutions of the last steps, and there it may only contract; else the block counts as unsolved and CVODE
takes a shorter step. Behind an event that leaves the branch the record begins again. A branch that ends is R014. Where
branches cross (dead centers) rounding errors of derivatives grow with the third power of the distance: next to such a
point, seen by the pivots of the blocks (`pivots`), derivatives are interpolated across it (`removable`). A run does
not begin there (R016). Rows and events next to it are interpolated as well.
"""
