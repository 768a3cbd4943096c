"""Inertial parameters of a mechanism, as users have them: `t.mechanism().parameters`."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.flat import numbers_of
from acausal.mechanism.functions.tree_function import TreeFunction, flat
from acausal.mechanism.functions.tree_functions import TreeFunctions
from acausal.mechanism.parameters.independent import IndependentColumns, independent_columns
from acausal.mechanism.parameters.regressor import base_regressor, effort_regressor
from acausal.mechanism.parameters.regrouping import BaseParameter, regrouped
from acausal.mechanism.parameters.standard import COUNT, SYMBOLS, names_of, standard_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array
    from acausal.mechanism.parameters.closed_loops import ClosedLoops
    from acausal.mechanism.parameters.excitation import Excitation
    from acausal.mechanism.parameters.identification import Identification

STATES = 20
"""Random states for each standard parameter of a body at which regressors are taken."""


class TreeParameters:
    """Standard and base parameters of a mechanism; `names` are those of the standard parameters, ten a body.

    inverse dynamics = regressor(q, v, a) @ values. Where loops are closed this holds along motions of the mechanism
    alone (`closed_loops`); they are closed at the positions `start`, which are needed then.
    """

    def __init__(self, functions: TreeFunctions, start: Sequence[float] | None = None) -> None:
        self.functions = functions
        self._start = start
        self.names = names_of(functions.tree)

    @cached_property
    def values(self) -> "Array":
        """The standard parameters of the model [kg.m2, kg.m, kg]."""
        import numpy as np

        known = numbers_of(self.functions.tree.parameters)
        return np.array([evaluated(x, known) for x in standard_values(self.functions.tree)])

    @cached_property
    def regressor(self) -> TreeFunction:
        """Y(q, v, a), (nv, 10 n): efforts [N.m, N] are Y times the standard parameters."""
        return self._function("regressor", effort_regressor(self.functions.tree))

    @cached_property
    def base_regressor(self) -> TreeFunction:
        """(6, 10 n): force [N] and torque [N.m] about the origin, by the base on the mechanism, in inertial axes."""
        return self._function("base_regressor", base_regressor(self.functions.tree))

    def _function(self, name: str, rows: tuple[tuple[Expr, ...], ...]) -> TreeFunction:
        f = self.functions
        shape = len(rows), len(self.names)
        return TreeFunction(name, f.tree.pool, (f.q, f.v, f.a), shape, flat(rows), f.tree.parameters)

    @cached_property
    def base_parameters(self) -> tuple[BaseParameter, ...]:
        """The base parameters by rules, with their expressions in the standard parameters.

        UsageError F006 for closed loops, which have less than their trees.
        """
        self._need_tree("rules", "`independent` has the base parameters of closed loops")
        return regrouped(self.functions.tree)

    @cached_property
    def regrouping(self) -> "Array":
        """K (nb, 10 n) of the rules: base parameters are K times the standard parameters."""
        import numpy as np

        tree = self.functions.tree
        known = numbers_of(tree.parameters)
        leaves = [tree.pool.parameter((joint.name, symbol)) for joint in tree.joints for symbol in SYMBOLS]
        rows = np.zeros((len(self.base_parameters), len(leaves)))
        for k, leaf in enumerate(leaves):
            unit = {**known, **{other: float(other is leaf) for other in leaves}}
            rows[:, k] = [evaluated(parameter.expression, unit) for parameter in self.base_parameters]
        return rows

    @cached_property
    def independent(self) -> IndependentColumns:
        """The base parameters by a QR decomposition of the regressor at random states, with closed loops."""
        import numpy as np

        return independent_columns(np.concatenate([*self.random_observations(1)]))

    def identify(self, q: "ArrayLike", v: "ArrayLike", a: "ArrayLike", tau: "ArrayLike") -> "Identification":
        """Base parameters from m samples of q (m, nq), v, a and efforts tau (m, nv), by weighted least squares.

        With closed loops samples satisfy the constraints, and efforts of joints without a drive are zero.
        UsageError F006 for samples of other shapes, or that do not determine the parameters.
        """
        import numpy as np

        from acausal.mechanism.parameters.identification import identify, need_efforts

        rows = self.regressor.batch(q, v, a)
        efforts = need_efforts(rows, tau)
        if self._loops is not None:
            rows, efforts = self._loops.projected(np.asarray(q, dtype=float), rows, efforts)
        return identify(self.names, rows, self.independent, efforts)

    def exciting_trajectory(
        self,
        period: float,
        limits: "Mapping[str, tuple[float, float]] | None" = None,
        velocity: float = 3.0,
        acceleration: float = 20.0,
        harmonics: int = 3,
        samples: int = 60,
        independent: "Sequence[str]" = (),
    ) -> "Excitation":
        """Periodic motion for identification: `period` [s], limits of q by name, of all velocities and accelerations.

        The condition of the regressor is minimized over Fourier series (`excitation`). With closed loops these are
        of as many positions as there are degrees of freedom: the `independent` ones, else those that determine the
        motion best; the others follow, on the branch of the start. A position with a series stays within 1 (rad, m) of
        zero, with closed loops of its start, unless limits are given. UsageError F005 for names of no position, F006
        for ball joints of a tree, for positions that do not determine the motion, and without a motion within limits.
        """
        from acausal.mechanism.parameters.excitation import exciting_trajectory
        from acausal.mechanism.parameters.motions import LoopMotions, Motions, TreeMotions, need_positions

        tree, given = self.functions.tree, dict(limits or {})
        motions: Motions
        if self._loops is not None:
            motions = LoopMotions(tree, self._loops, tuple(independent))
        elif independent:
            hint = "give limits of those that are to move little, not names in `independent`"
            raise UsageError(Diagnostic("F006", f"all positions of {tree.name} are independent", help=hint))
        else:
            motions = TreeMotions(tree)
        need_positions(tree.name, motions.places, tuple(given))
        return exciting_trajectory(motions, self._columns, period, given, velocity, acceleration, harmonics, samples)

    def _columns(self, q: "Array", v: "Array", a: "Array") -> "Array":
        """The independent columns of the regressor for rows of q, v and a, with closed loops projected."""
        found: Array = self.regressor.batch(q, v, a)[:, :, self.independent.columns]
        return found if self._loops is None else self._loops.projected(q, found)[0]

    def random_observations(self, seed: int) -> "Array":
        """The regressors (m, nv, 10 n) at random states, the same for a seed; with closed loops (m, d, 10 n).

        d is then the number of degrees of freedom.
        """
        import numpy as np

        tree = self.functions.tree
        rng = np.random.default_rng(seed)
        count = STATES * max(1, len(self.names) // COUNT)
        if self._loops is not None:
            q, v, a = self._loops.random_states(count, seed)
            return self._loops.projected(q, self.regressor.batch(q, v, a))[0]
        parts = [rng.normal(size=(count, len(joint.positions))) for joint in tree.joints]
        for joint, part in zip(tree.joints, parts, strict=True):
            if joint.kind == "spherical":
                part /= np.linalg.norm(part, axis=1)[:, None]
        v, a = rng.normal(size=(2, count, len(tree.velocities)))
        return self.regressor.batch(np.concatenate([*parts, np.zeros((count, 0))], axis=1), v, a)

    @cached_property
    def _loops(self) -> "ClosedLoops | None":
        import numpy as np

        from acausal.mechanism.parameters.closed_loops import ClosedLoops

        if not self.functions.tree.closures:
            return None
        assert self._start is not None
        return ClosedLoops(self.functions, np.array(self._start))

    def _need_tree(self, what: str, hint: str) -> None:
        """UsageError F006 for closed loops."""
        if self.functions.tree.closures:
            message = f"{self.functions.tree.name} has closed loops: {what} are for trees"
            raise UsageError(Diagnostic("F006", message, help=hint))
