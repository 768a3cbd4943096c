"""The equations of a class as all its submodels have them: made once, then repeated with the leaves of each submodel.

    submodel (resistor) R[100]      u = Va - Vb, R*i = u      ->      1: neg Vb, 2: add Va 1, 3: mul R i

They are made in a pool of their own, from leaves that stand in the order in which those of every submodel do, by the
same function as everywhere: what it makes are the nodes to repeat. Sums and products depend on the order of their
arguments and on nothing else, so the nodes are the same as that function makes for any other submodel, and come in the
same order, as long as all of them are new. Where one is there already (a class around has named it), where a name means
more than a scalar of the class, and where a value decides a shape, the equation is made as it is for a single submodel.
"""

from acausal.base.diagnostics import ModelError
from acausal.base.frozen import record
from acausal.base.options import Limits
from acausal.base.source import Span
from acausal.elaborate.classes.class_lookup import Classes
from acausal.elaborate.classes.declarations import PARAMETERS
from acausal.elaborate.expressions import expressions
from acausal.elaborate.functions.template_recorder import Record
from acausal.elaborate.model.when_equations import sets_new
from acausal.elaborate.scope_protocol import ParameterValue, Scope
from acausal.elaborate.scopes.expression_templates import picked
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.interning import NewNode, Picked
from acausal.ir.model.classes import ClassUse, Statement, Template, Value
from acausal.ir.model.instance import Instance
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool
from acausal.ir.walk import variables_of


@record(frozen=True, slots=True, eq=False)
class ClassEquation:
    """An equation of a class: nodes to make, and the numbers of its sides and of its variables."""

    span: Span
    description: str | None
    steps: tuple[NewNode, ...]
    left: int
    right: int
    variables: Picked


@record(frozen=True, slots=True, eq=False)
class Repeated:
    """The equations that the statements of a class begin with; `names` are those of their leaves."""

    equations: tuple[ClassEquation, ...]
    names: tuple[str, ...]

    def values(self, instance: Instance, pool: Pool) -> list[Expr]:
        """The nodes that the equations of a submodel are made from."""
        values = instance.values
        return [*_everywhere(pool), *[values[name] for name in self.names]]


def _everywhere(pool: Pool) -> tuple[Expr, ...]:
    """Nodes that are in every pool from the beginning."""
    return pool.time, pool.true, pool.false


def repeat(equation: ClassEquation, values: list[Expr], pool: Pool, path: Name) -> Equation | None:
    """The equation of the submodel with these leaves; None where its nodes are not new."""
    if not pool.make_new(equation.steps, values):
        return None
    origin = Origin(equation.span, path)
    made = Equation(values[equation.left], values[equation.right], origin, (), equation.description)
    return made.with_variables(equation.variables(values))


class ClassEquations:
    """The equations of classes, recorded when a second submodel of a class comes."""

    def __init__(self, classes: Classes, limits: Limits) -> None:
        self._classes, self._limits = classes, limits
        self._met: dict[Template, Repeated | None] = {}
        self._recorded: set[Template] = set()

    def of(self, instance: Instance) -> Repeated | None:
        """The equations of the class of a submodel; None where none are known to be the same in all submodels."""
        template = instance.template
        if instance.item is None or instance.broken or template.broken:
            return None
        if template not in self._met:
            self._met[template] = None
        elif template not in self._recorded:
            self._recorded.add(template)
            self._met[template] = _Recording(self._classes, self._limits, instance).repeated()
        return self._met[template]


