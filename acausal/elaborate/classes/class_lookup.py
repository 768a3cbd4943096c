"""Names of classes looked up, and classes with all they inherit: templates, one for each use of a class."""

from collections.abc import Iterator
from pathlib import Path
from weakref import ref

from acausal.base.near_names import did_you_mean
from acausal.base.options import Limits
from acausal.base.source import Span
from acausal.elaborate.classes.declarations import Declarations
from acausal.elaborate.classes.find_class import library_with
from acausal.elaborate.classes.inheritance import Inheritance
from acausal.elaborate.classes.template import finish
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse, Definition, Library, Namespace, Template
from acausal.ir.names import listed

_INCLUDE = "include the file that defines it: @FILE.lib; `acausal list WORD` searches the standard libraries"


class Classes:
    """The classes of a library; templates are made when first asked for."""

    def __init__(self, library: Library, limits: Limits, mistakes: AllMistakes) -> None:
        self.library = library
        self.mistakes = mistakes
        self.limits = limits
        self._templates = library.templates.copy()
        self._fmus: dict[tuple[str, str | None, str], Definition] = {}
        self._local: dict[str, None] = {}
        self._looked_into_main = False

    def template(self, use: ClassUse) -> Template:
        """The class with everything it inherits."""
        found = self._templates.get(use)
        if found is None:
            self._looked_into_main = False
            declarations = Declarations(use)
            Inheritance(self, self.mistakes).collect(use, declarations)
            found = self._templates[use] = finish(declarations, self.limits)
            of_included = not self._looked_into_main and self._is_included(use.definition.space)
            if of_included and not use.settled and not found.broken:
                self.library.templates[use] = found
        return found

    def _is_included(self, space: Namespace) -> bool:
        while space.outer is not None:
            space = space.outer
        return space is self.library.included

    def _outward(self, space: Namespace) -> Iterator[Namespace]:
        """Search order of names in a namespace: in it and the enclosing ones, then in all."""
        around: Namespace | None = space
        while around is not None:
            yield around
            space, around = around, around.outer
        if space is self.library.included:
            self._looked_into_main = True
            yield self.library.space

    def resolve(self, reference: ast.ClassReference, home: ClassUse) -> ClassUse:
        """The class that a reference means inside the class `home`; N001 for an unknown name."""
        found = self.find(reference, home)
        if isinstance(found, ClassUse):
            return found
        return self.use(found, reference, home)

    def use(self, definition: Definition, reference: ast.ClassReference, home: ClassUse | None) -> ClassUse:
        """A class with its class parameters settled by the arguments, else by their defaults."""
        formals = definition.node.parameters
        if len(reference.arguments) > len(formals):
            raise mistake(
                "N006",
                f"{definition.node.name} has {len(formals)} class parameter{'s'[: len(formals) != 1]}, "
                f"not {len(reference.arguments)}",
                reference.span,
                others=[(definition.node.name_span, "declared here")],
                hint="give as many classes as it declares",
            )
        settled = home.settled if home is not None and definition.space.owner is not None else ()
        plain = ClassUse(definition, settled)
        for number, formal in enumerate(formals):
            if number < len(reference.arguments) and home is not None:
                actual = self.resolve(reference.arguments[number], home)
            elif formal.default is not None:
                actual = self.resolve(formal.default, plain)
            else:
                hint = f"name one: {definition.node.name}<...>"
                raise mistake(
                    "N006", f"{definition.node.name} needs a class for {formal.name}", reference.span, hint=hint
                )
            settled = (*settled, (definition, formal.name, actual))
        return ClassUse(definition, settled)

    def find(self, reference: ast.ClassReference, home: ClassUse) -> "Definition | ClassUse":
        """The class that a reference names, or the argument for a class parameter; N001 for an unknown name."""
        if reference.file is not None:
            return self._of_fmu(reference)
        first, *rest = reference.names
        if not home.definition.inner and not rest:
            inherited = self._inherited(home.definition, first)
            if inherited is not None:
                return inherited
        for space in self._outward(home.definition.names):
            settled = [u for d, n, u in home.settled if d is space.owner and n == first]
            if settled and not rest:
                return settled[0]
            if first in space.prefixes:
                return self._inside(space.prefixes[first], rest, reference.span)
            found = space.classes.get(first) or self._inherited(space.owner, first)
            if found is not None:
                return self._inside(found.names, rest, reference.span) if rest else found
        raise self._unknown(first, reference.span, home.definition.names)

    def _of_fmu(self, reference: ast.ClassReference) -> Definition:
        """The class that is made of an FMU, once for each file; F050, L020."""
        from acausal.elaborate.classes.fmu_classes import fmu_class

        key = reference.names[0], reference.file, str(Path(reference.span.file.name).parent)
        found = self._fmus.get(key)
        if found is None:
            found = self._fmus[key] = Definition(fmu_class(reference, self.limits), ref(self.library.space))
        return found

    def _local_names(self) -> dict[str, None]:
        """The names of all classes inside classes: chains of superclasses are long, such names are few."""
        if not self._local:
            self._local[""] = None
            spaces = [self.library.space]
            for space in spaces:
                spaces += [inner for inner in space.prefixes.values() if inner not in spaces]
                for definition in space.classes.values():
                    spaces += definition.inner
                    for inner in definition.inner:
                        self._local.update(dict.fromkeys(inner.classes))
        return self._local

    def _inherited(self, owner: Definition | None, name: str) -> Definition | None:
        """A local class of a superclass; superclasses themselves are looked up outside the class."""
        if owner is None or not owner.node.supers or name not in self._local_names():
            return None
        stack, seen = [owner], {owner}
        while stack:
            current = stack.pop()
            for super_ in current.node.supers:
                first = super_.class_.names[0]
                above = next((s.classes[first] for s in self._outward(current.space) if first in s.classes), None)
                if above is None or above in seen or len(super_.class_.names) > 1:
                    continue
                if name in above.names.classes and above.inner:
                    return above.names.classes[name]
                seen.add(above)
                stack.append(above)
        return None

    def _inside(self, space: Namespace, names: list[str], span: Span) -> Definition:
        for name in names[:-1]:
            if name not in space.classes:
                raise self._unknown(name, span, space)
            space = space.classes[name].names
        if names[-1] not in space.classes:
            raise self._unknown(names[-1], span, space)
        return space.classes[names[-1]]

    def _unknown(self, name: str, span: Span, space: Namespace) -> Exception:
        known = dict.fromkeys([n for s in self._outward(space) for n in (*s.classes, *s.prefixes)])
        missing = None if name.lower() in map(str.lower, known) else library_with(name)
        elsewhere: str | None = missing
        longer = [n for n in known if name.lower() in n.lower()] if len(name) > 2 and elsewhere else []
        if longer and not (elsewhere or "").endswith(f" {name}"):
            elsewhere = f"did you mean {listed(longer, 3)}?"
        hint = elsewhere or did_you_mean(name, known) or _INCLUDE
        fix = missing.edits(name, span) if missing is not None and hint is missing else ()
        return mistake("N001", f"unknown class {name}", span, "unknown", hint=hint, fix=fix)

    def function(self, name: str, home: ClassUse) -> ast.Function | None:
        """The user's function of that name, seen from a class."""
        for space in self._outward(home.definition.names):
            if name in space.functions:
                return space.functions[name]
        return None
