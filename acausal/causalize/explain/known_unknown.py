"""Effects of the user's `--known` and `--unknown` on too many or too few equations."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.causalize.index.reduce_index import StructuralFaultError
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel
from acausal.ir.names import listed, show_name
from acausal.ir.walk import postorder

MOST = 4
TOO_FEW = "S002"


def with_roles(error: ModelError, flat: FlatModel, dae: Dae, fault: StructuralFaultError) -> ModelError:
    """The error, with what was made known or unknown and what could be in exchange."""
    (first,) = error.report.diagnostics
    over, under = fault.singular.over, fault.singular.under
    equations = [e for part in over for e in part.eqs]
    unknowns = [fault.unknowns[v] for part in under for v in part.vars]
    changed = first
    if unknowns and flat.unknown:
        changed = _unknown_besides(changed, flat, unknowns)
    if equations and flat.known:
        changed = _known_besides(changed, flat, dae, equations)
    if changed is first and first.code == TOO_FEW and flat.own_cuts:
        changed = _open_interface(first, flat, unknowns)
    return error if changed is first else ModelError(changed)


def _known_besides(first: Diagnostic, flat: FlatModel, dae: Dae, equations: Sequence[int]) -> Diagnostic:
    """Too many equations, as a variable was made known and nothing unknown in its place."""
    leaves = _leaves(dae, equations)
    names = [show_name(n) for n in flat.known if any(x.op == "variable" and x.name[: len(n)] == n for x in leaves)]
    if not names:
        return first
    signals = {v.symbol.name for v in dae.inputs if not any(v.symbol.name[: len(n)] == n for n in flat.known)}
    folded = {show_name(x.name) for x in dae.folded}
    free = [show_name(x.name) for x in leaves if x.op == "parameter" and show_name(x.name) not in folded]
    free += [show_name(x.name) for x in leaves if x.op == "variable" and x.name in signals]
    verb = "is" if len(names) == 1 else "are"
    whom = "it" if len(names) == 1 else "them"
    note = f"{listed(names, MOST)} {verb} made known, but the equations already determine {whom}"
    if free:
        ways = " or --unknown ".join(list(dict.fromkeys(free))[:MOST])
        hint = f"make the variable to solve for unknown: --unknown {ways}"
    else:
        hint = f"omit --known {names[0]}, or make a parameter or an input unknown with --unknown"
    return replace(first, notes=(note, *first.notes), help=hint)


def _unknown_besides(first: Diagnostic, flat: FlatModel, unknowns: Sequence[Expr]) -> Diagnostic:
    """Too few equations, as a parameter or input was made unknown and nothing known in its place."""
    names = [show_name(n) for n in flat.unknown if any(x.name == n for x in unknowns)]
    if not names:
        return first
    given = set(flat.unknown)
    others = [show_name(x.name) for x in unknowns if x.name not in given and not x.order]
    verb = "is" if len(names) == 1 else "are"
    note = f"{listed(names, MOST)} {verb} made unknown, but no equation determines {'it' if verb == 'is' else 'them'}"
    if others:
        hint = f"make the prescribed variable known: --known {' or --known '.join(others[:MOST])}"
    else:
        hint = f"omit --unknown {names[0]}: no equation relates it to a variable that can be made known"
    return replace(first, notes=(note, *first.notes), help=hint)


def _open_interface(first: Diagnostic, flat: FlatModel, unknowns: Sequence[Expr]) -> Diagnostic:
    """Too few equations of a class with open cuts."""
    own = {v.symbol.name for v in flat.variables if v.kind == "cut" and len(v.origin.path) == 0}
    names = [show_name(x.name) for x in unknowns if x.name in own and not x.order]
    if not names:
        return first
    hint = f"{flat.name} has unconnected cuts: make their variables known, as in --known {names[0]}"
    return replace(first, help=hint)


def _leaves(dae: Dae, equations: Iterable[int]) -> list[Expr]:
    sides = [side for e in equations if e < len(dae.equations) for side in _sides(dae, e)]
    found = [n for n in postorder(sides) if n.op in ("variable", "parameter")]
    return sorted(found, key=lambda x: x.serial)


def _sides(dae: Dae, e: int) -> tuple[Expr, Expr]:
    return dae.equations[e].left, dae.equations[e].right
