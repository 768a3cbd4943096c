"""The mechanism of a model and what is computed of it, as users have it: `t.mechanism()`."""

from acausal.mechanism.model import Body, Closure, ForceElement, Joint, Mechanism
from acausal.mechanism.overview import overview, overview_data


class MechanismAnalysis:
    """A mechanism: `model` are its joints, bodies, loops and forces (`acausal.mechanism.model`)."""

    def __init__(self, model: Mechanism) -> None:
        self.model = model

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints, from the inertial frame outward."""
        return self.model.joints

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The rigid bodies; 0 is the ground."""
        return self.model.bodies

    @property
    def loops(self) -> tuple[Closure, ...]:
        """The closures of loops."""
        return self.model.closures

    @property
    def forces(self) -> tuple[ForceElement, ...]:
        """Springs, dampers, actuators and loads."""
        return self.model.forces

    def data(self) -> dict[str, object]:
        """Everything that was found, as plain data."""
        return overview_data(self.model)

    def __str__(self) -> str:
        return overview(self.model)

    def __repr__(self) -> str:
        return f"<MechanismAnalysis {self.model.model}>"
