"""Names of classes looked up, and classes with all they inherit: templates, one for each use of a class.

Inheritance takes over everything; what comes twice from the same class counts once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from acausal.elaborate.declare import Declarations, finish
from acausal.elaborate.mistakes import did_you_mean, mistake
from acausal.ir import ast
from acausal.ir.classes import ClassUse, Definition, Library, Space, Template, Written
from acausal.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The classes of a library; templates are made when first asked for."""

    library: Library
    _templates: dict[ClassUse, Template] = field(default_factory=dict)

    def template(self, use: ClassUse) -> Template:
        """The class with everything it inherits."""
        found = self._templates.get(use)
        if found is None:
            declarations = Declarations(use)
            self._collect(use, declarations, {}, ())
            found = self._templates[use] = finish(declarations)
        return found

    def resolve(self, reference: ast.ClassReference, home: ClassUse) -> ClassUse:
        """The class that a reference means inside the class `home`; N001 for an unknown name."""
        found = self._find(reference, home)
        if isinstance(found, ClassUse):
            return found
        return self.use(found, reference, home)

    def use(self, definition: Definition, reference: ast.ClassReference, home: ClassUse | None) -> ClassUse:
        """A class with its class parameters settled by the arguments, else by their defaults."""
        formals = definition.node.parameters
        if len(reference.arguments) > len(formals):
            raise mistake(
                "N006",
                f"{definition.node.name} has {len(formals)} class parameters, not {len(reference.arguments)}",
                reference.span,
                others=[(definition.node.name_span, "declared here")],
            )
        settled = home.settled if home is not None and definition.space.owner is not None else ()
        plain = ClassUse(definition, settled)
        for number, formal in enumerate(formals):
            if number < len(reference.arguments) and home is not None:
                actual = self.resolve(reference.arguments[number], home)
            elif formal.default is not None:
                actual = self.resolve(formal.default, plain)
            else:
                raise mistake("N006", f"{definition.node.name} needs a class for {formal.name}", reference.span)
            settled = (*settled, (definition, formal.name, actual))
        return ClassUse(definition, settled)

    def _find(self, reference: ast.ClassReference, home: ClassUse) -> "Definition | ClassUse":
        first, *rest = reference.names
        space: Space | None = home.definition.names
        while space is not None:
            settled = [u for d, n, u in home.settled if d is space.owner and n == first]
            if settled and not rest:
                return settled[0]
            if first in space.prefixes:
                return self._inside(space.prefixes[first], rest, reference.span)
            if first in space.classes:
                found = space.classes[first]
                return self._inside(found.names, rest, reference.span) if rest else found
            space = space.outer
        raise self._unknown(first, reference.span, home.definition.names)

    def _inside(self, space: Space, names: list[str], span: Span) -> Definition:
        for name in names[:-1]:
            if name not in space.classes:
                raise self._unknown(name, span, space)
            space = space.classes[name].names
        if names[-1] not in space.classes:
            raise self._unknown(names[-1], span, space)
        return space.classes[names[-1]]

    @staticmethod
    def _unknown(name: str, span: Span, space: Space) -> Exception:
        known = [n for s in _outward(space) for n in (*s.classes, *s.prefixes)]
        hint = did_you_mean(name, known) or "include the file that defines it: @FILE.lib"
        return mistake("N001", f"there is no class {name}", span, "not known here", hint=hint)

    def function(self, name: str, home: ClassUse) -> ast.Function | None:
        """The user's function of that name, seen from a class."""
        for space in _outward(home.definition.names):
            if name in space.functions:
                return space.functions[name]
        return None

    def _collect(
        self, use: ClassUse, into: Declarations, done: dict[ClassUse, None], chain: tuple[ClassUse, ...]
    ) -> None:
        if use in chain:
            raise mistake("N007", f"{use.name} inherits itself", use.definition.node.name_span, "declared here")
        if use in done:
            return
        done[use] = None
        for super_ in use.definition.node.supers:
            above = self.resolve(super_.class_, use)
            self._collect(above, into, done, (*chain, use))
            for argument in super_.arguments:
                _change(into, argument, use)
        for item in use.definition.node.items:
            into.take(item, use, self)


def _change(into: Declarations, argument: ast.Argument, home: ClassUse) -> None:
    """An inherited parameter with another value."""
    value = into.values.get(argument.name)
    if value is None or value.kind not in ("parameter", "constant"):
        known = [n for n, v in into.values.items() if v.kind in ("parameter", "constant")]
        raise mistake(
            "N004",
            f"the superclass has no parameter {argument.name}",
            argument.span,
            hint=did_you_mean(argument.name, known),
        )
    into.values[argument.name] = replace(value, binding=Written(argument.value, home))


def _outward(space: Space | None) -> Iterator[Space]:
    while space is not None:
        yield space
        space = space.outer
