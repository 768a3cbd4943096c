"""Connect statements become connection sets.

    connect U - R - (C1 // C2) - G        {U:B, R:A}, {R:B, C1:A, C2:A}, {C1:B, C2:B, G:A}

`ends` says what a reference means, `connection_sets` joins the ends.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from acausal.base.diagnostics import ModelError
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.elaborate.connections.connection_ends import ConnectorReference, End, GroupEnd, without_group
from acausal.elaborate.connections.connection_sets import ConnectionSets
from acausal.elaborate.connections.connector_references import alone, thing
from acausal.elaborate.connections.cut_shapes import described, misfit
from acausal.elaborate.connections.joins import end_of, joins_of
from acausal.elaborate.connections.repeated_ends import Known
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.all_errors import look_up
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.elaborate.scopes.statements import expanded
from acausal.ir import ast
from acausal.ir.model.instance import CutEnd, Instance, JoinedSet
from acausal.ir.origin import How, Origin


@dataclass(frozen=True, slots=True)
class Cutting:
    """`close X at Y`: the end X, where a loop is to be cut."""

    end: End
    origin: Origin


def connect(instances: Iterable[Instance], world: World) -> tuple[tuple[JoinedSet, ...], tuple[Cutting, ...]]:
    """All connection sets of the instances, and what `close` statements say."""
    sets = ConnectionSets()
    cuttings = []
    known = Known()
    for instance in instances:
        for statement in instance.template.connections:
            scope = InstanceScope(world, instance, statement.home)
            try:
                for node, inner in expanded(statement.node, scope):
                    try:
                        for a, b, span in _joins(node, inner, known):
                            origin = Origin(span, instance.path, How.CONNECTED)
                            sets.join(a, b, origin)
                            if isinstance(node, ast.Close):
                                cuttings.append(Cutting(a, origin))
                    except ModelError as error:
                        world.mistakes.add_names(error, node, partial(_look, inner))
            except ModelError as error:
                world.mistakes.add(error)
    try:
        return sets.finish(), tuple(cuttings)
    except ModelError as error:
        world.mistakes.add(error)
        return (), ()


def _look(scope: InstanceScope, part: ast.Expression | ast.CutReference) -> None:
    """The mistake of a name in a statement, if there is one."""
    if isinstance(part, ast.CutReference):
        thing(part, scope, Known())
    else:
        look_up(part, scope)


def _joins(node: ast.Item, scope: InstanceScope, known: Known) -> Iterator[tuple[End, End, Span]]:
    if isinstance(node, ast.Close):
        yield alone(thing(node.item, scope, known)), alone(thing(node.at, scope, known)), node.span
    if isinstance(node, ast.Connect):
        for connection in node.connections:
            if connection.at is None and _is_single(connection.item):
                raise _joins_nothing(connection, node)
            yield from _connection(connection, scope, known)


def _is_single(item: ast.ConnectExpression) -> bool:
    """True if only one thing is named. Nesting is limited by the parser."""
    if isinstance(item, ast.Reversed):
        return _is_single(item.item)
    if isinstance(item, ast.Join | ast.Branch):
        return len(item.items) == 1 and _is_single(item.items[0])
    return isinstance(item, ast.CutReference)


def _joins_nothing(connection: ast.Connection, statement: ast.Connect) -> Exception:
    """C017, with the connection that the statement probably means."""
    written = connection.span.text
    number = next(k for k, c in enumerate(statement.connections) if c is connection)
    others = [c.item for c in (*statement.connections[number + 1 :], *reversed(statement.connections[:number]))]
    other = next((item.span.text for item in others if _is_single(item)), None)
    hint = f"write `connect {written} to ...` or `connect {written} at ...`"
    if other is not None:
        ends = f"{written} to {other}" if number + 1 < len(statement.connections) else f"{other} to {written}"
        hint = f"write `connect {ends}`: a comma separates connections"
    return mistake("C017", f"`{written}` is not connected to anything", connection.span, "the only operand", hint=hint)


def _connection(connection: ast.Connection, scope: InstanceScope, known: Known) -> Iterator[tuple[End, End, Span]]:
    joins = joins_of(connection.item)
    found = [thing(reference, scope, known) for reference in joins.references]
    for one, other, span in joins.pairs:
        yield end_of(found, one), end_of(found, other), span
    if connection.at is None:
        return
    value = joins.whole(found)
    places = [thing(place, scope, known) for place in connection.at]
    if len(places) == 1 and not connection.grouped:
        yield alone(value), alone(places[0]), connection.span
    elif isinstance(value.main, GroupEnd) and len(value.main.parts) == len(places):
        _need_points(connection, connection.at, value.main.parts, places)
        for part, place in zip(value.main.parts, places, strict=True):
            yield part, alone(place), connection.span
    elif len(places) == 2 and value.is_path:
        _need_points(connection, connection.at, (value.first, value.last), places)
        yield value.first, alone(places[0]), connection.span
        yield value.last, alone(places[1]), connection.span
    elif len(places) == 1:
        yield alone(value), alone(places[0]), connection.span
    else:
        group = value.main.parts if isinstance(value.main, GroupEnd) else ()
        parts = len(group) or (2 if value.is_path else 1)
        named = ", ".join([end.cut.name for end in group if isinstance(end, CutEnd)])
        raise mistake(
            "C006",
            f"{len(places)} places are given for {parts} cut{'s' * (parts != 1)}",
            connection.span,
            hint=f"give one place for each of {named}"
            if named
            else "give as many places as the main cut has parts, or two for the ends of the main path",
        )


def _need_points(
    connection: ast.Connection,
    written: tuple[ast.CutReference, ...],
    ends: tuple[End, ...],
    places: list[ConnectorReference],
) -> None:
    """C004 for `R at (G, L)` where L is no point but a submodel with two ends: a series is meant."""
    for end, reference, place in zip(ends, written, places, strict=True):
        group = alone(place)
        if isinstance(group, GroupEnd) and not isinstance(without_group(end), GroupEnd) and place.is_path:
            texts, span = [r.span.text for r in written], reference.span
            hint = f"name a cut for each, as in {span.text}:A"
            if len(places) == 2:
                hint = f"write `connect {texts[0]} - {connection.item.span.text} - {texts[1]}`, or {hint}"
            raise misfit(connection.span, [(connection.span, described(end)), (span, described(group))], hint)
