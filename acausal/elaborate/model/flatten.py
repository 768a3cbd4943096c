"""The tree of instances dissolves into variables and equations.

R: R*i = u          ->   R.R*R.i = R.u
connect R - C       ->   R.Vb = C.Va, -R.i + C.i = 0
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from acausal.base.diagnostics import ModelError
from acausal.elaborate.classes.attributes import attributes_of
from acausal.elaborate.connections.connection_equations import connection_equations, unconnected_equations
from acausal.elaborate.expressions.all_errors import look_up
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.model.class_equations import ClassEquations, repeat
from acausal.elaborate.model.class_variables import ClassVariables
from acausal.elaborate.model.cut_summaries import (
    components_of,
    connection_set_of,
    exported_ends,
    open_cut,
    own_cuts,
    terminals_of,
)
from acausal.elaborate.model.if_equations import chosen_equations
from acausal.elaborate.model.initial_arguments import initial_derivatives, with_initial
from acausal.elaborate.model.terminal_defaults import defaults_of_terminals
from acausal.elaborate.model.when_equations import at_every_event, sets_new, when
from acausal.elaborate.scopes.experiment import experiment_of
from acausal.elaborate.scopes.expression_templates import condition, equation, shared_reference
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.elaborate.scopes.statements import expanded
from acausal.elaborate.values.types import need_declared
from acausal.ir import ast
from acausal.ir.events import When
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, RunCondition, Variable
from acausal.ir.flat_connections import OpenCut
from acausal.ir.model.classes import SimpleCut, Value
from acausal.ir.model.instance import CutEnd, Instance, JoinedSet, Tree
from acausal.ir.names import Name, without_indices
from acausal.ir.origin import How, Origin


def flatten(tree: Tree, world: World) -> FlatModel:
    """The flat model; N..., C... and T... where the text has mistakes."""
    flat, sets = _Flattening(tree, world), tree.sets
    for instance in tree.instances:
        flat.take(instance)
    parameters = world.parameters.finish(world.mistakes)
    bound = [Equation(b.symbol, b.value, b.origin) for b in tree.bindings]
    joined = {e.name for s in sets for e in s.cuts if not e.inside}
    equations = [*flat.equations, *bound, *connection_equations(tree.pool, sets), *flat.unconnected(sets, joined)]
    exported = exported_ends(tree.root, world, joined)
    freed = {u.name for u in tree.roles.unknown}
    return FlatModel(
        name=tree.root.template.name,
        pool=tree.pool,
        parameters=parameters,
        variables=tuple([flat.with_role(v, freed) for v in flat.variables] if flat.known or freed else flat.variables),
        equations=tuple(equations),
        initial_equations=tuple(flat.initial_equations),
        conditions=tuple(flat.conditions),
        loops=tree.loops,
        connection_sets=tuple([connection_set_of(s) for s in sets]),
        experiment=experiment_of(tree.root, world),
        notes=tree.notes,
        whens=tuple(flat.whens),
        components=components_of(tree.instances),
        open_cuts=tuple(flat.open_cuts),
        own_cuts=own_cuts(tree.root, exported),
        exported_cuts=tuple([(end.instance.path, end.cut.span) for end in exported]),
        known=(*(k.name for k in tree.roles.known), *tree.roles.elements),
        unknown=tuple([u.name for u in tree.roles.unknown]),
        terminals=terminals_of(tree.root),
    )


class _Flattening:
    def __init__(self, tree: Tree, world: World) -> None:
        self.tree = tree
        self.world = world
        self.variables: list[Variable] = []
        self.equations: list[Equation] = []
        self.initial_equations: list[Equation] = []
        self.conditions: list[RunCondition] = []
        self.whens: list[When] = []
        self.known = {k.name for k in tree.roles.known}
        self.ladder_of: dict[Name, Name] = {}
        self.guess_of = {g.symbol: g for g in tree.guesses}
        self.open_cuts: list[OpenCut] = []
        self.repeated = ClassEquations(world.classes, world.limits)
        self.declared = ClassVariables(freed=bool(tree.roles.unknown or tree.bindings or tree.guesses))

    def take(self, instance: Instance) -> None:
        """Variables and equations of one instance."""
        mistakes = self.world.mistakes
        values, path, put = instance.values, instance.path, self.variables.append
        for value, kind in self.declared.of(instance):
            if kind is not None and value.attributes is not None:  # nearly all
                origin = Origin(value.span, path)
                put(Variable(values[value.name], kind, value.type, origin, value.attributes, value.description))
                continue
            try:
                self._variable(instance, value)
            except ModelError as error:
                mistakes.add(error)
        try:
            self.initial_equations.extend(initial_derivatives(self.world, instance))
        except ModelError as error:
            mistakes.add(error)
        scope: InstanceScope | None = None
        statements = instance.template.behaviour
        done = self._repeat(instance) if statements else 0
        for statement in statements[done:]:
            if scope is None or scope.home is not statement.home:
                scope = InstanceScope(self.world, instance, statement.home)
            if isinstance(statement.node, ast.Equation):  # nearly all
                self._take(statement.node, scope)
                continue
            try:
                for node, inner in expanded(statement.node, scope):
                    self._take(node, inner)
            except ModelError as error:
                mistakes.add_names(error, statement.node, partial(look_up, scope=scope))

    def _repeat(self, instance: Instance) -> int:
        """The number of statements that are equations as all submodels of the class have them, which are made."""
        repeated = self.repeated.of(instance)
        if repeated is None:
            return 0
        pool, path, put = self.tree.pool, instance.path, self.equations.append
        values = repeated.values(instance, pool)
        for number, given in enumerate(repeated.equations):
            equation = repeat(given, values, pool, path)
            if equation is None:
                return number
            put(equation)
        return len(repeated.equations)

    def _take(self, node: ast.Item, scope: InstanceScope) -> None:
        try:
            self._statement(node, scope)
        except ModelError as error:
            self.world.mistakes.add_names(error, node, partial(look_up, scope=scope))

    # ---------------------------------------------------------- variables

    def _variable(self, instance: Instance, value: Value) -> None:
        if value.name not in instance.values and instance.is_broken(value.name):
            return
        freed = value.kind == "parameter" and instance.values[value.name].op == "variable"
        if value.kind in ("parameter", "constant", "external") and not freed:
            return
        if value.of is not None:
            self._ladder_place(instance, value)
            return
        symbol = instance.values[value.name]
        origin = Origin(value.span, instance.path)
        attributes = value.attributes
        if attributes is None:
            scope = InstanceScope(self.world, instance, value.home)
            attributes = attributes_of(value.written, scope, symbol.shape, value.type)
        if instance.item is not None and instance.item.initial:
            attributes = with_initial(self.world, instance, value, attributes)
        guess = self.guess_of.get(symbol) if self.guess_of else None
        if guess is not None:
            attributes = replace(attributes, start=guess.value, start_at=guess.origin.span)
        signal = value.kind == "input" and not instance.path and value.binding is None
        kind = value.kind
        if freed or (value.kind == "input" and not signal):
            kind = "terminal" if instance.path and not freed else "local"
        assert kind != "parameter" and kind != "constant" and kind != "external"
        self.variables.append(Variable(symbol, kind, value.type, origin, attributes, value.description))
        given = value.kind == "input" and symbol.name in self.known
        if value.binding is not None and not freed and not given:
            bound = InstanceScope(self.world, instance, value.binding.home)
            left, right = equation(shared_reference(value.span, value.name), value.binding.node, bound)
            self.equations.append(Equation(left, right, origin, description=value.description))

    def _ladder_place(self, instance: Instance, value: Value) -> None:
        """The name of a derivative: a variable of its own for results; equations use the derivative."""
        derivative = instance.values[value.name]
        origin = Origin(value.span, instance.path, How.LADDER)
        symbol = self.tree.pool.variable((*instance.path, value.name), 0, derivative.shape)
        self.ladder_of[symbol.name] = derivative.name
        self.variables.append(Variable(symbol, "local", "real", origin))
        self.equations.append(Equation(symbol, derivative, origin))

    def with_role(self, variable: Variable, freed: set[Name]) -> Variable:
        """The variable as the user wants it: known ones are inputs, freed inputs are unknown."""
        name = variable.symbol.name
        kind = "input" if name in self.known else "local" if name in freed else variable.kind
        return variable if kind == variable.kind else replace(variable, kind=kind)

    # --------------------------------------------------------- statements

    def _statement(self, node: ast.Item, scope: InstanceScope) -> None:
        origin = Origin(node.span, scope.instance.path)
        if isinstance(node, ast.Equation):
            if sets_new(node):
                self.whens.append(at_every_event(node, scope))
                return
            left, right = equation(node.left, node.right, scope)
            by_hand = tuple([equation(a, b, scope) for a, b in node.derivatives]) if node.derivatives else ()
            self.equations.append(Equation(left, right, origin, by_hand, node.description))
        elif isinstance(node, ast.InitialEquation):
            left, right = equation(node.left, node.right, scope)
            self.initial_equations.append(Equation(left, right, origin))
        elif isinstance(node, ast.Condition):
            self.conditions.append(RunCondition(node.kind, condition(node.condition, scope), node.text, origin))
        elif isinstance(node, ast.If):
            for sides in chosen_equations(node, scope):
                where = Origin(sides.span, scope.instance.path)
                self.equations.append(Equation(sides.left, sides.right, where))
        elif isinstance(node, ast.When):
            self.whens.append(when(node, scope))

    # -------------------------------------------------------- connections

    def unconnected(self, sets: tuple[JoinedSet, ...], joined: set[Name]) -> Iterator[Equation]:
        """Equations of cuts that nothing is connected to from outside (others are `joined`), and of defaults."""
        ends = []
        default: dict[Expr, Expr] = {}
        for instance in self.tree.instances:
            for cut in instance.template.cuts.values():
                if isinstance(cut, SimpleCut) and (*instance.path, cut.name) not in joined:
                    ends.append(CutEnd(instance, cut, False))
                    self.open_cuts.append(open_cut(instance, cut))
            for name, given in instance.template.defaults.items():
                scope = InstanceScope(self.world, instance, given.value.home)
                if name in instance.values:
                    default[instance.values[name]] = expression(given.value.node, scope)
                    type_, found = instance.template.values[name].type, default[instance.values[name]]
                    need_declared(name, type_, found, given.value.node.span, scope)
        yield from unconnected_equations(self.tree.pool, ends, default, self._interface(), sets)
        yield from defaults_of_terminals(default, self.variables, self.equations, self.known)

    def _interface(self) -> set[Name]:
        """The names of known variables: of an element that of its array, of a place of a ladder that of the first."""
        names = {*self.known, *(without_indices(name) for name in self.tree.roles.elements)}
        return {self.ladder_of.get(name, name) for name in names}
