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
}
