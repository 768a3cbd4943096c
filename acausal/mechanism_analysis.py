"""The mechanism of a model and what is computed of it, as users have it: `t.mechanism()`."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_path
from acausal.mechanism.model import Body, Closure, ForceElement, Joint, Mechanism
from acausal.mechanism.overview import overview, overview_data
from acausal.mechanism.structure.structure import Structure, structure
from acausal.mechanism.structure.texts import structure_data, structure_text

if TYPE_CHECKING:
    from acausal.mechanism.checks.power_balance import EnergyCheck
    from acausal.mechanism.formulations.formulation import Formulation
    from acausal.mechanism.functions.tree_functions import TreeFunctions
    from acausal.mechanism.kinematics.pose import Pose
    from acausal.mechanism.parameters.tree_parameters import TreeParameters
    from acausal.mechanism.statics.mobility import Mobility
    from acausal.mechanism.statics.reactions import Reactions
    from acausal.results.result import Result

Run = Callable[[float | None, bool], "Result"]
"""A run up to a time (None: as the model says), or the first instant alone."""
Compliances = Mapping[str, float | tuple[float, float]]


class MechanismAnalysis:
    """A mechanism: `model` are its joints, bodies, loops and forces (`acausal.mechanism.model`)."""

    def __init__(self, model: Mechanism, run: Run) -> None:
        self.model = model
        self._run = run
        self._last: tuple[float | None, Result] | None = None

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
    def functions(self) -> "TreeFunctions":
        """Dynamics and kinematics as functions; ModelError M020 for joints whose motion is not known."""
        from acausal.mechanism.functions.tree_functions import TreeFunctions
        from acausal.mechanism.tree import rigid_tree

        return TreeFunctions(rigid_tree(self.model))

    @cached_property
    def parameters(self) -> "TreeParameters":
        """Inertial parameters: regressors, base parameters, identification, exciting trajectories."""
        from acausal.mechanism.parameters.tree_parameters import TreeParameters

        functions = self.functions
        if not functions.tree.closures:
            return TreeParameters(functions)
        value = _last_of(self._result(None))
        return TreeParameters(functions, [value(name) for name in functions.positions])

    def formulation(self, name: str) -> "Formulation":
        """Equations of motion as functions: explicit, recursive, absolute, mbsdir or mbsinv."""
        from acausal.mechanism.formulations.formulation import formulation

        return formulation(self.functions.tree, name)

    @cached_property
    def structure(self) -> Structure:
        """System graph, spanning tree with regular labels, incidence, path, cutset and circuit matrices."""
        return structure(self.model)

    def degrees_of_freedom(self, at: float | None = None) -> "Mobility":
        """Degrees of freedom by counting and by rank, and the redundancy of the constraints.

        The rank is that at the pose of the time `at` [s] (default: the start) and at random poses beside it.
        """
        from acausal.mechanism.statics.mobility import mobility

        return mobility(self.model, self.structure.graph, self.pose(at))

    def reactions(
        self, at: float | None = None, *, axes: str = "joint", compliances: Compliances | None = None
    ) -> "Reactions":
        """Forces [N] and torques [N.m] of all joints at a time [s] (default: the start), and whether they are unique.

        `axes` are "joint" or "inertial". Where reactions are not unique, they are those of minimum norm, or of elastic
        joints: `compliances` by the names of joints are numbers [m/N], or pairs with that of torques [rad/(N.m)].
        UsageError F006 for unknown axes and for compliances with the libraries of regrouped parameters, whose cuts do
        not carry the forces of the joints (values are None then), F005 for unknown joints.
        """
        from acausal.mechanism.checks.run_check import REGROUPED, need_forces
        from acausal.mechanism.statics.reactions import reactions
        from acausal.mechanism.statics.request import reaction_request

        if compliances:
            need_forces(self.model, "this")
        result = self._result(at)
        asked = reaction_request(self.model, self.structure.graph, result, axes, compliances)
        known = None if self.model.library.endswith(REGROUPED) else _last_of(result)
        return reactions(self.model, self.structure.graph, self.pose(at), asked, known)

    def check_energy(self, stop: float | None = None) -> "EnergyCheck":
        """Balances of power, momentum and energy of a run (to `stop` [s]; default: as the model says).

        UsageError F006 for the libraries with regrouped parameters, whose cuts do not carry the forces of the joints.
        """
        from acausal.mechanism.checks.power_balance import check_energy
        from acausal.mechanism.checks.run_check import need_forces

        need_forces(self.model, "this check")
        return check_energy(self.model, self._run(stop, False))

    def pose(self, at: float | None = None) -> "Pose":
        """Where all frames are at a time [s] (default: the start), with loops closed to rounding."""
        from acausal.mechanism.kinematics.loops import closed
        from acausal.mechanism.kinematics.pose import can_move, pose_of_values

        found = pose_of_values(self.model, _last_of(self._result(at)))
        return (closed(self.model, found) or found) if can_move(self.model) else found

    def graph(self, folder: str | Path | None = None) -> str:
        """The system graph as SVG: bodies, joints of the spanning tree, and dashed chords.

        Its elements lead to the lines of the text, by addresses seen from `folder` (None: the current one).
        """
        from acausal.mechanism.structure.picture import picture
        from acausal.render.svg import Svg

        return Svg(picture(self.model, self.structure, None if folder is None else as_path("folder", folder)))

    def matrices(self) -> str:
        """The spanning tree, its chords, and the matrices S, T and B_b as text."""
        return structure_text(self.structure)

    def report(
        self,
        at: float | None = None,
        *,
        axes: str = "joint",
        compliances: Compliances | None = None,
        matrices: bool = False,
    ) -> str:
        """Tables of bodies, joints and loops, degrees of freedom and reactions, at a time [s] (default: the start)."""
        from acausal.mechanism.statics.texts import mobility_text, reactions_text

        parts = [overview(self.model)]
        parts += [structure_text(self.structure)] if matrices else []
        parts += [mobility_text(self.degrees_of_freedom(at))]
        parts += [reactions_text(self.reactions(at, axes=axes, compliances=compliances))]
        return "\n\n".join(parts)

    def data(
        self, at: float | None = None, *, axes: str = "joint", compliances: Compliances | None = None
    ) -> dict[str, object]:
        """Bodies, joints, loops, structure, degrees of freedom and reactions as plain data."""
        from acausal.mechanism.statics.texts import mobility_data, reactions_data

        return {
            **overview_data(self.model),
            "structure": structure_data(self.structure),
            **mobility_data(self.degrees_of_freedom(at)),
            **reactions_data(self.reactions(at, axes=axes, compliances=compliances)),
        }

    def _result(self, at: float | None) -> "Result":
        """The run up to a time; the last one is kept."""
        if self._last is None or self._last[0] != at:
            self._last = at, self._run(at, at is None)
        return self._last[1]

    def __str__(self) -> str:
        return overview(self.model)

    def __repr__(self) -> str:
        return f"<MechanismAnalysis {self.model.model}>"


def _last_of(result: "Result") -> Callable[[str], float]:
    """The last values of variables by name."""
    return lambda name: float(result[name][-1])
