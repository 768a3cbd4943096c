"""Constraints and what they transmit: degrees of freedom, redundant constraints, reactions and whether they are unique.

C is the constraint matrix of all joints in velocities of the bodies; p = m + h - rank(C) of its m holonomic and h
nonholonomic rows are redundant. Then reactions have p states of self-stress, which no body feels.

Source: M. Wojtyra, J. Fraczek, Solvability of reactions in rigid multibody systems with redundant nonholonomic
constraints, Multibody System Dynamics 30 (2013) 153-171.
"""
