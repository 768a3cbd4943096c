"""Robot descriptions in URDF.

Source: the specification at wiki.ros.org/urdf/XML; rpy are angles about the fixed axes x, y, z in this order, so that a
rotation is Rz(yaw)*Ry(pitch)*Rx(roll). Frames of links are those of their joints.
"""
