"""Checks of a run of a mechanism: balances of power, momentum and energy that its forces and motions must have.

Forces of bodies follow here from their motion alone (Newton and Euler), those of joints and force elements are the
run's: where these do not agree, an equation of a class is wrong, or the solution is.
"""
