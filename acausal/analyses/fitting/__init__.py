"""Fitting: parameters of a model from measured data, by least squares with exact sensitivities.

`measurements` reads data, `unknowns` are the parameters with their bounds, `problem` makes residuals and their exact
slopes of runs, `search` is one call of SciPy's methods, `fit` begins it from one or several starts, `statistics` judges
the solution, and `result` shows it.
"""
