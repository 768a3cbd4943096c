"""Routines of a program as functions of Python."""

import math
from collections.abc import Mapping

from acausal.ir.names import Symbol
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import FactoredSolve, LinearFactor, NewtonSolve, Routine
from acausal.targets.identifiers import Identifiers
from acausal.targets.readable_routine import LONGEST, RELATIONS, ReadableRoutine, Solve

ARGUMENTS = "t, y, u, p, m, out"
OF_RESIDUALS = "c, x, out"
_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "and", "or": "or", "<>": "!="}
NUMPY = (
    *("arccos", "arcsin", "arctan", "arctan2", "ceil", "cos", "cosh", "exp", "float64", "floor", "log", "log10"),
    *("maximum", "minimum", "power", "sign", "sin", "sinh", "sqrt", "tan", "tanh"),
)
"""Functions of NumPy in routines."""
TAKEN = frozenset(
    "t y u p m out where mod linexp linlog and or not if else is in for while def class return None True False lambda "
    "global pass del from import as with try except raise yield assert break continue elif finally nonlocal async "
    "await abs inf nan setup initial derivatives variables events crossings choices delayed".split()
).union(NUMPY)


def routine_function(
    name: str,
    routine: Routine,
    doc: str,
    slots: Mapping[tuple[str, int], Symbol],
    sources: Mapping[Symbol, str],
    record: int,
) -> str:
    """A function `name`, behind those of its nonlinear blocks; `record` is where the record of branches ends in m."""
    text = PythonRoutine(name, routine, slots, sources, record)
    head = [f"def {name}({ARGUMENTS}):", f'    """{doc}"""']
    return "\n".join([*text.functions, *head, *text.bound, *text.lines, "    return 0", ""])


class PythonRoutine(ReadableRoutine):
    """The lines of one function."""

    def __init__(
        self,
        name: str,
        routine: Routine,
        slots: Mapping[tuple[str, int], Symbol],
        sources: Mapping[Symbol, str],
        record: int | None = None,
    ) -> None:
        self._record = record
        super().__init__(name, routine, slots, sources, Identifiers(TAKEN if record is not None else (*TAKEN, *"cx")))

    def element(self, array: str, position: int) -> str:
        """array[position]."""
        return f"{array}[{position}]"

    def number(self, value: object) -> str:
        """A number as Python writes it."""
        return number(value)

    def truth(self, value: object) -> str:
        """True or False."""
        return repr(value)

    def assignment(self, target: str, text: str, source: str | None) -> str:
        """A line with the place in the model as a comment."""
        return f"    {target} = {text}" + (f"  # {source}" if source else "")

    def expression(self, op: str, args: tuple[int, ...], value: object) -> str:
        """Python's operators and functions of NumPy."""
        given = [self.operand(a) for a in args]
        if op == "extract":
            return f"{given[0]}[{value}]"
        if op == "div" and given[1][0].isdigit():
            return f"{given[0]} / float64({given[1]})"
        if op in _INFIX or op in RELATIONS:
            return f" {_INFIX.get(op, op)} ".join(given)
        if op == "if":
            return f"{given[1]} if {given[0]} else {given[2]}"
        if op == "neg":
            return f"-{given[0]}"
        if op == "not":
            return f"not {given[0]}"
        name = "power" if op == "pow" else OPS[op].numpy or op
        return f"{name}({', '.join([self.values[a] for a in args])})"

    def factor(self, args: tuple[int, ...], solve: LinearFactor) -> None:
        """The factors go to out."""
        self.lines.append(f"    store_factors(out, {solve.position}, {self._tuple(args)}, {solve.size})")

    def block(self, args: tuple[int, ...], solve: Solve) -> str:
        """A call of the function that solves it."""
        target = self.identifiers.take(f"block_{solve.block}")
        n = solve.size
        if isinstance(solve, NewtonSolve):
            name = f"residuals_{self.name}_{solve.block}"
            inner = PythonRoutine(name, solve.residuals, {}, self.sources)
            doc = f'    """Residuals of block {solve.block} of `{self.name}`, then their Jacobian row by row."""'
            self.functions += [f"def {name}({OF_RESIDUALS}):", doc, *inner.bound, *inner.lines, "", ""]
            start = [f"float64({v})" if v[0] in "-.0123456789" else v for v in [self.values[a] for a in args[-n:]]]
            sizes = ", ".join([number(x) for x in solve.nominals])
            solver = "start_solution" if solve.homotopy else "newton_solution"
            call = (
                f"{solver}({name}, {self._tuple(args[:-n])}, ({', '.join(start)},), ({sizes},), "
                f"record=m[:{self._record}])"
            )
        elif isinstance(solve, FactoredSolve):
            call = f"factored_solution(p, {solve.position}, {self._tuple(args)})"
        elif solve.norm is not None:
            known = f"{self._tuple(args[:-n])}, {self._tuple(args[-n:])}"
            call = f"least_norm_solution({known}, {solve.norm.reactions}, {solve.norm.measured})"
        else:
            kind = "refined" if solve.refined else "linear"
            call = f"{kind}_solution({self._tuple(args[:-n])}, {self._tuple(args[-n:])})"
        self.lines += [f"    {target} = {call}", f"    if {target} is None:", f"        return {solve.block}"]
        return target

    def _tuple(self, args: tuple[int, ...]) -> str:
        items = [self.values[a] for a in args]
        text = f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        if len(text) <= LONGEST:
            return text
        rows, row = [], ""
        for item in items:
            if len(row) + len(item) > LONGEST:
                rows.append(row)
                row = ""
            row += f"{item}, "
        return "(\n        " + "\n        ".join([r.rstrip() for r in [*rows, row]]) + "\n    )"


def number(value: object) -> str:
    """A number as Python writes it."""
    assert isinstance(value, float)
    return repr(value) if math.isfinite(value) else f'float64("{value}")'
