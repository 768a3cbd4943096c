"""From the names that a user gives to the variables of a model."""

import re
from collections.abc import Iterable, Sequence

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.near_names import did_you_mean
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel
from acausal.ir.names import show_name, without_indices


def find_outputs(dae: Dae, names: Iterable[str]) -> tuple[Expr, ...]:
    """The variables with these names; UsageError N030 where there is none.

    A name without indices stands for all elements of an array.
    """
    wanted = list(names)
    if not wanted:
        return ()
    firsts = _firsts(wanted)
    symbols = [v.symbol for v in (*dae.inputs, *dae.variables, *(a.variable for a in dae.aliases))]
    table = _table([x for x in symbols if x.name[0] in firsts])
    if any(name not in table for name in wanted):
        table = _table(symbols)
    return tuple([symbol for name in wanted for symbol in _found(table, name)])


def named_outputs(flat: FlatModel, names: Sequence[str]) -> tuple[str, ...]:
    """The names, if there is a variable or an array for each; else none: all is wanted to name what there is."""
    if not names:
        return ()
    firsts = _firsts(names)
    known = {show_name(v.symbol.name) for v in flat.variables if v.symbol.name[0] in firsts}
    return tuple(names) if all(x in known or x.rpartition("[")[0] in known for x in names) else ()


def _firsts(names: Iterable[str]) -> set[str]:
    """The first parts of the names."""
    return {re.split(r"[.\[]", name, maxsplit=1)[0] for name in names}


def wanted_arrays(symbols: Iterable[Expr], names: Iterable[str]) -> set[Expr]:
    """The arrays of which the names want all or some elements."""
    wanted = {part for name in names for part in (name, name.rpartition("[")[0])}
    return {x for x in symbols if x.shape and show_name(x.name) in wanted}


def _table(symbols: Iterable[Expr]) -> dict[str, list[Expr]]:
    """By name as it is written; also an array's elements by the name of the array."""
    table: dict[str, list[Expr]] = {}
    for symbol in symbols:
        table.setdefault(show_name(symbol.name), []).append(symbol)
        if isinstance(symbol.name[-1], int):
            table.setdefault(show_name(without_indices(symbol.name)), []).append(symbol)
    return table


def _found(table: dict[str, list[Expr]], name: str) -> list[Expr]:
    found = table.get(name)
    if found is None:
        raise UsageError(Diagnostic("N030", f"unknown variable {name}", help=did_you_mean(name, table)))
    return found
