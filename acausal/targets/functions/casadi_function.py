"""A program that stands for a function, as a function of CasADi."""

from collections.abc import Sequence
from typing import Any

from acausal.ir.program.program import Program
from acausal.targets.functions.evaluate_routine import Value, arguments_of, complete, evaluate_routine, ordered
from acausal.targets.functions.to_casadi import CasadiAlgebra, need_casadi


def casadi_function(program: Program, name: str, arguments: Sequence[tuple[str, int]], shape: tuple[int, ...]) -> Value:
    """A casadi.Function of the arguments and, behind them, the parameters p; UsageError F007 without CasADi.

    Results of three dimensions have the last two side by side.
    """
    need_casadi()
    import casadi

    algebra, p_arguments = CasadiAlgebra(), arguments_of(program, ())
    kind: Any = casadi.MX if program.blocks else casadi.SX
    symbols = [kind.sym(a, n) for a, n in arguments]
    p = kind.sym("p", len(p_arguments.parameters))
    complete_p = complete(program, p_arguments, algebra, [p[i] for i in range(len(p_arguments.parameters))])
    arrays = {
        "input": [symbol[i] for symbol, (_, n) in zip(symbols, arguments, strict=True) for i in range(n)],
        "parameter": complete_p.values,
    }
    found = ordered(
        evaluate_routine(program, program.derivatives, algebra, arrays, complete_p), len(program.state_slots)
    )
    vector = casadi.vertcat(*[kind(value) for value in found]) if found else kind(0, 1)
    rows = shape[0] if shape else 1
    matrix = casadi.reshape(vector, len(found) // max(1, rows), rows).T
    return casadi.Function(name, [*symbols, p], [matrix], [*[a for a, _ in arguments], "p"], ["result"])
