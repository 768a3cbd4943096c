"""Random trees of the language, of every kind of node that the parser makes."""

from random import Random

from acausal.base.source import SourceFile, Span
from acausal.ir import ast

SPAN = Span(SourceFile("random", ""), 0, 0)
NAMES = ["x", "y1", "T", "_u", "Rp", "loop", "join", "branch", "close", "root", "ic", "from", "as", "der", "closing"]
UNITS = [("k", "", ""), ("", "mm", " "), ("", "uF", ""), ("k", "Ohm", " "), ("", "W/(m^2*K)", " "), ("", "%", "")]
NUMBERS = ["0", "1", "2.5", ".5", "3.", "1.E-3", "2e6", "4.25e+10"]
TEXTS = ["", "volt", 'say "so"', "a\\b", "{ no comment }", "µ; = ["]
KINDS = ["parameter", "constant", "local", "terminal", "input", "output", "internal", "external", "discrete"]


class RandomTree:
    """Makes trees from a seed; `size` shrinks on the way down."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def some(self, make, least: int = 1, most: int = 3) -> tuple:
        return tuple(make() for _ in range(self.random.randint(least, most)))

    def maybe(self, make):
        return make() if self.random.random() < 0.3 else None

    def text(self) -> str:
        return self.random.choice(TEXTS)

    # ------------------------------------------------------------ expressions

    def expression(self, size: int = 4) -> ast.Expression:
        pick = self.random.choice
        if size <= 0 or self.random.random() < 0.2:
            return pick([self.number, self.reference, self.string, self.boolean])()
        return pick(
            [
                self.unary,
                self.chain,
                self.chain,
                self.logic,
                self.power,
                self.compare,
                self.if_,
                self.call,
                self.array,
                self.comprehension,
                self.indexed,
            ]
        )(size - 1)

    def number(self) -> ast.Number:
        return ast.Number(SPAN, self.random.choice(NUMBERS))

    def quantity(self) -> ast.Quantity:
        number = self.random.choice(NUMBERS)
        prefix, unit, glue = self.random.choice(UNITS)
        return ast.Quantity(SPAN, f"{number}{prefix}{glue}{unit}", number, prefix, unit)

    def value(self) -> ast.Expression:
        if self.random.random() < 0.9:
            return self.expression(2)
        factors = ast.Product(SPAN, (self.number(), self.quantity()), ("*",))
        return self.random.choice([factors, ast.Sum(SPAN, (factors, self.quantity()), ("-",)), self.quantity()])

    def string(self) -> ast.String:
        return ast.String(SPAN, self.text())

    def boolean(self) -> ast.Boolean:
        return ast.Boolean(SPAN, self.random.random() < 0.5)

    def reference(self) -> ast.Reference:
        return ast.Reference(SPAN, self.some(lambda: ast.Part(SPAN, self.name(), self.indices())))

    def indices(self) -> tuple:
        return self.some(self.index) if self.random.random() < 0.2 else ()

    def index(self) -> ast.Expression | ast.Slice:
        kind = self.random.randrange(3)
        if kind == 0:
            return ast.Slice(SPAN, None, None)
        if kind == 1:
            return ast.Slice(SPAN, self.expression(1), self.expression(1))
        return self.expression(1)

    def unary(self, size: int) -> ast.Unary:
        return ast.Unary(SPAN, self.random.choice(["-", "+", "not"]), self.expression(size))

    def chain(self, size: int) -> ast.Sum | ast.Product:
        operands = self.some(lambda: self.expression(size), 2, 4)
        make, signs = self.random.choice([(ast.Sum, "+-"), (ast.Product, ["*", "/", ".*"])])
        return make(SPAN, operands, tuple(self.random.choice(signs) for _ in operands[1:]))

    def logic(self, size: int) -> ast.Logic:
        return ast.Logic(SPAN, self.random.choice(["and", "or"]), self.some(lambda: self.expression(size), 2))

    def power(self, size: int) -> ast.Power:
        return ast.Power(SPAN, self.expression(size), self.expression(size))

    def compare(self, size: int) -> ast.Compare:
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "<>"])
        return ast.Compare(SPAN, operator, self.expression(size), self.expression(size))

    def if_(self, size: int) -> ast.IfExpression:
        branches = self.some(lambda: (self.expression(size), self.expression(size)), 1, 2)
        return ast.IfExpression(SPAN, branches, self.expression(size))

    def call(self, size: int) -> ast.Call:
        if self.random.random() < 0.1:
            return ast.Call(SPAN, "initial", ())
        return ast.Call(SPAN, self.name(), self.some(lambda: self.expression(size), 0))

    def array(self, size: int) -> ast.ArrayLiteral:
        return ast.ArrayLiteral(SPAN, self.some(lambda: self.some(lambda: self.expression(size))))

    def comprehension(self, size: int, each: bool = False) -> ast.Comprehension:
        bounds = self.expression(1), self.expression(1)
        return ast.Comprehension(SPAN, self.expression(size), self.name(), *bounds, each=each)

    def indexed(self, size: int) -> ast.Indexed:
        return ast.Indexed(SPAN, self.expression(size), self.some(self.index))

    # ----------------------------------------------------------- declarations

    def dimensions(self) -> tuple:
        return self.some(lambda: self.expression(1)) if self.random.random() < 0.3 else ()

    def argument(self) -> ast.Argument:
        for_each = self.random.random() < 0.1
        value = self.comprehension(2, each=True) if for_each else self.value()
        return ast.Argument(SPAN, self.name(), value)

    def arguments(self) -> tuple:
        return self.some(self.argument, 0, 2)

    def declarator(self) -> ast.Declarator:
        kind = self.maybe(lambda: self.random.choice(["real", "integer", "boolean", "string"]))
        value = self.maybe(self.expression)
        return ast.Declarator(
            SPAN, self.name(), kind, self.dimensions(), self.arguments(), value, self.maybe(self.text)
        )

    def values(self) -> ast.ValueDeclaration:
        return ast.ValueDeclaration(SPAN, self.random.choice(KINDS), self.some(self.declarator))

    def default(self) -> ast.DefaultDeclaration:
        return ast.DefaultDeclaration(SPAN, self.some(self.argument), self.maybe(self.text))

    def nodes(self) -> ast.NodeDeclaration:
        return ast.NodeDeclaration(
            SPAN,
            self.some(
                lambda: ast.Declarator(
                    SPAN, self.name(), dimensions=self.dimensions(), description=self.maybe(self.text)
                )
            ),
        )

    def class_reference(self, size: int = 2) -> ast.ClassReference:
        arguments = self.some(lambda: self.class_reference(size - 1), 0, 2) if size else ()
        return ast.ClassReference(SPAN, self.some(self.name, 1, 2), arguments)

    def submodel(self) -> ast.SubmodelDeclaration:
        def item() -> ast.SubmodelItem:
            initial = self.arguments()
            # a first group that begins with `ic name` is the second group: both, or none
            arguments = self.arguments() if not initial else self.some(self.argument)
            return ast.SubmodelItem(SPAN, self.name(), self.dimensions(), arguments, initial, self.maybe(self.text))

        return ast.SubmodelDeclaration(SPAN, self.class_reference(), self.some(item))

    def experiment(self) -> ast.ExperimentDeclaration:
        return ast.ExperimentDeclaration(SPAN, self.some(self.argument), self.maybe(self.text))

    # --------------------------------------------------- cuts, paths, connect

    def part(self) -> ast.Part:
        return ast.Part(SPAN, self.name(), self.dimensions())

    def cut_reference(self) -> ast.CutReference:
        return ast.CutReference(SPAN, self.some(self.part, 1, 2), self.maybe(lambda: self.some(self.part)) or ())

    def place(self) -> ast.Place:
        kind = self.random.randrange(4)
        if kind == 0:
            return ast.NothingPlace(SPAN)
        if kind == 1:
            return ast.LadderPlace(SPAN, self.maybe(self.name), self.name(), self.random.randint(1, 3))
        return ast.VariablePlace(SPAN, self.name(), self.dimensions(), self.random.random() < 0.4)

    def cut(self) -> ast.Cut:
        kind = self.random.randrange(3)
        if kind == 0:
            return ast.ExportedCut(SPAN, self.name(), self.cut_reference(), self.maybe(self.text))
        closing = self.maybe(self.class_reference)
        rest = (closing, closing is not None and self.random.random() < 0.5, self.maybe(self.text))
        if kind == 1:
            return ast.GroupCut(SPAN, self.name(), self.some(lambda: ast.Part(SPAN, self.name())), *rest)
        return ast.PlacesCut(SPAN, self.name(), self.some(self.place, 0), self.some(self.place, 0), *rest)

    def cuts(self) -> ast.CutDeclaration:
        return ast.CutDeclaration(SPAN, self.random.random() < 0.3, self.some(self.cut))

    def paths(self) -> ast.PathDeclaration:
        def item() -> ast.PathItem:
            return ast.PathItem(
                SPAN, self.maybe(self.name), self.cut_reference(), self.cut_reference(), self.maybe(self.text)
            )

        return ast.PathDeclaration(SPAN, self.random.random() < 0.5, self.some(item))

    def connected(self, size: int = 3) -> ast.ConnectExpression:
        if size == 0 or self.random.random() < 0.3:
            return self.cut_reference()
        make = self.random.choice([ast.Series, ast.Parallel, ast.Reversed, ast.Loop, ast.Join, ast.Branch])
        if make in (ast.Reversed, ast.Loop):
            return make(SPAN, self.connected(size - 1))
        least = 2 if make in (ast.Series, ast.Parallel) else 1
        return make(SPAN, self.some(lambda: self.connected(size - 1), least))

    def connection(self) -> ast.Connection:
        at = self.maybe(lambda: self.some(self.cut_reference))
        grouped = at is not None and (len(at) > 1 or self.random.random() < 0.5)
        return ast.Connection(SPAN, self.connected(), at, grouped)

    def connect(self) -> ast.Connect:
        return ast.Connect(SPAN, self.some(self.connection))

    def close(self) -> ast.Close:
        return ast.Close(SPAN, self.cut_reference(), self.cut_reference())

    # -------------------------------------------------------------- behaviour

    def equation(self) -> ast.Equation:
        derivatives = self.some(lambda: (self.expression(2), self.expression(2)), 0, 2)
        return ast.Equation(SPAN, self.expression(), self.expression(), derivatives, self.maybe(self.text))

    def initial(self) -> ast.InitialEquation:
        return ast.InitialEquation(SPAN, self.expression(), self.expression(), self.maybe(self.text))

    def condition(self) -> ast.Condition:
        return ast.Condition(SPAN, self.random.choice(["assert", "terminate"]), self.expression(), self.text())

    def branches(self, size: int) -> tuple:
        return self.some(lambda: (self.expression(2), self.items(size)), 1, 2)

    def when(self, size: int) -> ast.When:
        return ast.When(SPAN, self.branches(size))

    def if_items(self, size: int) -> ast.If:
        return ast.If(SPAN, self.branches(size), self.maybe(lambda: self.items(size)))

    def for_(self, size: int) -> ast.For:
        return ast.For(SPAN, self.name(), self.expression(1), self.expression(1), self.items(size))

    # ---------------------------------------------------------- units of text

    def include(self) -> ast.Include:
        return ast.Include(SPAN, self.random.choice(["a.lib", "../x/b-1.lib", "é.mdl"]), self.maybe(self.name))

    def function(self) -> ast.Function:
        parameters = self.some(lambda: ast.Part(SPAN, self.name()), 0)
        return ast.Function(SPAN, self.name(), parameters, self.expression(), self.maybe(self.text))

    def class_(self, size: int) -> ast.Class:
        return ast.Class(
            SPAN,
            self.random.choice(["model", "model class", "model type"]),
            self.name(),
            self.some(lambda: ast.Super(SPAN, self.class_reference(1), self.arguments()), 0, 2),
            self.some(lambda: ast.ClassParameter(SPAN, self.name(), self.maybe(self.class_reference)), 0, 2),
            self.items(size),
            SPAN,
        )

    def items(self, size: int) -> tuple:
        return self.some(lambda: self.item(size), 0, 3)

    def item(self, size: int = 2) -> ast.Item:
        if size > 0 and self.random.random() < 0.3:
            return self.random.choice([self.when, self.if_items, self.for_, self.class_])(size - 1)
        return self.random.choice(
            [
                *(self.values, self.default, self.nodes, self.submodel, self.experiment, self.cuts, self.paths),
                *(self.connect, self.close, self.equation, self.initial, self.condition, self.include, self.function),
            ]
        )()

    def file(self) -> ast.File:
        return ast.File(SPAN, self.some(self.unit, 0))

    def unit(self) -> ast.Include | ast.Function | ast.Class:
        kind = self.random.randrange(3)
        return self.include() if kind == 0 else self.function() if kind == 1 else self.class_(3)
