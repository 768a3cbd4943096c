"""The items of a class sorted into its name spaces: values, submodels, cuts, paths, nodes."""

from dataclasses import replace
from typing import Literal, Protocol

from acausal.base.source import Span
from acausal.elaborate.classes.attributes import unit_of
from acausal.elaborate.classes.cut_checks import check_ladder, check_place, cut_names, is_group, one_main
from acausal.elaborate.classes.declared_names import has_connections
from acausal.elaborate.error_helpers import mistake, need_distinct, need_free
from acausal.elaborate.expressions.quantities import implied_unit
from acausal.ir import ast
from acausal.ir.kinds import DeclarationKind
from acausal.ir.model.classes import (
    ClassUse,
    Cut,
    Default,
    ExportedCut,
    GroupCut,
    Place,
    SimpleCut,
    Statement,
    Submodel,
    Value,
    Written,
)

PARAMETERS = ("parameter", "constant")
DESCRIBING = ("local", "terminal")
"""Kinds of declaration that may give attributes to a variable of a cut: `terminal Va (unit="V")`."""
TWICE = "remove one of them, or use another name"


class ClassResolver(Protocol):
    """Lookup of classes by references to them."""

    def resolve(self, reference: ast.ClassReference, home: ClassUse) -> ClassUse:
        """The class that a reference means inside the class `home`."""
        ...


class _Once:
    """Items that a class declares at most once; inherited ones give way."""

    def __init__(self) -> None:
        self._first: dict[tuple[ClassUse, str], Span] = {}

    def need(self, home: ClassUse, what: str, span: Span, code: str = "N003") -> None:
        """The code with both places for a second one in the class."""
        first = self._first.setdefault((home, what), span)
        if first is not span:
            others = [(first, "the first one")]
            message = f"a class has at most one {what}"
            raise mistake(code, message, span, "second one", others=others, hint="combine them, or remove one")


