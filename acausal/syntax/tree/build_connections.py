"""Reductions of the grammar's rules for cuts, paths and connect -> syntax tree."""

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.source import Span
from acausal.ir import ast
from acausal.syntax.tree.build_expressions import Children, ExpressionBuilder, unquote

_Closing = tuple[ast.ClassReference | None, bool]


class ConnectionBuilder(ExpressionBuilder):
    """Builds cuts, paths and connect statements, and the expressions in them."""

    __slots__ = ()

    # ------------------------------------------------------------------- cuts

    def cut_declaration(self, children: Children, start: int, end: int) -> ast.CutDeclaration:
        return ast.CutDeclaration(Span(self.source, start, end), children[0] is not None, tuple(children[1:]))

    def places_cut(self, children: Children, start: int, end: int) -> ast.PlacesCut:
        name, across, through, closing, text = children
        return ast.PlacesCut(
            Span(self.source, start, end), name.name, across or (), through or (), *_closing(closing), _text(text)
        )

    def group_cut(self, children: Children, start: int, end: int) -> ast.GroupCut:
        name, *parts, closing, text = children
        return ast.GroupCut(Span(self.source, start, end), name.name, tuple(parts), *_closing(closing), _text(text))

    def exported_cut(self, children: Children, start: int, end: int) -> ast.ExportedCut:
        name, target, text = children
        return ast.ExportedCut(Span(self.source, start, end), name.name, target, _text(text))

    def places(self, children: Children, start: int, end: int) -> tuple[ast.Place, ...]:
        return tuple(children)

    def through(self, children: Children, start: int, end: int) -> tuple[ast.Place, ...]:
        return children[0] or ()

    def nothing_place(self, children: Children, start: int, end: int) -> ast.NothingPlace:
        return ast.NothingPlace(Span(self.source, start, end))

    def variable_place(self, children: Children, start: int, end: int) -> ast.VariablePlace:
        return ast.VariablePlace(Span(self.source, start, end), children[0].name, children[1] or ())

    def negative_place(self, children: Children, start: int, end: int) -> ast.VariablePlace:
        return ast.VariablePlace(Span(self.source, start, end), children[0].name, children[1] or (), negative=True)

    def ladder_place(self, children: Children, start: int, end: int) -> ast.LadderPlace:
        *named, of, order = children
        span = Span(self.source, start, end)
        if order is not None and not (order.isdigit() and 1 <= len(order) <= 3 and int(order) > 0):
            raise ModelError(
                Diagnostic(
                    "P017",
                    f"the order of a derivative must be a positive integer, not {order}",
                    Label(span),
                    help=f"write der({of.name}) or der({of.name}, 2)",
                )
            )
        return ast.LadderPlace(span, named[0].name if named else None, of.name, int(order or 1))

    def closing(self, children: Children, start: int, end: int) -> _Closing:
        return children[0], children[1] is not None

    # ------------------------------------------------------------------ paths

    def path_declaration(self, children: Children, start: int, end: int) -> ast.PathDeclaration:
        return ast.PathDeclaration(Span(self.source, start, end), children[0] is not None, tuple(children[1:]))

    def path_item(self, children: Children, start: int, end: int) -> ast.PathItem:
        name, first, last, text = children
        return ast.PathItem(Span(self.source, start, end), name and name.name, first, last, _text(text))

    # ---------------------------------------------------------------- connect

    def connect(self, children: Children, start: int, end: int) -> ast.Connect:
        return ast.Connect(Span(self.source, start, end), tuple(children))

    def plain_connection(self, children: Children, start: int, end: int) -> ast.Connection:
        return ast.Connection(Span(self.source, start, end), children[0])

    def at_place(self, children: Children, start: int, end: int) -> ast.Connection:
        return ast.Connection(Span(self.source, start, end), children[0], (children[1],))

    def at_places(self, children: Children, start: int, end: int) -> ast.Connection:
        return ast.Connection(Span(self.source, start, end), children[0], tuple(children[1:]), grouped=True)

    def close(self, children: Children, start: int, end: int) -> ast.Close:
        return ast.Close(Span(self.source, start, end), children[0], children[1])

    def series(self, children: Children, start: int, end: int) -> ast.Series:
        return ast.Series(Span(self.source, start, end), tuple(children))

    def parallel(self, children: Children, start: int, end: int) -> ast.Parallel:
        return ast.Parallel(Span(self.source, start, end), tuple(children))

    def reversed(self, children: Children, start: int, end: int) -> ast.Reversed:
        return ast.Reversed(Span(self.source, start, end), children[0])

    def loop(self, children: Children, start: int, end: int) -> ast.Loop:
        return ast.Loop(Span(self.source, start, end), children[0])

    def join(self, children: Children, start: int, end: int) -> ast.Join:
        return ast.Join(Span(self.source, start, end), tuple(children))

    def branch(self, children: Children, start: int, end: int) -> ast.Branch:
        return ast.Branch(Span(self.source, start, end), tuple(children))

    def cut_reference(self, children: Children, start: int, end: int) -> ast.CutReference:
        return ast.CutReference(Span(self.source, start, end), children[0], children[1] or ())

    def parts(self, children: Children, start: int, end: int) -> tuple[ast.Part, ...]:
        return tuple(children)

    def indexed_name(self, children: Children, start: int, end: int) -> ast.Part:
        return ast.Part(Span(self.source, start, end), children[0].name, children[1])

    def dimensions(self, children: Children, start: int, end: int) -> tuple[ast.Expression, ...]:
        return tuple(children)


def _closing(closing: _Closing | None) -> _Closing:
    return closing or (None, False)


def _text(literal: str | None) -> str | None:
    return None if literal is None else unquote(literal)
