"""Names in a tree: where they stand, and where their meaning is to be looked up.

connect emf:mech at r1.Axis      connectors: emf, mech behind emf:, r1, Axis behind r1.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from acausal.base.source import Span
from acausal.editor.text.mention import Around, Kind, Mention, name_span
from acausal.ir import ast


def mentions(units: Iterable[ast.Include | ast.Function | ast.Class]) -> list[Mention]:
    """The names in units, in the order of the text."""
    found: list[Mention] = []
    queue: list[tuple[ast.Item, Around]] = [(unit, Around()) for unit in units]
    for item, around in queue:
        found += _of_item(item, around, queue)
    found.sort(key=lambda m: (m.span.start, m.span.end))
    return found


def _of_item(item: ast.Item, around: Around, queue: list[tuple[ast.Item, Around]]) -> Iterator[Mention]:
    """Names of an item; items inside it join the queue."""
    match item:
        case ast.Class():
            yield from _of_class(item, around)
            inside = around.with_class(item)
            queue += [(inner, inside) for inner in item.items]
        case ast.Function():
            name = name_span(item.name, item.span, len("function"))
            yield Mention(name, item.name, "function", around.home, declares=True)
            places = [(p.name, name_span(p.name, p.span)) for p in item.parameters]
            yield from [Mention(s, n, "value", around.home, declares=True, bound=s) for n, s in places]
            yield from _of_node(item.body, around.binding(places))
        case ast.For():
            place = name_span(item.variable, item.span, len("for"))
            yield Mention(place, item.variable, "value", around.home, declares=True, bound=place)
            yield from _of_node((item.start, item.stop), around)
            inside = around.binding([(item.variable, place)])
            queue += [(inner, inside) for inner in item.items]
        case ast.If() | ast.When():
            for condition, items in item.branches:
                yield from _of_node(condition, around)
                queue += [(inner, around) for inner in items]
            if isinstance(item, ast.If):
                queue += [(inner, around) for inner in item.otherwise or ()]
        case ast.Include():
            length = len(f"@{item.file}")
            yield Mention(
                Span(item.span.file, item.span.start, item.span.start + length), item.file, "file", around.home
            )
            if item.prefix is not None:
                span = name_span(item.prefix, item.span, length)
                yield Mention(span, item.prefix, "prefix", around.home, declares=True)
        case ast.SubmodelDeclaration():
            yield from _of_reference(item.class_, around)
            for one in item.items:
                yield from _of_submodel(one, item.class_, around)
        case _:
            yield from _of_node(item, around)


def _of_class(node: ast.Class, around: Around) -> Iterator[Mention]:
    yield Mention(node.name_span, node.name, "class", around.home, declares=True)
    inside = around.with_class(node)
    for parameter in node.parameters:
        span = name_span(parameter.name, parameter.span)
        yield Mention(span, parameter.name, "class", inside.home, declares=True)
        if parameter.default is not None:
            yield from _of_reference(parameter.default, around)
    for above in node.supers:
        yield from _of_reference(above.class_, inside)
        yield from _of_arguments(above.arguments, "argument", inside, above.class_)
    end = re.search(rf"\bend[ \t]+({re.escape(node.name)})\s*\Z", node.span.text)
    if end is not None:
        start = node.span.start + end.start(1)
        yield Mention(
            Span(node.span.file, start, start + len(node.name)), node.name, "class", around.home, declares=True
        )


def _of_reference(node: ast.ClassReference, around: Around) -> Iterator[Mention]:
    """The names of a dotted class name and of its class arguments."""
    after = 0
    for number, name in enumerate(node.names):
        span = name_span(name, node.span, after)
        after = span.end - node.span.start
        last = number == len(node.names) - 1
        yield Mention(span, name, "class", around.home, before=node.names[:number], is_last=last)
    for argument in node.arguments:
        yield from _of_reference(argument, around)


def _of_submodel(one: ast.SubmodelItem, class_: ast.ClassReference, around: Around) -> Iterator[Mention]:
    yield Mention(name_span(one.name, one.span), one.name, "connector", around.home, declares=True)
    yield from _of_node(one.dimensions, around)
    yield from _of_arguments(one.arguments, "argument", around, class_, (one.name,))
    yield from _of_arguments(one.initial, "initial", around, class_, (one.name,))


def _of_arguments(
    given: Sequence[ast.Argument],
    kind: Kind,
    around: Around,
    of: ast.ClassReference | None = None,
    before: tuple[str, ...] = (),
) -> Iterator[Mention]:
    for argument in given:
        yield Mention(name_span(argument.name, argument.span), argument.name, kind, around.home, before=before, of=of)
        yield from _of_node(argument.value, around)


def _of_node(node: object, around: Around) -> Iterator[Mention]:
    """Names of a node and of all below it; those of a comprehension are examined with its variable."""
    queue = [(node, around)]
    for top, inside in queue:
        stack = [top]
        while stack:
            part = stack.pop()
            if isinstance(part, tuple):
                stack += part
            elif isinstance(part, ast.Comprehension):
                place = _loop_variable(part)
                yield Mention(place, part.variable, "value", inside.home, declares=True, bound=place)
                stack += (part.start, part.stop)
                queue.append((part.item, inside.binding([(part.variable, place)])))
            elif isinstance(part, ast.Node):
                yield from _own(part, inside, stack)


def _loop_variable(node: ast.Comprehension) -> Span:
    """The name behind `for`, which stands behind the item."""
    word = name_span("for", node.span, node.item.span.end - node.span.start)
    return name_span(node.variable, node.span, word.end - node.span.start)


def _own(part: ast.Node, around: Around, stack: list[object]) -> Iterator[Mention]:  # noqa: C901  # one case a kind of node
    """Names of one node; the nodes below it that have others join the stack."""
    match part:
        case ast.Reference():
            names = tuple([p.name for p in part.parts])
            for number, one in enumerate(part.parts):
                span = Span(one.span.file, one.span.start, one.span.start + len(one.name))
                bound = around.place_of(one.name) if not number and len(names) == 1 else None
                last = number == len(names) - 1
                yield Mention(span, one.name, "value", around.home, before=names[:number], is_last=last, bound=bound)
                stack.append(one.indices)
        case ast.Call():
            start = part.span.start
            yield Mention(Span(part.span.file, start, start + len(part.name)), part.name, "function", around.home)
            stack.append(part.arguments)
        case ast.CutReference():
            names = tuple([p.name for p in (*part.object, *part.cut)])
            for number, one in enumerate((*part.object, *part.cut)):
                span = Span(one.span.file, one.span.start, one.span.start + len(one.name))
                before = min(number, len(part.object))
                last = number == len(names) - 1
                yield Mention(
                    span, one.name, "connector", around.home, before=names[:number], object_names=before, is_last=last
                )
                stack.append(one.indices)
        case ast.ValueDeclaration():
            for declarator in part.declarators:
                yield from _of_declarator(declarator, "value", around)
        case ast.NodeDeclaration():
            for declarator in part.declarators:
                yield from _of_declarator(declarator, "connector", around)
        case ast.DefaultDeclaration():
            for argument in part.defaults:
                yield Mention(name_span(argument.name, argument.span), argument.name, "value", around.home)
                stack.append(argument.value)
        case ast.ExperimentDeclaration():
            yield from _of_arguments(part.arguments, "experiment", around)
        case ast.CutDeclaration():
            for cut in part.cuts:
                yield from _of_cut(cut, around, stack)
        case ast.PathItem():
            if part.name is not None:
                yield Mention(name_span(part.name, part.span), part.name, "connector", around.home, declares=True)
            stack += (part.first, part.last)
        case _:
            stack += [getattr(part, name) for name in part.__dataclass_fields__ if name != "span"]


def _of_declarator(node: ast.Declarator, kind: Kind, around: Around) -> Iterator[Mention]:
    after = len(node.type) if node.type is not None else 0
    yield Mention(name_span(node.name, node.span, after), node.name, kind, around.home, declares=True)
    yield from _of_node((node.dimensions, node.value), around)
    yield from _of_arguments(node.attributes, "attribute", around)


def _of_cut(cut: ast.Cut, around: Around, stack: list[object]) -> Iterator[Mention]:
    yield Mention(name_span(cut.name, cut.span), cut.name, "connector", around.home, declares=True)
    if isinstance(cut, ast.ExportedCut):
        stack.append(cut.target)
        return
    if cut.closing is not None:
        yield from _of_reference(cut.closing, around)
    if isinstance(cut, ast.GroupCut):
        yield from [Mention(name_span(p.name, p.span), p.name, "connector", around.home) for p in cut.parts]
        return
    for place in (*cut.across, *cut.through):
        if isinstance(place, ast.VariablePlace):
            yield Mention(name_span(place.name, place.span), place.name, "value", around.home, declares=True)
            stack.append(place.dimensions)
        elif isinstance(place, ast.LadderPlace):
            if place.name is not None:
                yield Mention(name_span(place.name, place.span), place.name, "value", around.home, declares=True)
            after = place.span.text.find("(")
            yield Mention(name_span(place.of, place.span, after), place.of, "value", around.home)
