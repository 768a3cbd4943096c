"""Operations of the routines of a model, and what is known of its memory, for bounds of the kernels that call them."""

import re
from collections.abc import Mapping, Sequence
from math import log2, log10

from acausal.base.caches import once
from acausal.ir.program.instructions import (
    FactoredSolve,
    Instruction,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
)
from acausal.ir.program.program import Program, routine_of
from acausal.runtime.blocks.least_norm import solve_least_norm
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import SMALLEST_DAMPING, solve_newton
from acausal.runtime.blocks.pivots import note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.blocks.singular_values import singular_values
from acausal.runtime.branches.branch_record import POINTS
from acausal.runtime.branches.branch_results import predict
from acausal.runtime.branches.branch_slopes import end_step
from acausal.runtime.branches.singular_start import CLOSE, FAR
from acausal.runtime.branches.tracked import TRACKERS, near_results, tracked_routine, tracker
from acausal.runtime.crossings.hidden_crossings import SAMPLES
from acausal.runtime.crossings.hidden_jumps import MOST_LOCATING
from acausal.runtime.crossings.hidden_search import MOST_POINTS, MOST_SIDES, MOST_TRIES
from acausal.runtime.cvode.callbacks import cvode_advance
from acausal.runtime.events.between_events import run_to_event
from acausal.runtime.events.event import event
from acausal.runtime.events.exported_run import do_left_event
from acausal.runtime.events.relations.relation_search import MOST_BEGINS, MOST_JUMP_PASSES, PASSES_FROM_EACH
from acausal.runtime.events.restart_others import restart_size
from acausal.runtime.inputs import evaluate_inputs
from acausal.runtime.kernel.check import typed_kernels
from acausal.runtime.kernel.known_values import Bound, Interval, Known, Routine, Structure, Table
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.operation_flow import Limits
from acausal.runtime.kernel.operations import Operations
from acausal.runtime.kernel.tree import Field, Function, Store
from acausal.runtime.kernel.walk import statements
from acausal.runtime.poles import passes_pole
from acausal.runtime.state_sets import find_known, show_known
from acausal.targets.c.structures.memory import Memory
from acausal.targets.c.structures.runtime_text import ADAPTERS
from acausal.targets.divisor_routine import divisor_routine

_FREE = frozenset(("const", "boolean", "time", "state", "input", "parameter", "memory", "captured", "unknown"))
_MOVES = frozenset(("store", "keep", "extract", "and", "or", "not"))
_HELPERS = {"==": 2, "<>": 2, "sign": 2, "mod": 6, "linexp": 6, "linlog": 6, "pow": 2}
"""Operators that are more than one operation."""
_BLOCKS = LinearSolve | LinearColumns | FactoredSolve | NewtonSolve


@once
def _kernels() -> tuple[Function, ...]:
    """The typed trees of the kernels of exported programs."""
    found = [kernel for _, kernel in ADAPTERS.values()]
    found += [solve_linear, factor_linear, solve_factored, solve_refined, solve_least_norm, solve_newton, note_pivots]
    found += [singular_values, predict, end_step, evaluate_inputs, passes_pole, find_known, show_known]
    found += [run_to_event, event, do_left_event, cvode_advance]
    found += [*TRACKERS.values(), near_results]
    return typed_kernels(list(dict.fromkeys(found)))


_CHANGED_BY_TEXT = ("most_passes", "most_steps", "most_made", "step", "is_due", "number")


@once
def changed_fields() -> frozenset[str]:
    """Fields that kernels or the text around them change; others are 0 where nothing else is bound."""
    stores = [s for function in _kernels() for s in statements(function.body) if isinstance(s, Store)]
    found = [store.place.name for store in stores if isinstance(store.place, Field)]
    return frozenset([*found, *_CHANGED_BY_TEXT])


