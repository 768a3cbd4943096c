"""Uncertain parameters: samples, quantiles over time, Sobol indices."""
