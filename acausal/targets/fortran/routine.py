"""Routines of a program as functions of a Fortran module."""

import re
from collections.abc import Mapping
from math import isfinite

from acausal.codegen.lower.workspace import newton_work
from acausal.ir.evaluate import operate
from acausal.ir.graph import LeastNorm
from acausal.ir.names import Symbol
from acausal.ir.program.instructions import FactoredSolve, LinearFactor, LinearSolve, NewtonSolve, Routine
from acausal.ir.program.program import Program
from acausal.runtime.blocks.least_norm import kinds_of
from acausal.runtime.blocks.newton import ITERATIONS, factors_place
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord
from acausal.runtime.homotopy.solve_start import homotopy_work
from acausal.runtime.kernel.fortran.layout import comment, wrapped
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.runtime.kernel.signature import fields
from acausal.targets.identifiers import Identifiers
from acausal.targets.readable_routine import RELATIONS, ReadableRoutine, Solve

ARGUMENTS = "t, y, u, p, m, out"
LONGEST_NAME = 60
_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": ".and.", "or": ".or.", "<>": "/=", "pow": "**"}
_FUNCTIONS = {"floor": "floor_of", "ceil": "ceiling_of", "sign": "sign_of", "mod": "remainder_of", "min": "min",
              "max": "max", "linexp": "exp_above", "linlog": "log_above"}  # fmt: skip
TAKEN = (
    *"t y u p m out c x i status dp i8 i4 abs sqrt sin cos tan asin acos atan atan2 sinh cosh tanh exp log".split(),
    *"log10 merge min max real int tail size aint setup initial derivatives variables infinity nan_value".split(),
    *"found result_value ieee_value ieee_quiet_nan ieee_positive_inf ieee_is_finite integrate".split(),
    *"is_equal nearest_of tail_of_ints tail_of_c_ints note_pivots singular_values".split(),
    *_FUNCTIONS.values(),
)


