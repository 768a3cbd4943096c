"""Structural faults in the user's words: components, cuts, connect statements.

The fault is searched for twice: first in the equations as they are written, where every variable and
equation still belongs to its component; then, if these have as many unknowns everywhere, in those
without aliases, where a balance of through variables that only repeats the others has become 0 = 0.
"""

from collections.abc import Mapping, Sequence
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
from acausal.causalize.explain.surplus_equations import (
    given_components,
    repeated_equation,
    start_meant,
    surplus_of_component,
)
from acausal.causalize.index.reduce_index import StructuralFaultError, structure_of
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.names import listed, show_name
from acausal.ir.origin import How
from acausal.ir.show.expressions import show_equation
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
        repeated = repeated_equation(self.dae.pool, equations)
        if repeated is not None:
            return repeated
        surplus = surplus_of_component(self.flat, [e.origin.path for e in equations])
        if surplus is not None:
            return surplus
        count = equations_of(e.origin for e in equations if made(e.origin) is not How.LADDER)
        left = paths_of(v.origin for v in missing[0]) if missing else []
        giving = given_components(equations)
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
            hint = start_meant(self.dae, own) or "remove one of the equations"
        else:
            message = "this equation contains no unknown: it is redundant or inconsistent"
            hint = "remove it"
        labels = [Label(e.origin.span, show_equation(e)) for e in reversed(own[-MOST:])]
        labels += [x for x in map(self.declaration_of, second_first) if x is not None]
        labels += self.statements(equations)
        if not labels:
            labels = [Label(e.origin.span, show_equation(e)) for e in equations[:1]]
        return Diagnostic("S001", message, labels[0], tuple(distinct(labels)[1:4]), tuple(notes), hint)

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

    # ----------------------------------------------------------------- places

    def declaration_of(self, shown: str) -> Label | None:
        """Declaration of the submodel of that name."""
        for component in self.flat.components:
            if show_name(component.path) == shown:
                return Label(component.span, about(component))
        return None