class _ClassScope:
    """The scope of a class with leaves for its scalars: all else is unknown, which is a mistake."""

    def __init__(self, pool: Pool, classes: Classes, limits: Limits, home: ClassUse) -> None:
        self.pool, self.limits, self.home, self._classes = pool, limits, home, classes
        self.types: dict[Expr, str] = {}
        self.leaves: dict[str, Expr] = {}
        self.unit: str | None = None
        self.rounds: list[int] | None = None

    def with_loop(self, variable: str, number: int, rounds: list[int]) -> Scope:  # noqa: ARG002
        """No comprehensions: their bounds are values."""
        raise ModelError

    def lookup(self, reference: ast.Reference) -> Expr:
        """The leaf of a name of the class."""
        leaf = self.leaves.get(reference.parts[0].name)
        if leaf is None or len(reference.parts) > 1:
            raise ModelError
        return leaf

    def function(self, name: str) -> ast.Function | None:
        """The user's function of that name."""
        return self._classes.function(name, self.home)

    def structural(self, parameter: Expr) -> ParameterValue:  # noqa: ARG002
        """No values: they differ from one submodel to the next."""
        raise ModelError


class _Recording:
    """The equations of one class, made from leaves in a pool of their own."""

    def __init__(self, classes: Classes, limits: Limits, instance: Instance) -> None:
        self._template = instance.template
        self._scope = _ClassScope(Pool(), classes, limits, instance.template.use)
        for value in instance.template.by_need:
            if _is_scalar(value, instance.values[value.name]):
                self._add_leaf(value)
        given = (*_everywhere(self._scope.pool), *self._scope.leaves.values())
        self._number = {node: number for number, node in enumerate(given)}

    def _add_leaf(self, value: Value) -> None:
        scope, name = self._scope, (value.name,)
        leaf = scope.pool.parameter(name) if value.kind in PARAMETERS else scope.pool.variable(name)
        scope.leaves[value.name] = leaf
        if value.type == "boolean" or value.type == "string":
            scope.types[leaf] = value.type

    def repeated(self) -> Repeated | None:
        """The equations up to the first statement that cannot be repeated; None where it is the first of all."""
        equations = []
        for statement in self._template.behaviour:
            equation = self._statement(statement)
            if equation is None:
                break
            equations.append(equation)
        return Repeated(tuple(equations), tuple(self._scope.leaves)) if equations else None

    def _statement(self, statement: Statement) -> ClassEquation | None:
        node, scope = statement.node, self._scope
        if not isinstance(node, ast.Equation) or node.derivatives or sets_new(node):
            return None
        scope.home = statement.home
        before = len(scope.pool)
        kept = Record(scope, tuple(scope.leaves.values()))
        steps: list[NewNode] = []
        try:
            sides = expressions.equation(node.left, node.right, kept)
            if kept.pool.steps_to(sides) is None:
                return None
            for made in scope.pool.made_since(before):
                self._add(made, steps)
            left, right = [self._number_of(side, steps) for side in sides]
            variables = [self._number_of(leaf, steps) for leaf in variables_of(sides)]
        except ModelError:
            return None
        return ClassEquation(node.span, node.description, tuple(steps), left, right, picked(tuple(variables)))

    def _add(self, made: Expr, steps: list[NewNode]) -> None:
        """The step that makes a node; ModelError for one that is no operation on scalars."""
        if made.op == "const":
            step: NewNode = "const", picked(()), made.number
        elif made.op == "variable" and made.order:
            base = self._number_of(self._scope.pool.variable(made.name), steps)
            step = "variable", picked((base,)), made.order
        elif made.args and made.value is None and not made.shape:
            step = made.op, picked(tuple([self._number_of(a, steps) for a in made.args])), made.flags
        else:
            raise ModelError
        self._number[made] = len(self._number)
        steps.append(step)

    def _number_of(self, node: Expr, steps: list[NewNode]) -> int:
        """The number of a node; a number that an equation before has made is made again."""
        if node not in self._number:
            if node.op != "const":
                raise ModelError
            self._add(node, steps)
        return self._number[node]


def _is_scalar(value: Value, found: Expr) -> bool:
    """True if the name means a scalar of its own in all submodels: a parameter or a variable."""
    declared = value.shape == () and value.of is None and value.kind != "external"
    op = "parameter" if value.kind in PARAMETERS else "variable"
    return declared and found.op == op and not found.order and not found.shape