class FortranRoutine(ReadableRoutine):
    """The lines of one function, and the declarations that they need."""

    def __init__(
        self,
        name: str,
        routine: Routine,
        slots: Mapping[tuple[str, int], Symbol],
        sources: Mapping[Symbol, str],
        program: Program,
        procedures: tuple[str, ...],
    ) -> None:
        self._program, self._procedures, self._code = program, procedures, routine.code
        self.declarations: list[str] = []
        identifiers = Identifiers((*TAKEN, *procedures), ignores_case=True, longest=LONGEST_NAME)
        super().__init__(name, routine, slots, sources, identifiers)

    def element(self, array: str, position: int) -> str:
        """array(position)."""
        return f"{array}({position})"

    def number(self, value: object) -> str:
        """A number of double precision."""
        assert isinstance(value, float)
        return literal_text(value)

    def truth(self, value: object) -> str:
        """A truth value."""
        return ".true." if value else ".false."

    def declare(self, name: str, logical: bool) -> None:
        """A declaration."""
        self.declarations.append(f"    {'logical' if logical else 'real(dp)'} :: {name}")

    def stored(self, register: int) -> str:
        """Truth values are 1 and 0 in arrays."""
        text = self.values[register]
        return f"merge(1.0_dp, 0.0_dp, {text})" if self.is_logical[register] else text

    def assignment(self, target: str, text: str, source: str | None) -> str:
        """A line behind a comment with the place in the model."""
        line = wrapped(f"{target} = {text}", 2)
        return f"{comment(source, 2)}\n{line}" if source else line

    def expression(self, op: str, args: tuple[int, ...], value: object) -> str:
        """Operators and functions."""
        if args and self._is_refused(op, args):
            self.values[args[0]], self.is_word[args[0]] = self._variable(args[0]), True
        given = [self.operand(a) for a in args]
        if op == "extract":
            return f"{given[0]}({value})"
        if op in ("==", "<>") and self.is_logical[args[0]]:
            return f"{given[0]} {'.eqv.' if op == '==' else '.neqv.'} {given[1]}"
        if op in ("==", "<>"):  # compilers warn of comparisons of real numbers
            text = f"is_equal({self.values[args[0]]}, {self.values[args[1]]})"
            return text if op == "==" else f".not. {text}"
        if op in _INFIX or op in RELATIONS:
            return f" {_INFIX.get(op, op)} ".join(given)
        if op == "if":
            return f"merge({self.values[args[1]]}, {self.values[args[2]]}, {self.values[args[0]]})"
        if op == "neg" or op == "not":
            return f"{'-' if op == 'neg' else '.not. '}{given[0]}"
        if op == "noevent":
            return given[0]
        return f"{_FUNCTIONS.get(op, op)}({', '.join([self.values[a] for a in args])})"

    def _is_refused(self, op: str, args: tuple[int, ...]) -> bool:
        """True if compilers refuse an expression of numbers, whose value is none, as 1/0."""
        numbers = [self._code[a].value for a in args if self._code[a].op == "const"]
        if len(numbers) < len(args):
            return False
        value = operate(op, [number for number in numbers if isinstance(number, float)])
        return value is None or not isfinite(value)

    def _variable(self, register: int) -> str:
        """A variable that has the value of a register."""
        name = self.identifiers.take(f"e{register}")
        self.declare(name, False)
        self.lines.append(self.assignment(name, self.values[register], None))
        return name

    # ------------------------------------------------------------ blocks

    def _array(self, name: str, size: int) -> str:
        found = self.identifiers.take(name)
        self.declarations.append(f"    real(dp), target :: {found}(0:{size - 1})")
        return found

    def _filled(self, name: str, args: tuple[int, ...]) -> str:
        found = self._array(name, max(len(args), 1))
        self.lines += [wrapped(f"{found}({i}) = {self.values[a]}", 2) for i, a in enumerate(args)]
        return found

    def factor(self, args: tuple[int, ...], solve: LinearFactor) -> None:
        """The factors go to out; they are NaN where the matrix is singular."""
        n = solve.size
        factors = self._array("factors", n * n + n + 1)
        self.lines += [wrapped(f"{factors}({i}) = {self.values[a]}", 2) for i, a in enumerate(args)]
        last = n * n + n
        self.lines.append(f"    call factor_linear({n}_i8, {factors})")
        self.lines.append(f"    out({solve.position}:{solve.position + last}) = {factors}(0:{last})")

    def block(self, args: tuple[int, ...], solve: Solve) -> str:
        """A call of the kernel that solves it."""
        n, name = solve.size, f"block_{solve.block}"
        behind: list[str] = []
        if isinstance(solve, NewtonSolve):
            x, call, behind = self._nonlinear(name, args, solve)
        elif isinstance(solve, FactoredSolve):
            x = self._filled(name, args)
            call = f"solve_factored({n}_i8, tail(p, {solve.position}_i8), {x})"
        elif solve.norm is not None:
            x, call = self._least_norm(name, args, solve, solve.norm)
        else:
            matrix, x = self._filled(f"{name}_matrix", args[:-n]), self._filled(name, args[-n:])
            call = f"solve_linear({n}_i8, {matrix}, {x})"
            if solve.refined:
                work = self._array(f"{name}_work", n * (n + 4) + 1)
                call = f"solve_refined({n}_i8, {matrix}, {x}, {work})"
        self.lines += [
            wrapped(f"if ({call} /= 0) then", 2),
            f"      status = {solve.block}",
            "      return",
            "    end if",
            *behind,
        ]
        return x

    def _nonlinear(self, name: str, args: tuple[int, ...], solve: NewtonSolve) -> tuple[str, str, list[str]]:
        n, residuals = solve.size, f"residuals_{self.name}_{solve.block}"
        inner = FortranRoutine(residuals, solve.residuals, {}, self.sources, self._program, self._procedures)
        self.functions += residual_procedure(inner, solve.block)
        captured, x = self._filled(f"{name}_captured", args[:-n]), self._filled(name, args[-n:])
        size = homotopy_work(n) if solve.homotopy else newton_work(n)
        nominals, work = self._array(f"{name}_sizes", n), self._array(f"{name}_work", size)
        self.lines += [f"    {nominals}({i}) = {literal_text(v)}" for i, v in enumerate(solve.nominals)]
        strict = f"m({self._program.work + fields(PivotRecord)['strict'][0] - PIVOTS})"
        given = f"{n}_i8, {residuals}, {captured}, {x}, {nominals}, {work}, {ITERATIONS}_i8, {strict}"
        call = f"solve_newton({given})"
        if solve.homotopy:
            call = f"solve_start({given}, {self._integers(name)}, singular_values)"
        factors = f"tail({work}, {factors_place(n)}_i8)"
        return x, call, [f"    call note_pivots(m, {self._program.work}_i8, {factors}, {n}_i8)"]

    def _integers(self, name: str) -> str:
        """Integers of the singular value decomposition."""
        found = self.identifiers.take(f"{name}_integers")
        self.declarations.append(f"    integer(i4), target :: {found}(0:5)")
        return found

    def _least_norm(self, name: str, args: tuple[int, ...], solve: LinearSolve, norm: LeastNorm) -> tuple[str, str]:
        n = solve.size
        matrix, x = self._filled(f"{name}_matrix", args[:-n]), self._filled(name, args[-n:])
        kinds, work = self._array(f"{name}_kinds", n), self._array(f"{name}_work", n * (3 * n + 13))
        found = kinds_of(n, norm.reactions, norm.measured)
        self.lines += [f"    {kinds}({i}) = {literal_text(kind)}" for i, kind in enumerate(found)]
        given = f"{n}_i8, {matrix}, {x}, {kinds}, {work}, {self._integers(name)}, singular_values"
        return x, f"solve_least_norm({given})"


def residual_procedure(routine: FortranRoutine, block: int) -> list[str]:
    """The residuals of a nonlinear block."""
    body = [*routine.bound, *routine.lines]
    return [
        f"  ! Residuals of block {block}, then their Jacobian row by row.",
        f"  recursive subroutine {routine.name}(c, x, out)",
        "    real(dp), pointer, intent(in) :: c(:), x(:), out(:)",
        *routine.declarations,
        *unused(("c", "x"), body),
        *body,
        f"  end subroutine {routine.name}",
        "",
    ]


def unused(arguments: tuple[str, ...], body: list[str]) -> list[str]:
    """Lines that mention arguments which a procedure does not use."""
    text = "\n".join(body)
    return [f"    associate (unused_{a} => {a}); end associate" for a in arguments if not _mentions(text, a)]


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w%]){name}(?!\w)", re.sub(r"!.*", "", text)) is not None


def routine_head(name: str) -> list[str]:
    """The first lines of a function that has the interface of routines."""
    return [
        f"  recursive function {name}({ARGUMENTS}) result(status)",
        "    real(dp), value :: t",
        "    real(dp), pointer, intent(in) :: y(:), u(:), p(:), m(:), out(:)",
        "    integer(i4) :: status",
    ]


def routine_procedure(routine: FortranRoutine, doc: str) -> list[str]:
    """A function with the status as its result, behind the residuals of its blocks."""
    body = [*routine.bound, *routine.lines]
    return [
        *routine.functions,
        comment(doc, 1),
        *routine_head(routine.name),
        *routine.declarations,
        *unused(("t", "y", "u", "p", "m", "out"), body),
        "    status = 0",
        *body,
        f"  end function {routine.name}",
        "",
    ]
