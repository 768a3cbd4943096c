"""Mechanisms: joints, bodies, loops and forces of the multibody libraries as data, and what follows from them.

`model` holds the data. A `Mechanism` is a tree of links from the inertial frame outward, as the translator has it after
it has cut the loops, with the closures of the loops:

    frames    0 is the inertial frame, each other one is the frame B of the link that leads there
    links     joints and rigid links (Bar, Fixed, FixedAxes), each from its reference frame to its own
    bodies    frames that rigid links and closures of loops hold together, with the mass at them; 0 is the ground
    closures  what closes a loop: RigidLoop where the translator has cut it, cut joints, wheels and knife edges
    forces    springs, dampers, actuators, sensors: all else that acts on one frame or between two

Instances are recognized by the classes of stdlib/mbs*.lib and *.inc that theirs inherit, never by names. Conventions
are those of `stdlib/mbs_common.lib`: six-vectors have the angular part first, all frames are parallel where all
coordinates are zero, components are those in the frame itself.
"""
