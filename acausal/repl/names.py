"""Values by name: those with a name of the session, the last result, the parameters of the model."""

from typing import TYPE_CHECKING

from acausal.base.near_names import unknown_name
from acausal.repl.model import Model
from acausal.repl.state import misunderstood

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.results.expressions import Values


class Names:
    """The variables of an expression; with a `complaint` it is one of numbers, and a variable over time an error."""

    def __init__(self, model: Model, complaint: str = "") -> None:
        self._model = model
        self._complaint = complaint

    @property
    def time(self) -> "NDArray[np.float64]":
        """The instants of the last result."""
        import numpy as np

        last = self._model.state.last
        return np.zeros(0) if last is None else last.time

    def __getitem__(self, name: str) -> "Values":
        """The values of a name; UsageError F005 or F010 where there are none."""
        import numpy as np

        model, last = self._model, self._model.state.last
        stored = model.state.values.get(name)
        if stored is not None and not (self._complaint and stored.value.ndim):
            if stored.value.ndim and stored.result is not last:
                raise misunderstood(f"{name} was computed from an earlier result", f"compute it again: {name} = ...")
            return stored.value
        if model.state.source is None:
            hint = "simulate" if not self._complaint else f"{name} has no value"
            raise misunderstood(self._complaint or "no result yet", hint)
        if last is not None and not self._complaint and name not in last.columns and name in last.parameters:
            return np.asarray(last.parameters[name].value)
        if last is not None and not self._complaint and (name in last or name not in model.parameters()):
            return last[name]
        if name in model.parameters():
            return np.asarray(model.parameter_value(name))
        if self._complaint:
            raise misunderstood(
                self._complaint, f"{name} is not available here: use numbers, parameters, and values as m = max(x)"
            )
        if name in model.variable_names():
            raise misunderstood("no result yet", "simulate")
        raise unknown_name("variable or parameter", name, (*model.variable_names(), *model.parameters()))

    def at(self, t: float) -> "dict[str, float]":
        """All values at one instant of the last result."""
        return self._model.result.at(t)
