"""Functions of a mechanism: expressions that can be called, for one set of arguments or for many at once.

f = functions.mass_matrix           f(q)          f.batch(rows)          f.expressions          f.to_sympy()
at = f.bind(q, out=M)               at()
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.names import listed, show_name
from acausal.ir.plan import SolveLinear
from acausal.ir.pool import Pool
from acausal.mechanism.functions.arguments import SHOWN, Argument, numbers_in
from acausal.mechanism.functions.function_program import FunctionBody, affine_form, function_program

if TYPE_CHECKING:
    import sympy
    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array
    from acausal.ir.program.instructions import Operations
    from acausal.ir.program.program import Program
    from acausal.mechanism.functions.single_call import SingleCall
    from acausal.simulate.system.derivative import Derivative
    from acausal.targets.functions.evaluate_routine import Value

    Given = Mapping[str, ArrayLike]
    """Values of parameters by name."""


class TreeFunction:
    """A function of arrays. `arguments` say what its arguments are, `shape` is that of its result.

    `parameters` are the names of the parameters of the mechanism that it depends on; values by name can be given to
    every call, the others are those of the model. Arguments and results are float64 in SI units.
    """

    def __init__(
        self,
        name: str,
        pool: Pool,
        arguments: Sequence[Argument],
        shape: tuple[int, ...],
        results: Sequence[Expr],
        parameters: Sequence[Parameter] = (),
        solved: tuple[SolveLinear, ...] = (),
    ) -> None:
        self.name = name
        self.pool = pool
        self.arguments = tuple(arguments)
        self.shape = shape
        self.results = tuple(results)
        self._parameters = tuple(parameters)
        self._body = FunctionBody(self.results, tuple([x for a in self.arguments for x in a.leaves]), solved)

    def __call__(self, *arguments: "ArrayLike", parameters: "Given | None" = None) -> "Array":
        """The result, an array of the function's shape (a number for ()), for arrays of the arguments' lengths.

        Arrays of float64, without parameters, take the least time; `bind` avoids their copies.
        UsageError F006 for other shapes, F005 for names that are no parameters; SimulationError R003 where linear
        equations have no solution.
        """
        if parameters is None:
            quick = self._single(arguments)
            if quick is not None:
                return quick
        import numpy as np

        rows = [row.reshape(-1) for row in self._numbers(arguments)]
        self._check([x.shape for x in rows], [(len(a.leaves),) for a in self.arguments])
        u = np.concatenate([*rows, np.zeros(0)])
        found: Array = self._derivative(0.0, self._states, u, parameters).reshape(self.shape)[()]
        return found

    def bind(self, *arguments: "Array", out: "Array | None" = None) -> "Callable[[], Array]":
        """A function without arguments, for what the arrays hold when it is called; it writes into `out`, its result.

        Arguments are contiguous arrays of float64, (n,) each, `out` is one of the function's shape, by default a new
        one. A call costs less than half of that with arguments, and is for one thread at a time. UsageError F006 for
        arrays that do not fit.
        """
        import numpy as np

        from acausal.simulate.system.array_arguments import need_bindable

        result = np.zeros(self.shape) if out is None else out
        names = [argument.name for argument in self.arguments]
        for what, array in (*zip(names, arguments, strict=False), ("out", result)):
            need_bindable(what, array)
        self._check([x.shape for x in arguments], [(len(a.leaves),) for a in self.arguments])
        if result.shape != self.shape:
            message = f"out of {self.name}: the shape is {result.shape}, required is {self.shape}"
            raise UsageError(Diagnostic("F006", message, help="give an array of the shape of the result"))
        return self._single.bound(arguments, result)

    def batch(self, *arguments: "ArrayLike", parameters: "Given | None" = None) -> "Array":
        """The results (m, *shape) for arguments with m rows each; parameters are numbers or arrays of m values.

        All rows are computed in one call of native code.
        """
        import numpy as np

        rows = self._numbers(arguments)
        count = max([len(x) for x in rows if x.ndim == 2], default=0)
        self._check([x.shape for x in rows], [(count, len(a.leaves)) for a in self.arguments])
        u = np.concatenate([*rows, np.zeros((count, 0))], axis=1)
        states = np.zeros((count, len(self.results)))
        return self._derivative.batch(states, u, parameters).reshape((count, *self.shape))

    def _numbers(self, given: "Sequence[ArrayLike]") -> "list[Array]":
        """Arguments as arrays; UsageError F006 for anything but numbers."""
        return [numbers_in(f"arguments of {self.name}", x) for x in given]

    def _check(self, given: list[tuple[int, ...]], needed: list[tuple[int, ...]]) -> None:
        """UsageError F006 where arrays do not fit."""
        if len(given) != len(needed):
            names = listed([a.name for a in self.arguments], SHOWN)
            message = f"{self.name} takes {names}; the number of arguments given is {len(given)}"
            raise UsageError(Diagnostic("F006", message, help=f"call {self.name}({names})"))
        for argument, shape, wanted in zip(self.arguments, given, needed, strict=True):
            if shape != wanted:
                message = f"{argument.name} of {self.name}: the shape is {shape}, required is {wanted}"
                hint = f"one column for each of {listed(argument.names, SHOWN)}"
                raise UsageError(Diagnostic("F006", message, help=hint))

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """The elements of the result, row by row."""
        return self.results

    @cached_property
    def program(self) -> "Program":
        """The straight-line program; its routine `derivatives` computes the result."""
        return function_program(self.name, self.pool, self._parameters, self._body)

    @property
    def operations(self) -> "Operations":
        """The operations of a call with given parameters: what parameters alone determine is computed before."""
        return self.program.derivatives.operations

    @cached_property
    def _derivative(self) -> "Derivative":
        from acausal.codegen.llvm.to_llvm import compile_llvm
        from acausal.simulate.system.derivative import Derivative

        return Derivative(compile_llvm(self.program), ())

    @cached_property
    def _single(self) -> "SingleCall":
        from acausal.mechanism.functions.single_call import SingleCall

        derivative, states = self._derivative, self._states

        def bind(inputs: "Array", out: "Array") -> "Callable[[float], Array]":
            return derivative.bind(states, inputs, out)

        return SingleCall(bind, [len(a.leaves) for a in self.arguments], self.shape)

    @cached_property
    def _states(self) -> "Array":
        import numpy as np

        return np.zeros(len(self.results))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters that can be chosen."""
        return tuple([show_name(p.symbol.name) for p in self._parameters])

    def to_sympy(self) -> "sympy.Basic":
        """The result as a SymPy expression, matrix or array; positions are functions of t.

        Of functions that solve linear equations it is a matrix expression C*A**-1*b + c, which `doit()` evaluates, with
        numbers at best; A is singular where constraints depend on each other.
        """
        from acausal.symbolic.sympy_bridge import array_to_sympy, solution_to_sympy

        if not self._body.solved:
            return array_to_sympy(self.expressions, self.shape)
        (system,) = self._body.solved
        factors, rest = affine_form(self.pool, self.results, system.targets)
        return solution_to_sympy(system.matrix, system.right, factors, rest)

    def to_casadi(self) -> "Value":
        """A casadi.Function of the arguments and of the parameters p; UsageError F007 without CasADi."""
        from acausal.targets.functions.casadi_function import casadi_function

        return casadi_function(self.program, self._identifier, self._sizes, self.shape)

    def to_c(self) -> str:
        """The text of a file of C99 that needs libm only (`acausal.targets.c.function_file`)."""
        from acausal.targets.c.function_file import c_function

        return c_function(self.program, self._identifier, self._sizes)

    def to_python(self) -> str:
        """The text of a module of Python that needs NumPy only."""
        from acausal.targets.python.function_file import python_function

        return python_function(self.program, self._identifier, self._sizes, self.shape)

    @property
    def _identifier(self) -> str:
        """The name as an identifier."""
        from acausal.targets.identifiers import identifier_of

        return identifier_of(((self.name,), 0))

    @property
    def _sizes(self) -> list[tuple[str, int]]:
        """Names and lengths of the arguments."""
        return [(argument.name, len(argument.leaves)) for argument in self.arguments]

    def __repr__(self) -> str:
        arguments = ", ".join([f"{a.name}[{len(a.leaves)}]" for a in self.arguments])
        return f"<TreeFunction {self.name}({arguments}) -> {list(self.shape) if self.shape else 'number'}>"


def flat(rows: Sequence[Sequence[Expr]]) -> tuple[Expr, ...]:
    """The elements of a matrix row by row."""
    return tuple([x for row in rows for x in row])
