"""The mechanism of a model and what is computed of it, as users have it: `t.mechanism()`."""

from functools import cached_property

from acausal.mechanism.functions.tree_functions import TreeFunctions
from acausal.mechanism.model import Body, Closure, ForceElement, Joint, Mechanism
from acausal.mechanism.overview import overview, overview_data
from acausal.mechanism.tree import rigid_tree


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

    @cached_property
    def functions(self) -> TreeFunctions:
        """Dynamics and kinematics as functions; ModelError M020 for joints whose motion is not known."""
        return TreeFunctions(rigid_tree(self.model))

    def data(self) -> dict[str, object]:
        """Everything that was found, as plain data."""
        return overview_data(self.model)

    def __str__(self) -> str:
        return overview(self.model)

    def __repr__(self) -> str:
        return f"<MechanismAnalysis {self.model.model}>"
