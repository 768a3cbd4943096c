"""Reductions of the grammar -> syntax tree: units of text, declarations and behaviour."""

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.source import Span
from acausal.ir import ast
from acausal.syntax.tree.build_connections import ConnectionBuilder
from acausal.syntax.tree.build_expressions import Children, unquote

_Branch = tuple[ast.Expression, tuple[ast.Item, ...]]
_Header = tuple[str, ast.Part, tuple[ast.Super, ...], tuple[ast.ClassParameter, ...]]


class Builder(ConnectionBuilder):
    """Builds the whole tree of one source file."""

    __slots__ = ()

    # ---------------------------------------------------------- units of text

    def file(self, children: Children, start: int, end: int) -> ast.File:
        return ast.File(Span(self.source, 0, len(self.source.text)), tuple(children))

    def include(self, children: Children, start: int, end: int) -> ast.Include:
        return ast.Include(Span(self.source, start, end), children[0][1:], children[1] and children[1].name)

    def function(self, children: Children, start: int, end: int) -> ast.Function:
        name, *parameters, body, text = children
        return ast.Function(Span(self.source, start, end), name.name, tuple(parameters), body, _text(text))

    def class_(self, children: Children, start: int, end: int) -> ast.Class:
        (kind, name, supers, parameters), *items, last = children
        if last is not None and last.name != name.name:
            raise ModelError(
                Diagnostic(
                    "P013",
                    f"`end {last.name}` closes `{kind} {name.name}`",
                    Label(last.span, "this name"),
                    (Label(name.span, "does not match the name here"),),
                    help=f"write `end {name.name}`, or check that every class before it has its own `end`",
                )
            )
        span = Span(self.source, start, end)
        return ast.Class(span, kind, name.name, supers, parameters, tuple(items), name.span)

    def class_head(self, children: Children, start: int, end: int) -> _Header:
        kind, supers, name, parameters = children
        return f"model {kind}" if kind else "model", name, supers or (), parameters or ()

    def supers(self, children: Children, start: int, end: int) -> tuple[ast.Super, ...]:
        return tuple(children)

    def super(self, children: Children, start: int, end: int) -> ast.Super:
        return ast.Super(Span(self.source, start, end), children[0], children[1] or ())

    def class_parameters(self, children: Children, start: int, end: int) -> tuple[ast.ClassParameter, ...]:
        return tuple(children)

    def class_parameter(self, children: Children, start: int, end: int) -> ast.ClassParameter:
        return ast.ClassParameter(Span(self.source, start, end), children[0].name, children[1])

    def class_reference(self, children: Children, start: int, end: int) -> ast.ClassReference:
        *names, arguments = children
        return ast.ClassReference(Span(self.source, start, end), tuple(name.name for name in names), arguments or ())

    def file_reference(self, children: Children, start: int, end: int) -> ast.ClassReference:
        name, text = children
        span = Span(self.source, start, end)
        if name.name not in ("fmu", "fmu_me", "fmu_cs"):
            hint = 'write fmu "FILE.fmu", or the name of a class without quotes'
            raise ModelError(Diagnostic("P001", f"unexpected string after {name.name}", Label(span), help=hint))
        return ast.ClassReference(span, (name.name,), (), unquote(text))

    def class_arguments(self, children: Children, start: int, end: int) -> tuple[ast.ClassReference, ...]:
        return tuple(children)

    # ----------------------------------------------------------- declarations

    def value_declaration(self, children: Children, start: int, end: int) -> ast.ValueDeclaration:
        return ast.ValueDeclaration(Span(self.source, start, end), children[0], tuple(children[1:]))

    def kind(self, children: Children, start: int, end: int) -> str:
        return str(children[0])

    type = class_kind = kind

    def declarator(self, children: Children, start: int, end: int) -> ast.Declarator:
        kind, name, dimensions, attributes, value, text = children
        span = Span(self.source, start, end)
        return ast.Declarator(span, name.name, kind, dimensions or (), attributes or (), value, _text(text))

    def arguments(self, children: Children, start: int, end: int) -> tuple[ast.Argument, ...]:
        return tuple(children)

    initial_values = arguments

    def argument(self, children: Children, start: int, end: int) -> ast.Argument:
        return ast.Argument(Span(self.source, start, end), children[0].name, children[1])

    def argument_for_each(self, children: Children, start: int, end: int) -> ast.Argument:
        name, item, variable, first, last = children
        span = Span(self.source, item.span.start, end)
        value = ast.Comprehension(span, item, variable.name, first, last, each=True)
        return ast.Argument(Span(self.source, start, end), name.name, value)

    def default_declaration(self, children: Children, start: int, end: int) -> ast.DefaultDeclaration:
        *defaults, text = children
        return ast.DefaultDeclaration(Span(self.source, start, end), tuple(defaults), _text(text))

    def node_declaration(self, children: Children, start: int, end: int) -> ast.NodeDeclaration:
        return ast.NodeDeclaration(Span(self.source, start, end), tuple(children))

    def node_item(self, children: Children, start: int, end: int) -> ast.Declarator:
        name, dimensions, text = children
        return ast.Declarator(
            Span(self.source, start, end), name.name, dimensions=dimensions or (), description=_text(text)
        )

    def submodel_declaration(self, children: Children, start: int, end: int) -> ast.SubmodelDeclaration:
        return ast.SubmodelDeclaration(Span(self.source, start, end), children[0], tuple(children[1:]))

    def submodel_item(self, children: Children, start: int, end: int) -> ast.SubmodelItem:
        name, dimensions, arguments, initial, text = children
        span = Span(self.source, start, end)
        return ast.SubmodelItem(span, name.name, dimensions or (), arguments or (), initial or (), _text(text))

    def experiment(self, children: Children, start: int, end: int) -> ast.ExperimentDeclaration:
        return ast.ExperimentDeclaration(Span(self.source, start, end), children[0], _text(children[1]))

    # -------------------------------------------------------------- behaviour

    def equation(self, children: Children, start: int, end: int) -> ast.Equation:
        left, right, *derivatives, text = children
        return ast.Equation(Span(self.source, start, end), left, right, tuple(derivatives), _text(text))

    def derivative(self, children: Children, start: int, end: int) -> tuple[ast.Expression, ast.Expression]:
        return children[0], children[1]

    def initial_equation(self, children: Children, start: int, end: int) -> ast.InitialEquation:
        left, right, text = children
        return ast.InitialEquation(Span(self.source, start, end), left, right, _text(text))

    def condition(self, children: Children, start: int, end: int) -> ast.Condition:
        kind, condition, text = children[0], children[2], children[4]
        return ast.Condition(Span(self.source, start, end), kind, condition, unquote(text))

    def when(self, children: Children, start: int, end: int) -> ast.When:
        return ast.When(Span(self.source, start, end), tuple(children))

    def when_branch(self, children: Children, start: int, end: int) -> _Branch:
        return children[0], tuple(children[1:])

    elsewhen_branch = if_branch = elseif_branch = when_branch

    def if_items(self, children: Children, start: int, end: int) -> ast.If:
        *branches, otherwise = children
        return ast.If(Span(self.source, start, end), tuple(branches), otherwise)

    def else_branch(self, children: Children, start: int, end: int) -> tuple[ast.Item, ...]:
        return tuple(children)

    def for_items(self, children: Children, start: int, end: int) -> ast.For:
        variable, first, last, *items = children
        return ast.For(Span(self.source, start, end), variable.name, first, last, tuple(items))


def _text(literal: str | None) -> str | None:
    return None if literal is None else unquote(literal)