class ModelOperations:
    """Facts that a model gives kernels: sizes, routines, and the structures in its memory."""

    def __init__(
        self, memory: Memory, number: int, program: Program, iterations: int, solver: Mapping[str, int]
    ) -> None:
        self._memory, self._bound = memory, memory.known[number]
        relations = sum(1 for slot in program.table.frozen if slot.kind == "relation")
        self._room = int(self._bound.get(("history", "piece_room"), "0"))
        order = restart_size(len(program.state_slots), len(program.table.restarts))
        self._own: dict[tuple[str, str], Known] = {("solver", name): Interval(n, n) for name, n in solver.items()}
        self._own |= {("search_room", name): Interval(0, relations) for name in ("count", "distance")}
        self._jumps = int(self._bound.get(("hidden", "jump_count"), "0")) > 0
        inserted = MOST_TRIES + (MOST_SIDES if self._jumps else 0)
        points = {"begin": 0, "last": 1 + inserted}  # places as counted from the begin of a step
        self._own |= {("hidden", name): Interval(n, n) for name, n in points.items()}
        self._own["hidden", "point_count"] = Interval(0, MOST_POINTS)
        self._own |= {("history", name): Interval(0, self._room) for name in ("pieces", "break_count")}
        self._own["restart_room", "integers"] = Table((order,))
        self._program, self._suffix = program, f"_{number}" if number else ""
        self._iterations = iterations
        self._contexts: dict[str, Struct] = {}

    def operations(self, located: int) -> Operations:
        """Bounds of kernels, where `located` points are evaluated to locate a crossing."""
        frozen = self._program.table.frozen
        relations = sum(1 for slot in frozen if slot.kind == "relation" and not slot.continuous)
        combinations = 2.0 ** min(relations, 60)
        located_jumps = MOST_SIDES // 2 * MOST_LOCATING + MOST_SIDES * (1 + SAMPLES) if self._jumps else 0
        turns = {
            "solve_newton": 1.0 - round(log2(SMALLEST_DAMPING)),
            "locate_root": located,
            "search_within": MOST_TRIES * (1 + SAMPLES) + located_jumps,
            "jump": min(MOST_JUMP_PASSES + 1, combinations),
            "agree_later.number": min(MOST_BEGINS + 1, combinations),
            **dict.fromkeys(("extrapolate", "drop_later"), POINTS),
            "refuse_singular_start": 1 + round(log10(FAR / CLOSE)),
            "first_behind": self._room.bit_length() + 1,
            "iterate": 0,
            "step_to": 2,
            **dict.fromkeys(("solve_fixed", "run_to_event", "to_next_row", "cvode_advance"), 1),
            "table_segment": 0,
        }
        results = {"points": lambda *_: Interval(0, POINTS), "unknowns": lambda _, __, n: Interval(0, n.high)}
        apart = {
            "propose_point": ("search_step", MOST_TRIES),
            "jump._": ("jump", min(MOST_JUMP_PASSES + PASSES_FROM_EACH, PASSES_FROM_EACH * combinations)),
        }
        limits = Limits(turns, apart)
        made = Operations(_kernels(), lambda structure, field: self._field(structure, field, made), limits, results)
        return made

    def variables(self, made: Operations) -> float:
        """The variables where the model is."""
        program = self._program
        count = self.routine("variables", made)
        if program.followed:
            sizes = [Interval(n, n) for n in (program.memory, program.followed)]
            count += made.of("predict", None, *sizes)
        if program.delays:
            count += made.of("evaluate_inputs", Structure("inputs"))
        if "sets" in self._memory.structures:
            count += made.of("find_known", Structure("sets")) + made.of("show_known", Structure("sets"))
        return count

    def routine(self, name: str, made: Operations) -> float:
        """A call of a routine of the model."""
        plain = name.removesuffix(self._suffix)
        kernel = tracker(self._program, plain)
        if kernel is None:
            return self._code(routine_of(self._program, plain).code, made)
        return made.of(kernel.__name__, Structure(f"{plain}_context"))

    def _field(self, structure: str, field: str, made: Operations) -> Known:
        """The value of a field."""
        if (structure, field) in self._own:
            return self._own[structure, field]
        if structure.endswith("_context"):
            return self._of_context(structure.removesuffix("_context"), field, made)
        text = self._bound.get((structure, field))
        if text is None:
            return None if field in changed_fields() else Interval(0, 0)
        return self._value(text, made)

    def _value(self, text: str, made: Operations) -> Known:
        if re.fullmatch(r"-?\d+", text):
            return Interval(int(text), int(text))
        place = re.search(r"&m->(\w+)$", text)
        if place:
            return Structure(place[1])
        table = re.search(r"\)(table_\w+)$", text)
        if table:
            return Table(tuple([int(n) for n in self._memory.numbers[table[1]]]))
        if text in ADAPTERS:
            return Bound(ADAPTERS[text][1].__name__)
        if text in ("predict", "end_step"):
            return Bound(text)
        if text == "nothing":
            return Routine(0)
        if text.startswith("divisors"):
            return Routine(self._divisors(made))
        return self._named(text, made) if re.fullmatch(r"[a-z]\w*", text) else None

    def _named(self, name: str, made: Operations) -> Routine:
        """A routine of the model; one without blocks has solutions always."""
        code = routine_of(self._program, name.removesuffix(self._suffix)).code
        has_blocks = any(isinstance(instruction.value, _BLOCKS) for instruction in code)
        return Routine(self.routine(name, made), succeeds=not has_blocks and not self._program.followed)

    def _divisors(self, made: Operations) -> float:
        routine = divisor_routine(self._program)
        return 0 if routine is None else self._code(routine.code, made)

    def _of_context(self, name: str, field: str, made: Operations) -> Known:
        """A field of the constant structure around a routine."""
        if name not in self._contexts:
            self._contexts[name] = tracked_routine(self._program, name, None)
        value = getattr(self._contexts[name], field)
        if field == "routine":
            return Routine(self._code(routine_of(self._program, name).code, made))
        return Table(tuple(value)) if isinstance(value, list | tuple) else Interval(value, value)

    # ------------------------------------------------------------ instructions

    def _code(self, code: Sequence[Instruction], made: Operations) -> float:
        return sum([self._instruction(instruction, made) for instruction in code])

    def _instruction(self, instruction: Instruction, made: Operations) -> float:
        op, _, value = instruction
        if op in _FREE or op in _MOVES:
            return 0
        if isinstance(value, _BLOCKS | LinearFactor):
            return self._solved(value, made)
        return _HELPERS.get(op, 1)

    def _solved(
        self, solve: LinearSolve | LinearFactor | LinearColumns | FactoredSolve | NewtonSolve, made: Operations
    ) -> float:
        n = Interval(solve.size, solve.size)
        if isinstance(solve, NewtonSolve):
            residuals = Routine(self._code(solve.residuals.code, made))
            most = Interval(self._iterations, self._iterations)
            noted = made.of("note_pivots", None, None, None, n)
            return made.of("solve_newton", n, residuals, None, None, None, None, most) + noted
        if isinstance(solve, FactoredSolve):
            return made.of("solve_factored", n)
        if isinstance(solve, LinearFactor):
            return made.of("factor_linear", n)
        if isinstance(solve, LinearColumns):
            return made.of("factor_linear", n) + solve.columns * made.of("solve_factored", n)
        if solve.norm is not None:
            return made.of("solve_least_norm", n, *[None] * 4, Table((solve.size,)), Bound("singular_values"))
        return made.of("solve_refined" if solve.refined else "solve_linear", n)
