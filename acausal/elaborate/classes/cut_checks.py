"""Checks of the cuts of a class alone: cycles, mixtures, ladders out of order, shapes."""

from collections.abc import Container

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.base.near_names import did_you_mean
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.ir import ast
from acausal.ir.model.classes import Cut, Default, GroupCut, Value
from acausal.ir.names import with_article


def cut_names(node: ast.Class) -> frozenset[str]:
    """The names of all cuts that a class itself declares, wherever it does."""
    return frozenset([c.name for i in node.items if isinstance(i, ast.CutDeclaration) for c in i.cuts])


def is_group(cut: ast.PlacesCut, own: Container[str], inherited: Container[str]) -> bool:
    """True if `(mech, elec)` lists cuts, of the class or inherited; C007 where it lists cuts and variables."""
    names = [p.name for p in (*cut.across, *cut.through) if isinstance(p, ast.VariablePlace) and not p.dimensions]
    groups = [n for n in names if n in own or n in inherited]
    if not groups:
        return False
    if len(groups) != len(cut.across) or cut.through:
        raise mistake(
            "C007",
            f"the cut {cut.name} mixes cuts and variables",
            cut.span,
            f"{groups[0]} is a cut",
            hint="declare a separate cut for the variables, then list cuts only: [A, B]",
        )
    return True


def check_ladder(cut: ast.PlacesCut) -> None:
    """C008 where the places of a ladder are not the derivatives of order 1, 2, ... of the first."""
    first = cut.across[0] if cut.across else None
    for number, place in enumerate(cut.across):
        if not isinstance(place, ast.LadderPlace):
            continue
        base = first.name if isinstance(first, ast.VariablePlace) else None
        if place.of != base or place.order != number:
            wanted = f"der({base})" if number == 1 else f"der({base}, {number})"
            hint = f"write {wanted} here" if base and number else "a ladder must begin with a variable: (q, der(q) / t)"
            message = "each place of a ladder must be the derivative of the previous one"
            raise mistake("C008", message, place.span, "out of order", hint=hint)


def check_place(known: Value | None, place: ast.VariablePlace) -> None:
    """C009 where a parameter is a place, C010 where a variable has two shapes."""
    if known is None:
        return
    if known.kind in ("parameter", "constant"):
        message = f"{place.name} is {with_article(known.kind)}: a cut must list variables"
        others = [(known.span, "declared here")]
        raise mistake("C009", message, place.span, others=others, hint="declare it in the cut only")
    if place.dimensions and known.dimensions != place.dimensions:
        others = [(known.span, "first declared here")]
        raise mistake(
            "C010",
            f"{place.name} has two shapes",
            place.span,
            "of another shape",
            others=others,
            hint="declare one shape",
        )


def check_groups(cuts: dict[str, Cut], most: int) -> None:
    """C001 for an unknown part, C011 for a group that contains itself, L005 for one of more than `most` cuts."""
    done: dict[str, int] = {}
    for root in cuts:
        open_: dict[str, None] = {}
        stack = [(root, False)]
        while stack:
            name, leaving = stack.pop()
            cut = cuts[name]
            if leaving:
                open_.pop(name, None)
                done[name] = sum(done.get(part, 1) for part in cut.parts) if isinstance(cut, GroupCut) else 1
                if done[name] > most:
                    message = f"the cut {name} contains {done[name]} cuts; the limit is {most}"
                    hint = "raise the limit with --limit array_size=NUMBER"
                    raise LimitError(Diagnostic("L005", message, Label(cut.span), help=hint))
            elif name in open_ and isinstance(cut, GroupCut):
                circle = " contains ".join([*list(open_)[list(open_).index(name) :], name])
                raise mistake("C011", f"a cut contains itself: {circle}", cut.span, hint="list other cuts")
            elif name not in done and isinstance(cut, GroupCut):
                open_[name] = None
                stack.append((name, True))
                for part in cut.parts:
                    if part not in cuts:
                        raise mistake(
                            "C001",
                            f"unknown cut {part}",
                            cut.span,
                            hint=did_you_mean(part, cuts) or "list cuts of this class",
                        )
                    stack.append((part, False))


def check_defaults(defaults: dict[str, Default], values: dict[str, Value]) -> None:
    """N002 for a default of nothing."""
    for name, default in defaults.items():
        if name not in values:
            hint = did_you_mean(name, values) or "a default must name a variable of the class"
            raise mistake("N002", f"unknown variable {name} in a default", default.span, hint=hint)


def one_main(item: ast.CutDeclaration) -> None:
    """C012 for two cuts in one `main cut`."""
    if item.main and len(item.cuts) > 1:
        names = ", ".join(c.name for c in item.cuts)
        span: Span = item.cuts[1].span
        raise mistake(
            "C012",
            "a class has at most one main cut",
            span,
            "second one",
            hint=f"combine them: main cut main [{names}]",
        )
