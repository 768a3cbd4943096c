"""Kinematics of a mechanism in numbers: poses, twists of joints, constraints of loops, and their rank.

Twists are [angular; linear] and wrenches [torque; force], about the origin of the inertial frame and in its axes
unless said otherwise. Frames, links and bodies have the numbers that they have in `acausal.mechanism.model`.
"""
