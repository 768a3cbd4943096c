"""Analyses of a translated model besides runs: linearization, modes, frequency response.

`linearize` finds an operating point (`simulate/run/operating_point`), differentiates the program there
(`codegen/tangent/model_jacobian`) and returns a `Linear`; everything else is made from that object.
"""
