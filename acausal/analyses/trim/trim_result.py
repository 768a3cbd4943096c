"""Operating points found by trim."""

from collections.abc import Mapping

from acausal.simulate.state.state import State


class Trim:
    """Operating point: `values` of what was free, `outputs`, `states` and `inputs` by name, `residuals` by equation.

    `units` are those of all names (None: without). `state` is the point for `simulate(start_from=...)`.
    """

    def __init__(
        self,
        name: str,
        values: Mapping[str, float],
        outputs: Mapping[str, float],
        state: State,
        residuals: Mapping[str, float],
        units: Mapping[str, str | None],
    ) -> None:
        self.name = name
        self.values = dict(values)
        self.outputs = dict(outputs)
        self.state = state
        self.states = {name: state[name] for name in state.names}
        self.inputs = dict(state.inputs)
        self.residuals = dict(residuals)
        self.units = dict(units)

    def __getitem__(self, name: str) -> float:
        return {**self.states, **self.outputs, **self.inputs, **self.values}[name]

    def data(self) -> dict[str, object]:
        """All as data."""
        return {
            "model": self.name,
            "time": self.state.time,
            "values": self.values,
            "outputs": self.outputs,
            "states": self.states,
            "inputs": self.inputs,
            "residuals": self.residuals,
            "units": {name: self.units.get(name) for name in {**self.values, **self.outputs, **self.states}},
        }

    def __repr__(self) -> str:
        return f"<Trim {self.name}: {', '.join([f'{n} = {x:g}' for n, x in self.values.items()])}>"

    def __str__(self) -> str:
        lines = [f"operating point of {self.name}"]
        for title, values in (("free", self.values), ("outputs", self.outputs), ("states", self.states)):
            if values:
                lines.append(f"{title}:")
                width = max(map(len, values))
                units = {name: self.units.get(name) for name in values}
                lines += [
                    f"  {n.ljust(width)}  {x:.10g}{f' {units[n]}' if units[n] else ''}" for n, x in values.items()
                ]
        worst = max(map(abs, self.residuals.values()), default=0.0)
        return "\n".join([*lines, f"largest residual: {worst:.2g}"])
