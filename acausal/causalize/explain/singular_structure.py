"""Structural faults in the user's words: components, cuts, connect statements.

The fault is searched for twice: first in the equations as they are written, where every variable and
equation still belongs to its component; then, if these have as many unknowns everywhere, in those
without aliases, where a balance of through variables that only repeats the others has become 0 = 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.causalize.arrays.scalarize import scalarize
from acausal.causalize.events.lift_events import hold
from acausal.causalize.explain.as_written import as_written
from acausal.causalize.explain.describe import (
    MOST,
    about,
    counted,
    counted_equations,
    declaration,
    distinct,
    equations_of,
    idle,
    joined,
    made,
    names_of,
    paths_of,
    whole_origin,
)
from acausal.causalize.explain.floating_part import floating_part, no_ground
from acausal.causalize.explain.missing_equation import explain_missing
from acausal.causalize.index.reduce_index import StructuralFaultError, structure_of
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.names import Name, listed, show_derivative, show_name
from acausal.ir.origin import How
from acausal.ir.show.expressions import show_equation, show_expr
from acausal.ir.walk import variables_of
from acausal.structure.dulmage import Part
from acausal.structure.pantelides import Singular, find_singularity


def explain(flat: FlatModel, dae: Dae, fault: StructuralFaultError) -> ModelError:
    """One error for the first fault of a structurally singular system; `dae` is the one that was found singular."""
    written = as_text(flat)
    unknowns, incidence, derivatives = structure_of(written)
    singular = find_singularity(incidence, derivatives)
    if singular is not None:
        shown = replace(written, equations=tuple([as_written(written, e) for e in written.equations]))
        return ModelError(Explanation(flat, shown, unknowns, singular, written=True).diagnostic())
    shown = replace(dae, equations=tuple([as_written(dae, e) for e in dae.equations]))
    return ModelError(Explanation(flat, shown, fault.unknowns, fault.singular, written=False).diagnostic())


def as_text(flat: FlatModel) -> Dae:
    """The scalar equations as the text has them, with all aliases."""
    return hold(scalarize(flat, foldable=False))


@dataclass(frozen=True, slots=True)
class Explanation:
    """A singular part of `dae`; `written` if its equations are those of the text."""

    flat: FlatModel
    dae: Dae
    unknowns: Sequence[Expr]
    singular: Singular
    written: bool

    def diagnostic(self) -> Diagnostic:
        """The most specific fault: what is left open, what has no ground, what is fixed twice, what is missing."""
        over, under = self.singular.over, self.singular.under
        declared = {v.symbol: v for v in self.dae.variables}
        missing = [self._among(part, declared) for part in under]
        open_ = self._missing(missing)
        if open_ is not None:
            return open_
        if missing and over and not self.written and self.is_floating(over[0], missing[0]):
            return self.no_ground(missing[0], over[0])
        if over:
            floating = floating_part(as_text(self.flat)) if missing else None
            return floating or self._too_many(over[0], missing)
        return self._too_few(missing[0], under[0])

    def variables(self, part: Part) -> list[Variable]:
        """The variables of a part that are declared."""
        return self._among(part, {v.symbol: v for v in self.dae.variables})

    def _among(self, part: Part, declared: Mapping[Expr, Variable]) -> list[Variable]:
        return [declared[self.unknowns[v]] for v in part.vars if self.unknowns[v] in declared]

    # ------------------------------------------------------------- left open

    def _missing(self, variables: list[list[Variable]]) -> Diagnostic | None:
        """The variable that lacks an equation, where there is too little."""
        if not variables:
            return None
        written = self.dae if self.written else None
        idle = [] if self.written else self._idle_equations()
        return explain_missing(self.flat, written, variables, idle, over=bool(self.singular.over))

    def _idle_equations(self) -> list[Equation]:
        """Equations in which no unknown remains."""
        alone = [part.eqs for part in self.singular.over if not part.vars]
        return [self.dae.equations[e] for eqs in alone for e in eqs]

    # ------------------------------------------------------------- no ground

    def is_floating(self, over: Part, under: list[Variable]) -> bool:
        """A surplus balance and undetermined across variables: nothing fixes the level of a part."""
        sums = any(made(self.dae.equations[e].origin) is How.FLOW_SUM for e in over.eqs)
        return sums and any(v.kind == "cut" for v in under)

    def no_ground(self, under: list[Variable], over: Part) -> Diagnostic:
        """S003."""
        return no_ground(under, [self.dae.equations[e] for e in over.eqs])

    # -------------------------------------------------------------- too many

    def _too_many(self, over: Part, missing: list[list[Variable]]) -> Diagnostic:
        equations = [self.dae.equations[e] for e in over.eqs]
        names = names_of(self.variables(over))
        repeated = self._repeated(equations)
        if repeated is not None:
            return repeated
        surplus = self._surplus([e.origin.path for e in equations])
        if surplus is not None:
            return surplus
        count = equations_of(e.origin for e in equations if made(e.origin) is not How.LADDER)
        left = paths_of(v.origin for v in missing[0]) if missing else []
        giving = self._giving(equations)
        if len(giving) > 1:
            count, left = {path: count.get(path, 0) for path in giving}, []
        paths = sorted(count, key=lambda path: (path not in left, -count[path]))
        second_first = [*paths[1:2], *paths[:1], *paths[2:MOST]]  # of two alike the one that came later is to blame
        second_first.sort(key=lambda path: (path not in left, -count[path]))
        paths += [path for path in left if path not in count][: max(MOST - len(paths), 0)]
        notes = [f"no equation remains for {listed(names_of(missing[0]), MOST)}"] if missing else []
        own = [e for e in equations if not e.origin.path and made(e.origin) is How.WRITTEN]
        if paths:
            notes.insert(0, f"{counted_equations(len(equations))} for {counted(names)}" if names else idle(equations))
            message = (
                f"{joined(paths)} over-determine the same variables"
                if len(paths) > 1
                else f"{paths[0]} over-determines variables that others determine"
                if not names
                else f"{paths[0]} has more equations than unknowns"
            )
            hint = "remove one of them, or insert a compliant or resistive element between them"
            zeros = [e for e in equations if made(e.origin) is How.UNCONNECTED]
            open_ = [cut for cut in self.flat.open_cuts if cut.path and zeros and cut.path == zeros[0].origin.path]
            if len(open_) == 1:
                cut = f"{show_name(open_[0].path)}:{open_[0].cut}"
                notes.append(f"{cut} is not connected, hence {show_equation(zeros[0])}")
                hint = f"remove an equation, or connect {cut} to the component that determines the value"
        elif names:
            message = f"{len(equations)} equations for {counted(names)}: one too many"
            hint = self._start_meant(own) or "remove one of the equations"
        else:
            message = "this equation contains no unknown: it is redundant or inconsistent"
            hint = "remove it"
        labels = [Label(e.origin.span, show_equation(e)) for e in reversed(own[-MOST:])]
        labels += [x for x in map(self.declaration_of, second_first) if x is not None]
        labels += self.statements(equations)
        if not labels:
            labels = [Label(e.origin.span, show_equation(e)) for e in equations[:1]]
        return Diagnostic("S001", message, labels[0], tuple(distinct(labels)[1:4]), tuple(notes), hint)

    def _giving(self, equations: Sequence[Equation]) -> list[str]:
        """Components with a variable that is given a value, as in a source; not a number, as in a ground."""
        given = [e for e in equations if made(e.origin) is How.WRITTEN and len(e.variables) == 1]
        values = [e for e in given if "const" not in (e.left.op, e.right.op)]
        paths = dict.fromkeys([e.origin.path or e.variables[0].name[:-1] for e in values])
        return [show_name(path) for path in paths if path]

    def _start_meant(self, equations: Sequence[Equation]) -> str | None:
        """Hint for `local x = 1` where a derivative of x is determined: this holds at all times."""
        moving = {x.name for e in self.dae.equations for x in e.variables if x.order}
        for equation in equations:
            x, value = equation.left, equation.right
            if x.op == "variable" and x.name in moving and not x.order and not variables_of([value]):
                name = show_derivative(x.name, 0)
                start = f"local {name} (start={show_expr(value)})"
                return f"if {show_equation(equation)} holds at the start only, write `{start}`; else remove an equation"
        return None

    def _repeated(self, equations: Sequence[Equation]) -> Diagnostic | None:
        """Two lines that say the same, or two of the model that each give a value to the same variable."""
        pool = self.dae.pool
        seen: dict[Expr, Equation] = {}
        given: dict[Expr, Equation] = {}
        for equation in [e for e in equations if made(e.origin) is How.WRITTEN]:
            residual = pool.sub(equation.left, equation.right)
            first = seen.setdefault(residual, seen.get(pool.neg(residual), equation))
            if first is not equation and first.origin.span != equation.origin.span:
                return _two_lines("this equation is written twice", first, equation)
            if equation.left.op == "variable" and not equation.origin.path:
                first = given.setdefault(equation.left, equation)
                if first is not equation:
                    name = show_derivative(equation.left.name, equation.left.order)
                    return _two_lines(f"2 equations for 1 unknown: {name}: one too many", first, equation)
        return None

    def statements(self, equations: Sequence[Equation]) -> list[Label]:
        """The connect statements that made the equations."""
        spans: dict[Span, None] = {}
        for s in chain.from_iterable(whole_origin(e.origin).of for e in equations):
            spans[s.span] = None
            if len(spans) == MOST:
                break
        return [Label(span, "connected here") for span in spans]

    # --------------------------------------------------------------- too few

    def _too_few(self, under: list[Variable], part: Part) -> Diagnostic:
        names, paths = names_of(under), paths_of(v.origin for v in under)
        where = f" in {joined(paths)}" if paths else ""
        have = f"only {counted_equations(len(part.eqs))}" if part.eqs else "no equation"
        first = under[0].origin
        label = declaration(self.flat, first.path)
        equations = [self.dae.equations[e] for e in part.eqs]
        return Diagnostic(
            "S002",
            f"{have} for {counted(names)}{where}",
            label or Label(first.span, "cannot be determined"),
            (Label(first.span, "cannot be determined"),) if label else (),
            tuple([show_equation(e) for e in equations[:MOST]]),
            "add an equation or a connection, or make a variable known with --known",
        )

    def _surplus(self, paths: Iterable[Name]) -> Diagnostic | None:
        """A component with more equations than its variables and cuts leave room for."""
        written, wanted = self._written(), dict.fromkeys(paths)
        for component in self.flat.components:
            if component.path not in wanted:
                continue
            own, inside = written[component.path].variables, written[component.path].equations
            surplus = len(inside) + component.places - len(own)
            if surplus > 0:
                last = inside[-1]
                return Diagnostic(
                    "S001",
                    f"{show_name(component.path)} has {counted_equations(surplus)} too many: {len(inside)} of its own "
                    "and "
                    f"{component.places} from its cuts, for {counted([show_name(n) for n in own])}",
                    Label(component.span, about(component)),
                    (Label(last.origin.span, "last equation of the component"),),
                    help=f"remove an equation from class {component.class_name}",
                )
        return None

    def _written(self) -> dict[Name, "_Text"]:
        """The variables and equations of the class of each component."""
        texts = {c.path: _Text([], []) for c in self.flat.components}
        for v in self.flat.variables:
            if v.origin.how is How.WRITTEN and v.origin.path in texts:
                texts[v.origin.path].variables.append(v.symbol.name)
        for e in self.flat.equations:
            if e.origin.how is How.WRITTEN and e.origin.path in texts:
                texts[e.origin.path].equations.append(e)
        return texts

    # ----------------------------------------------------------------- places

    def declaration_of(self, shown: str) -> Label | None:
        """Declaration of the submodel of that name."""
        for component in self.flat.components:
            if show_name(component.path) == shown:
                return Label(component.span, about(component))
        return None


@dataclass(slots=True)
class _Text:
    """The variables and equations of a component's class."""

    variables: list[Name]
    equations: list[Equation]


def _two_lines(message: str, first: Equation, second: Equation) -> Diagnostic:
    return Diagnostic(
        "S001",
        message,
        Label(second.origin.span, show_equation(second)),
        (Label(first.origin.span, show_equation(first)),),
        help="remove one of the two",
    )
