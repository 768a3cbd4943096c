"""Kinds of the intermediate representation, for type checkers: a misspelled or impossible one is an error of types.

`tests/test_kinds.py` compares them with the tables of operators.
"""

from typing import Literal

RelationOp = Literal["<", "<=", ">", ">=", "==", "<>"]
NoRelation = Literal[""]
ScalarOp = Literal[
    "add", "mul", "neg", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log",
    "log10", "sqrt", "linexp", "linlog", "atan2", "abs", "sign", "floor", "ceil", "mod", "min", "max",
    "<", "<=", ">", ">=", "==", "<>", "and", "or", "not", "if", "noevent", "external",
]  # fmt: skip
"""Operators on scalars: the rows of `ops.OPS`."""
LeafOp = Literal["const", "boolean", "string", "parameter", "variable", "time", "frozen", "unit"]
EventOp = Literal["initial", "sample", "new", "delay"]
"""Operators of events only: removed by `lift_events`."""
ArrayOp = Literal[
    "array", "array_add", "array_neg", "scale", "elementwise", "matmul", "transpose", "cross", "skew", "outer", "diag",
    "index", "stack", "array_if", "map", "reduce", "inverse", "der",
]  # fmt: skip
"""Operators on arrays: gone after `scalarize`."""
ExprOp = ScalarOp | LeafOp | EventOp | ArrayOp
LoadOp = Literal["state", "input", "parameter", "memory", "captured", "unknown"]
"""Instructions that read an array."""
SolveOp = Literal["linear_solve", "linear_factor", "factored_solve", "linear_columns", "newton_solve", "extract"]
EffectOp = Literal["store", "keep"]
InstructionOp = ScalarOp | LoadOp | SolveOp | EffectOp | Literal["const", "boolean", "time", "sub", "div"]

ValueType = Literal["real", "integer", "boolean", "string"]
DeclarationKind = Literal[
    "parameter", "constant", "local", "terminal", "input", "output", "internal", "external", "discrete"
]
VariableKind = Literal["local", "terminal", "cut", "input", "output", "discrete", "internal"]
ClassKind = Literal["model class", "model type", "model"]
ConditionKind = Literal["assert", "terminate"]
RunConditionKind = ConditionKind | Literal["integer", "redundant"]
"""`integer`: a variable has integer values; `redundant`: a constraint that was removed holds."""
ActionKind = Literal["init", "new", "assert", "terminate"]
FrozenKind = Literal["relation", "step", "discrete", "before", "sample", "initial"]
"""Values that are frozen between events (`ir.events.Frozen`)."""
SolutionKind = Literal["explicit", "linear", "nonlinear"]
BlockKind = Literal["linear", "nonlinear"]
SlotKind = Literal["stored", "parameter", "constant", "time"]
"""Places of a variable's value (`ir.slots.VariableSlot`)."""