class Declarations:
    """Declarations of a class, collected from its superclasses and itself."""

    def __init__(self, use: ClassUse) -> None:
        self.use = use
        self.values: dict[str, Value] = {}
        self.submodels: dict[str, Submodel] = {}
        self.cuts: dict[str, Cut] = {}
        self.paths: dict[str, ast.PathItem] = {}
        self.nodes: dict[str, ast.Declarator] = {}
        self.defaults: dict[str, Default] = {}
        self.main_cut: str | None = None
        self.main_path: ast.PathItem | None = None
        self.behaviour: list[Statement] = []
        self.connections: list[Statement] = []
        self.experiment: ast.ExperimentDeclaration | None = None
        self.broken: list[str] = []
        self.lineage: tuple[ClassUse, ...] = ()
        self.changes: dict[str, tuple[ClassUse, ast.Argument]] = {}
        self._once = _Once()
        self._things: dict[str, Span] = {}
        self._by_cut: dict[str, None] = {}
        self._home: ClassUse | None = None
        self._home_cuts: frozenset[str] = frozenset()

    def take(self, item: ast.Item, home: ClassUse, classes: ClassResolver) -> None:  # noqa: C901  # one case a kind of item
        """Put one item where it belongs."""
        match item:
            case ast.ValueDeclaration():
                for declarator in item.declarators:
                    self._value(item.kind, declarator, home)
            case ast.SubmodelDeclaration():
                class_ = classes.resolve(item.class_, home)
                for one in item.items:
                    self._thing(one.name, one.span)
                    self.submodels[one.name] = Submodel(one.name, one, class_, home)
            case ast.CutDeclaration():
                one_main(item)
                for cut in item.cuts:
                    self._cut(cut, home, classes)
                if item.main:
                    self._once.need(home, "main cut", item.span, "C012")
                    self.main_cut = item.cuts[0].name
            case ast.PathDeclaration():
                if item.main:
                    self._once.need(home, "main path", item.span, "C012")
                self._paths(item)
            case ast.NodeDeclaration():
                for declarator in item.declarators:
                    self._thing(declarator.name, declarator.span)
                    self.nodes[declarator.name] = declarator
            case ast.DefaultDeclaration():
                for argument in item.defaults:
                    self._once.need(home, f"default of {argument.name}", argument.span)
                    self.defaults[argument.name] = Default(Written(argument.value, home), argument.span)
            case ast.ExperimentDeclaration():
                self._once.need(home, "experiment", item.span)
                need_distinct(item.arguments)
                self.experiment = item
            case ast.Connect() | ast.Close():
                self.connections.append(Statement(item, home))
            case ast.If() | ast.For():
                self.behaviour.append(Statement(item, home))
                if has_connections(item):
                    self.connections.append(Statement(item, home))
            case ast.Class() | ast.Function() | ast.Include():
                pass
            case _:
                self.behaviour.append(Statement(item, home))

    def _value(self, kind: DeclarationKind | Literal["cut"], declarator: ast.Declarator, home: ClassUse) -> None:
        need_free(declarator.name, declarator.span)
        need_distinct(declarator.attributes)
        known = self.values.get(declarator.name)
        if known is not None and self._describes_place(known, kind, declarator):
            self.values[known.name] = replace(
                known, written=declarator.attributes, description=declarator.description, home=home
            )
            return
        if known is not None:
            raise mistake(
                "N003",
                f"{declarator.name} is declared twice",
                declarator.span,
                "declared again",
                others=[(known.span, "first declared here")],
                hint=TWICE,
            )
        binding = None if declarator.value is None else Written(declarator.value, home)
        attributes = declarator.attributes
        if binding is not None and kind in PARAMETERS and unit_of(attributes) is None:
            unit = implied_unit(binding.node)
            attributes = (*attributes, unit) if unit is not None else attributes
        self.values[declarator.name] = Value(
            name=declarator.name,
            kind=kind,
            type=declarator.type or "real",
            span=declarator.span,
            home=home,
            dimensions=declarator.dimensions,
            binding=binding,
            written=attributes,
            description=declarator.description,
        )

    def _thing(self, name: str, span: Span) -> None:
        if name in self._things:
            others = [(self._things[name], "first declared here")]
            raise mistake("N003", f"{name} is declared twice", span, "declared again", others=others, hint=TWICE)
        self._things[name] = span

    def _paths(self, item: ast.PathDeclaration) -> None:
        for path in item.paths:
            if path.name is not None:
                self._thing(path.name, path.span)
                self.paths[path.name] = path
        if item.main:
            self.main_path = item.paths[0]

    # -------------------------------------------------------------- cuts

    def _cut(self, cut: ast.Cut, home: ClassUse, classes: ClassResolver) -> None:
        self._thing(cut.name, cut.span)
        if isinstance(cut, ast.ExportedCut):
            self.cuts[cut.name] = ExportedCut(cut.name, cut.target, cut.span)
        elif isinstance(cut, ast.GroupCut):
            self.cuts[cut.name] = GroupCut(cut.name, tuple(p.name for p in cut.parts), cut.span)
        elif is_group(cut, self._cuts_of(home), self.cuts):
            names = tuple(p.name for p in cut.across if isinstance(p, ast.VariablePlace))
            self.cuts[cut.name] = GroupCut(cut.name, names, cut.span)
        else:
            check_ladder(cut)
            closing = None if cut.closing is None else classes.resolve(cut.closing, home)
            across = tuple(self._place(p, home) for p in cut.across)
            through = tuple(self._place(p, home) for p in cut.through)
            self.cuts[cut.name] = SimpleCut(cut.name, across, through, cut.span, closing, cut.root)

    def _cuts_of(self, home: ClassUse) -> frozenset[str]:
        """The cuts that the class itself declares anywhere; its items come one after the other."""
        if self._home is not home:
            self._home, self._home_cuts = home, cut_names(home.definition.node)
        return self._home_cuts

    def _place(self, place: ast.Place, home: ClassUse) -> Place:
        if isinstance(place, ast.NothingPlace):
            return Place(None, nothing=True)
        if isinstance(place, ast.LadderPlace):
            if place.name is not None:
                need_free(place.name, place.span)
            if place.name is not None and place.name not in self.values:
                self.values[place.name] = Value(
                    place.name, "cut", "real", place.span, home, of=place.of, order=place.order
                )
            return Place(place.of, order=place.order)
        need_free(place.name, place.span)
        known = self.values.get(place.name)
        check_place(known, place)
        if known is None:
            self.values[place.name] = Value(place.name, "cut", "real", place.span, home, dimensions=place.dimensions)
            self._by_cut[place.name] = None
        elif known.kind in DESCRIBING and known.binding is None:
            self.values[place.name] = replace(known, kind="cut", span=place.span)
        return Place(place.name, -1 if place.negative else 1)

    def _describes_place(self, known: Value, kind: str, declarator: ast.Declarator) -> bool:
        """True if a declaration gives attributes to a variable that a cut before it has declared; once for each."""
        if known.name not in self._by_cut or kind not in DESCRIBING or declarator.value is not None:
            return False
        del self._by_cut[known.name]
        return declarator.type in (None, "real") and declarator.dimensions == known.dimensions
