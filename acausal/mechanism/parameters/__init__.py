"""Inertial parameters of mechanisms: regressors, base parameters, identification, exciting trajectories.

Every body has ten standard parameters (`standard`), in which inverse dynamics and base reactions are linear
(`regressor`). Only some combinations have an effect: the base parameters, by rules for trees (`regrouping`) and by
a QR decomposition (`independent`). `identification` finds them from measured motion, for which `excitation` makes
trajectories.
"""
