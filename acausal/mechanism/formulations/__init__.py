"""Formulations of the equations of motion of a tree, each with the same accelerations.

    explicit     M(q), h(q, v) by Lagrange's equations from the energies, written out (`explicit`)
    recursive    M and C by recursion over the bodies: composite bodies and Newton-Euler (`functions`)
    absolute     velocities of all bodies as unknowns, joints as constraints with multipliers (`absolute`)
    mbsdir       articulated bodies, as the equations of mbsdir.lib are sorted (`functions`)
    mbsinv       inverse dynamics solved for the accelerations, as those of mbsinv.lib are

`formulation` gives the functions of one of them, `comparison` their operations side by side.
"""
