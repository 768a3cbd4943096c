"""Base inertial parameters of a tree by rules: the combinations of standard parameters that have an effect.

Masses on the axis of a joint move with the body before the joint as well as with the one behind it, so they may be
counted there. Of the body behind a joint with the axis e, whose parameters are the mass m, the first moments h and the
inertia S,

    a hinge       hands inward    m, e*dot(e, h), and d*(E - e e^T) with d = u^T S u for a unit vector u across e
    a slide                       S
    a screw                       d*(E - e e^T)
    a ball                        m

Then what is left has no effect where a body cannot turn, or only about one direction: see `_kept`. Sources: Gautier,
Khalil, Direct calculation of minimum set of inertial parameters of serial robots, IEEE Trans. Robotics and Automation 6
(1990) 368-373; Mayeda, Yoshida, Osuka, Base parameters of manipulator dynamic models, the same 6 (1990) 312-321;
Raucent, Samin, Minimal parametrization of robot dynamic models, Mechanics of Structures and Machines 22 (1994) 371-396.
The rules hold for joints in general position; axes that meet without need have fewer parameters, which the
numerical decomposition finds (`independent`).
"""

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.mechanism.functions.mass_matrix import carried_body, joined
from acausal.mechanism.parameters.freedom import Freedom, freedoms_of
from acausal.mechanism.parameters.standard import symbolic_bodies
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Inertia, Placement, RigidTree, TreeJoint
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra


@record(frozen=True, slots=True)
class BaseParameter:
    """A base parameter: its name, and its `expression` in the standard parameters (`standard.symbolic_bodies`)."""

    name: str
    expression: Expr


def regrouped(tree: RigidTree) -> tuple[BaseParameter, ...]:
    """The base parameters of a tree, body by body from the base outward."""
    algebra = VectorAlgebra(tree.pool)
    freedoms = freedoms_of(tree)
    bodies = symbolic_bodies(algebra, tree)
    found: list[list[BaseParameter]] = []
    for i in reversed(range(len(tree.joints))):
        joint, freedom = tree.joints[i], freedoms[i]
        handed, rest = _handed_inward(algebra, joint, bodies[i], freedom)
        if joint.parent != BASE:
            fixed = Placement(joint.placement.rotation, joint.placement.origin)
            bodies[joint.parent] = joined(algebra, bodies[joint.parent], carried_body(algebra, fixed, handed))
        found.append(_kept(algebra, joint, rest, freedom))
    found.reverse()
    return tuple([parameter for part in found for parameter in part])


def _handed_inward(
    algebra: VectorAlgebra, joint: TreeJoint, body: Inertia, freedom: Freedom
) -> tuple[Inertia, Inertia]:
    """The part of a body that may be counted before the joint, and the rest."""
    zero, pool = algebra.pool.zero, algebra.pool
    nothing: Matrix = (algebra.zeros,) * 3
    mass, moment, inertia = zero, algebra.zeros, nothing
    if joint.kind in ("revolute", "spherical"):
        mass = body.mass
    if joint.kind in ("revolute", "screw"):
        axis, (across, _) = joint.axis, freedom.across
        size = algebra.dot(across, algebra.times(body.inertia, across))
        outer = tuple([tuple([pool.mul(x, y) for y in axis]) for x in axis])
        inertia = algebra.scale_matrix(size, algebra.add_matrices(algebra.identity, _negative(algebra, outer)))
    if joint.kind == "revolute":
        moment = algebra.scale(algebra.dot(joint.axis, body.moment), joint.axis)
    if joint.kind == "prismatic":
        inertia = body.inertia
        if freedom.rotation == "axis" and freedom.slides_along:
            moment = _across(algebra, body.moment, joint.axis)
    rest = Inertia(
        pool.sub(body.mass, mass),
        algebra.sub(body.moment, moment),
        algebra.add_matrices(body.inertia, _negative(algebra, inertia)),
    )
    return Inertia(mass, moment, inertia), rest


def _kept(algebra: VectorAlgebra, joint: TreeJoint, rest: Inertia, freedom: Freedom) -> list[BaseParameter]:
    """The parameters of the rest that have an effect.

    Without rotation it is the mass. Where a body turns about one direction e only, it is the moment of inertia about
    e, the first moments across e unless its origin is at rest and gravity has no moment about e, and the mass where
    the joint slides.
    """
    u, w, e = (*freedom.across, freedom.axis)
    inertia = [_form(algebra, rest.inertia, a, b) for a, b in ((e, e), (u, w), (u, e), (w, e), (w, w), (u, u))]
    moments = [algebra.dot(rest.moment, a) for a in (u, w, e)]
    names = _names(freedom)
    values = (*inertia, *moments, rest.mass)
    if joint.kind == "screw" and freedom.rotation == "axis" and not freedom.has_mass:
        assert joint.pitch is not None
        about = algebra.pool.add(inertia[0], algebra.pool.mul(joint.pitch, joint.pitch, rest.mass))
        values = (about, *values[1:])
    kept = _effective(joint, freedom)
    return [BaseParameter(f"{joint.name}.{names[k]}", values[k]) for k in range(len(values)) if k in kept]


def _names(freedom: Freedom) -> list[str]:
    """The names of inertia, first moments and mass, by the letters of the directions."""
    u, w, e = tuple(freedom.letters)
    pairs = ["".join(sorted(pair)) if u in "xyz" else pair for pair in (e + e, u + w, u + e, w + e)]
    return [*[f"I{pair}" for pair in (*pairs, w + w, u + u)], f"m{u}", f"m{w}", f"m{e}", "m"]


def _effective(joint: TreeJoint, freedom: Freedom) -> tuple[int, ...]:
    """Places of the parameters with an effect: 0 to 5 inertia, 6 to 8 first moments, 9 mass."""
    if freedom.rotation == "none":
        return (9,)
    if freedom.rotation == "general":
        return {
            "revolute": (0, 1, 2, 3, 4, 6, 7),
            "prismatic": (6, 7, 8, 9),
            "screw": (0, 1, 2, 3, 4, 6, 7, 8, 9),
            "spherical": tuple(range(9)),
        }[joint.kind]
    about = () if joint.kind == "prismatic" else (0,)
    moments = (6, 7) if freedom.has_moments and not freedom.slides_along else ()
    return (*about, *moments, *((9,) if freedom.has_mass else ()))


def _form(algebra: VectorAlgebra, matrix: Matrix, a: Vector, b: Vector) -> Expr:
    return algebra.dot(a, algebra.times(matrix, b))


def _across(algebra: VectorAlgebra, a: Vector, axis: Vector) -> Vector:
    return algebra.sub(a, algebra.scale(algebra.dot(axis, a), axis))


def _negative(algebra: VectorAlgebra, matrix: Matrix) -> Matrix:
    return algebra.scale_matrix(algebra.pool.const(-1.0), matrix)
