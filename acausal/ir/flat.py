"""The flat model: all instances dissolved, connections turned into equations.

Arrays are still whole: a variable leaf has a shape and an equation may be between
arrays. Constants are already numbers, structural `if`, `for` and functions are gone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.ir.events import When
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.flat_connections import Component, ConnectionSet, CutTerminal, Loop, OpenCut
from acausal.ir.kinds import RunConditionKind, ValueType, VariableKind
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.ir.walk import variables_of

if TYPE_CHECKING:
    from acausal.ir.pool import Pool


@record(frozen=True, slots=True)
class Attributes:
    """Attributes in the parentheses of a declaration; expressions contain parameters only.

    `start_at` is where the start value is written, if not there; `unit_at` where the unit is.
    """

    start: Expr | None = None
    fixed: bool = False
    unit: str | None = None
    minimum: Expr | None = None
    maximum: Expr | None = None
    nominal: Expr | None = None
    state: str = "default"
    start_at: Span | None = None
    unit_at: Span | None = None


NO_ATTRIBUTES = Attributes()


@record(frozen=True, slots=True)
class Parameter:
    """A parameter of the built model.

    `symbol` is its leaf, `binding` its expression in other parameters (already
    resolved in the enclosing class), `value` what that gave at translation
    (row-major for arrays; conditions are bool, strings str). `tunable` forbids
    folding; `structural` was used in a dimension, loop bound or structural `if`.
    """

    symbol: Expr
    binding: Expr
    value: float | bool | str | tuple[float | str, ...]
    type: str
    origin: Origin
    tunable: bool = False
    structural: bool = False
    constant: bool = False
    attributes: Attributes = NO_ATTRIBUTES
    description: str | None = None


@record(frozen=True, slots=True)
class Variable:
    """A variable: `kind` is local, terminal, cut, input, output or discrete.

    `input` only of the translated model itself (a known signal); inputs of
    submodels are terminals by now. `type` is real, integer or boolean.
    """

    symbol: Expr
    kind: VariableKind
    type: ValueType
    origin: Origin
    attributes: Attributes = NO_ATTRIBUTES
    description: str | None = None


@record(frozen=True, slots=True)
class Equation:
    """`left = right`, of one shape; `derivatives` are those given by hand."""

    left: Expr
    right: Expr
    origin: Origin
    derivatives: tuple[tuple[Expr, Expr], ...] = ()
    description: str | None = None
    _found: tuple[Expr, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def variables(self) -> tuple[Expr, ...]:
        """The variables (and derivatives) in `left` and `right`, searched for once: every pass on structure asks."""
        found = self._found
        if found is None:
            found = variables_of((self.left, self.right))
            object.__setattr__(self, "_found", found)
        return found

    def with_variables(self, variables: tuple[Expr, ...]) -> "Equation":
        """This equation, of which its variables are known already."""
        object.__setattr__(self, "_found", variables)
        return self

    @property
    def all_variables(self) -> tuple[Expr, ...]:
        """Also those of the derivatives given by hand."""
        return variables_of(self.sides) if self.derivatives else self.variables

    @property
    def sides(self) -> tuple[Expr, ...]:
        """Both sides, also of the derivatives given by hand."""
        return self.left, self.right, *(side for pair in self.derivatives for side in pair)

    def has(self, flag: int) -> bool:
        """True if a side, also of a derivative given by hand, has a flag of `ir.expr`."""
        if (self.left.flags | self.right.flags) & flag:
            return True
        return bool(self.derivatives) and any(side.flags & flag for side in self.sides)

    def map(self, change: Callable[[Expr], Expr]) -> "Equation":
        """The same with every side changed, also of derivatives given by hand."""
        derivatives = tuple([(change(a), change(b)) for a, b in self.derivatives]) if self.derivatives else ()
        return Equation(change(self.left), change(self.right), self.origin, derivatives, self.description)


def numbers_of(parameters: Iterable[Parameter]) -> dict[Expr, float]:
    """The values of the parameters that are numbers."""
    return {p.symbol: float(p.value) for p in parameters if isinstance(p.value, float | bool)}


def flags_of(equations: Iterable[Equation]) -> int:
    """The flags of `ir.expr` that some side has, also of a derivative given by hand."""
    flags = 0
    for e in equations:
        flags |= e.left.flags | e.right.flags
        if e.derivatives:
            for side in e.sides:
                flags |= side.flags
    return flags


@record(frozen=True, slots=True)
class RunCondition:
    """`assert` or `terminate` (kind) with its condition and text; see `RunConditionKind`.

    Of `integer` the text is the name of the variable.
    """

    kind: RunConditionKind
    condition: Expr
    text: str
    origin: Origin


@record(frozen=True, slots=True)
class FlatModel:
    """Everything that is true of the model, in the order of the text.

    `known` and `unknown` are what the user made so; a known name may be that of an element.
    `own_cuts` counts for the model's own cuts how many across and how many through variables each has in scalars; of a
    ladder's across variables the first counts. `exported_cuts` are cuts of submodels that are cuts of the model too and
    to which nothing is connected inside: path of the submodel, span of the cut.
    """

    name: str
    pool: "Pool"
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    equations: tuple[Equation, ...]
    initial_equations: tuple[Equation, ...]
    conditions: tuple[RunCondition, ...]
    connection_sets: tuple[ConnectionSet, ...]
    experiment: Experiment
    notes: tuple[Diagnostic, ...] = ()
    whens: tuple[When, ...] = ()
    components: tuple[Component, ...] = ()
    open_cuts: tuple[OpenCut, ...] = ()
    own_cuts: tuple[tuple[int, int], ...] = ()
    exported_cuts: tuple[tuple[Name, Span], ...] = ()
    known: tuple[Name, ...] = ()
    unknown: tuple[Name, ...] = ()
    loops: tuple[Loop, ...] = ()
    terminals: tuple[CutTerminal, ...] = ()


@record(frozen=True, slots=True)
class Symmetry:
    """Names of symmetric arrays, and the numbers of the equations of which the lower triangle is enough.

    `named` are the arrays of the equations that were examined, for those who ask next.
    """

    arrays: frozenset[Name]
    equations: frozenset[int]
    named: Mapping[int, tuple[Expr, ...]]


NO_SYMMETRY = Symmetry(frozenset(), frozenset(), {})


@record(frozen=True, slots=True)
class ArrayAlias:
    """An array that is plus or minus (`sign`) another one; `because` are the equations that lead to it."""

    keeper: Expr
    sign: int
    because: tuple[Equation, ...]
