"""Parameters that are tunable whatever the model says, for analyses that vary them."""

from collections.abc import Collection
from dataclasses import replace

from acausal.ir.flat import FlatModel
from acausal.ir.names import show_name


def with_tunable(flat: FlatModel, names: Collection[str]) -> FlatModel:
    """The model with parameters of these names tunable; an array by the name of any of its elements."""
    if not names:
        return flat
    wanted = {name.rpartition("[")[0] if name.endswith("]") else name for name in names}
    made = [replace(p, tunable=True) if show_name(p.symbol.name) in wanted else p for p in flat.parameters]
    return replace(flat, parameters=tuple(made))
