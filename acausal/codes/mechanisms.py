"""Codes of mechanisms."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "M001": CodeEntry(
        title="the model has no mechanism",
        meaning=(
            "A mechanism is made of joints and bodies of the multibody libraries (mbsdir.lib, mbsinv.lib), or of "
            "classes that inherit from theirs, connected to an Inertial. Shafts and masses of rotational.lib and "
            "translational.lib are none."
        ),
        example="model M\n  local x (start=0)\n  der(x) = 1\nend",
        fix="Include @mbsdir.lib and connect joints to an Inertial; examples/double_pendulum.mdl is a small one.",
        command="acausal mechanism example.mdl",
    ),
    "M020": CodeEntry(
        title="the motion of a joint is not known",
        meaning=(
            "The functions of a mechanism, `t.mechanism().functions`, are made from the joints of the library: "
            "Revolute, Prismatic, Screw, Spherical, and those that consist of them. A class that inherits JointQ or "
            "Frame and has equations of its own for the motion can be simulated, but is not one of these. Nor is a "
            "joint that is locked from the start to the end."
        ),
        example=(
            "@mbsdir.lib\n"
            "model class (JointQ) Curve\n"
            "  Tri = identity(3)\n"
            "  rri = [q, q^2, 0]\n"
            "  Phi = [zeros(3); 1; 2*q; 0]\n"
            "  c = accelerated(Tri, rri, ar, vr) + [zeros(3); 0; 2*w^2; 0] +\n"
            "    [zeros(3); 2*cross(vr[1:3], [1, 2*q, 0]*w)]\n"
            "end\n"
            "model M\n"
            "  submodel (Inertial) i(ng2=-1)\n"
            "  submodel (Curve) s(n1=1)\n"
            "  submodel (Body) b(m=1)\n"
            "  connect i to s, b at s\n"
            "end"
        ),
        fix="Put the joint together from joints of the library, or drive one of them with the equation.",
        command="acausal mechanism example.mdl --formulation explicit",
    ),
}
