"""Instances of submodels with their values, parents first, within the limits."""

from math import prod
from weakref import ref

from acausal.base.diagnostics import Diagnostic, InternalError, Label, LimitError, ModelError
from acausal.base.options import Limits, TranslateOptions
from acausal.base.source import Span
from acausal.elaborate.broadcast import count
from acausal.elaborate.classes.argument_errors import argument_mistakes
from acausal.elaborate.classes.declarations import PARAMETERS
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.scopes.bindings import Bindings
from acausal.elaborate.scopes.declared import Declared
from acausal.elaborate.scopes.known_unknown import Freed
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.elaborate.values.structural import structural_integer
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.model.classes import ClassUse, Submodel, Template, Value
from acausal.ir.model.instance import Instance, SubmodelArray
from acausal.ir.names import show_name


class InstanceBuilder:
    """Makes the instances of one model and declares their values."""

    def __init__(self, world: World, options: TranslateOptions, unknown: frozenset[str]) -> None:
        self.world = world
        self.options = options
        self.unknown = unknown
        self.freed: dict[Expr, Freed] = {}
        self.instances: list[Instance] = []
        self.bindings = Bindings(world, dict(options.parameters))
        self.scalars = 0

    def add(self, parent: Instance, submodel: Submodel) -> Instance:
        """A submodel that no text declares, with all that is in it."""
        chain = (parent.template.use,)
        (made,) = self._children(parent, submodel, chain)
        self.build([(made, (*chain, made.template.use))])
        return made

    def build(self, stack: list[tuple[Instance, tuple[ClassUse, ...]]]) -> None:
        """Instances and all below them, parents first; each stands with the classes it is inside of."""
        while stack:
            instance, chain = stack.pop()
            self.instances.append(instance)
            self._declare_values(instance)
            below: list[Instance] = []
            for submodel in instance.template.submodels.values():
                try:
                    below += self._children(instance, submodel, chain)
                except ModelError as error:
                    self.world.mistakes.add(error)
                    instance.broken.append(submodel.name)
            stack.extend([(child, (*chain, child.template.use)) for child in reversed(below)])

    # ---------------------------------------------------------- submodels

    def _children(self, parent: Instance, submodel: Submodel, chain: tuple[ClassUse, ...]) -> list[Instance]:
        if submodel.class_ in chain:
            names = " contains ".join(use.name for use in (*chain[chain.index(submodel.class_) :], submodel.class_))
            hint = "remove this submodel, or declare it as an array with a size that becomes 0"
            raise mistake("N009", f"a class contains itself: {names}", submodel.item.span, "contained here", hint=hint)
        if len(chain) > self.options.limits.instance_depth:
            limit = self.options.limits.instance_depth
            message = f"submodels are nested more than {limit} levels deep"
            help_ = "raise the limit with --limit instance_depth=NUMBER"
            raise LimitError(Diagnostic("L004", message, Label(submodel.item.span), help=help_))
        template = self.world.classes.template(submodel.class_)
        for error in argument_mistakes(template, submodel):
            self.world.mistakes.add(error)
        if not submodel.item.dimensions:
            self._count(1, submodel.item.span)
            child = Instance(template, (*parent.path, submodel.name), ref(parent), submodel.item)
            parent.children[submodel.name] = child
            return [child]
        scope = InstanceScope(self.world, parent, submodel.home)
        shape = self._sizes(submodel.item.dimensions, scope)
        self._count(count(shape), submodel.item.span)
        around = ref(parent)
        elements = [
            Instance(template, (*parent.path, submodel.name, *index), around, submodel.item, index, shape)
            for index in _indices(shape)
        ]
        parent.children[submodel.name] = SubmodelArray(shape, tuple(elements))
        return elements

    def _sizes(self, dimensions: tuple[ast.Expression, ...], scope: InstanceScope) -> Shape:
        """A shape; LimitError L005 where it has too many elements."""
        shape = tuple([self._size(d, scope) for d in dimensions])
        if count(shape) > self.options.limits.array_size:
            message = (
                f"an array can have at most {self.options.limits.array_size} elements, this one has {count(shape)}"
            )
            label, hint = (
                Label(dimensions[0].span.to(dimensions[-1].span)),
                "raise the limit with --limit array_size=NUMBER",
            )
            raise LimitError(Diagnostic("L005", message, label, help=hint))
        return shape

    def _count(self, scalars: int, span: Span) -> None:
        """Count what the model has; LimitError L006 where it is too much."""
        self.scalars += scalars
        if self.scalars > self.options.limits.scalars:
            message = f"the model has more than {self.options.limits.scalars} variables, parameters and submodels"
            hint = "correct the dimensions, or raise the limit with --limit scalars=NUMBER"
            raise LimitError(Diagnostic("L006", message, Label(span, "reached here"), help=hint))

    def need_room(self, root: Template) -> None:
        """L006 at once for submodels that double from class to class; arrays count as far as they are numbers."""
        counts: dict[Template, int] = {}
        open_ = {root: self._below(root)}
        while open_:
            template, below = next(reversed(open_.items()))
            missing = next((t for _, t in below if t not in counts and t not in open_), None)
            if missing is not None:
                open_[missing] = self._below(missing)
                continue
            del open_[template]
            size = len(template.values) + 1
            for submodel, inner in below:
                size += _written_size(submodel.item.dimensions, self.options.limits) * counts.get(inner, 0)
                if size > self.options.limits.scalars:
                    self._count(size, submodel.item.span)
            counts[template] = size

    def _below(self, template: Template) -> list[tuple[Submodel, Template]]:
        return [(s, self.world.classes.template(s.class_)) for s in template.submodels.values()]

    def _size(self, node: ast.Expression, scope: InstanceScope) -> int:
        size = structural_integer(expression(node, scope), node.span, scope, "a dimension")
        if not 0 <= size <= self.options.limits.array_size:
            limit = self.options.limits.array_size
            message = f"a dimension must be between 0 and {limit}, not {size}"
            raise LimitError(
                Diagnostic("L005", message, Label(node.span), help="raise the limit with --limit array_size=NUMBER")
            )
        return size

    # ------------------------------------------------------------- values

    def _declare_values(self, instance: Instance) -> None:
        arguments = {} if instance.item is None else {a.name: a for a in instance.item.arguments}
        values = instance.values
        for value in instance.template.by_need:
            given = arguments.get(value.name) if arguments else None
            try:
                values[value.name] = self._value(instance, value, given)
            except ModelError as error:
                self.world.mistakes.add(error)
                instance.broken.append(value.name)
        for node in instance.template.nodes.values():
            scope = InstanceScope(self.world, instance, instance.template.use)
            instance.nodes[node.name] = self._sizes(node.dimensions, scope)

    def _value(self, instance: Instance, value: Value, argument: ast.Argument | None) -> Expr:
        if value.kind in PARAMETERS:
            return self._parameter(instance, value, argument)
        if value.of is not None:
            return self._ladder(instance, value)
        return self._external(instance, value) if value.kind == "external" else self._variable(instance, value)

    def _variable(self, instance: Instance, value: Value) -> Expr:
        shape = value.shape
        if shape is None:
            shape = self._shape(instance, value)
        self._count(count(shape) if shape else 1, value.span)
        symbol = self.world.pool.variable((*instance.path, value.name), 0, shape)
        if value.type == "boolean":
            self.world.types[symbol] = value.type
        return symbol

    def _shape(self, instance: Instance, value: Value) -> Shape:
        return self._sizes(value.dimensions, InstanceScope(self.world, instance, value.home))

    def _parameter(self, instance: Instance, value: Value, argument: ast.Argument | None) -> Expr:
        if self.unknown and self._is_freed(instance, value):
            symbol = self._variable(instance, value)
            freed = Declared(symbol, value, instance, argument, self.bindings)
            self.freed[symbol] = Freed(freed.bind, freed.origin)
            return symbol
        shape = value.shape
        if shape is None:
            shape = self._shape(instance, value)
        self._count(count(shape) if shape else 1, value.span)
        symbol = self.world.pool.parameter((*instance.path, value.name), shape)
        if value.type in ("boolean", "string"):
            self.world.types[symbol] = value.type
        self.world.parameters.declare(Declared(symbol, value, instance, argument, self.bindings))
        return symbol

    def _is_freed(self, instance: Instance, value: Value) -> bool:
        """True if a parameter is made unknown, or bound to one that is."""
        real = value.kind == "parameter" and value.type == "real"
        return real and show_name((*instance.path, value.name)) in self.unknown

    def _ladder(self, instance: Instance, value: Value) -> Expr:
        base = instance.values.get(value.of or "")
        if base is None and instance.is_broken(value.of or ""):
            raise ModelError
        if base is None or base.op != "variable":
            raise InternalError("instantiate", f"{value.of} is not a variable of its cut")
        return self.world.pool.variable(base.name, base.order + value.order, base.shape)

    def _external(self, instance: Instance, value: Value) -> Expr:
        outer = instance.parent
        while outer is not None:
            declared = outer.template.values.get(value.name)
            if declared is not None and declared.kind == "internal":
                return outer.values[value.name]
            outer = outer.parent
        raise mistake(
            "N013",
            f"no enclosing model declares internal {value.name}",
            value.span,
            "external here",
            hint=f"write `internal {value.name}` in an enclosing model",
        )


def _written_size(dimensions: tuple[ast.Expression, ...], limits: Limits) -> int:
    """The number of elements as far as dimensions are written as numbers; 1 for what is an error of its own."""
    if not dimensions:
        return 1
    size = prod(max(d.value, 0.0) for d in dimensions if isinstance(d, ast.Number))
    return int(size) if size <= limits.array_size else 1


def _indices(shape: Shape) -> list[Shape]:
    indices: list[Shape] = [()]
    for size in shape:
        indices = [(*index, k) for index in indices for k in range(1, size + 1)]
    return indices
