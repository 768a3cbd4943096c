"""The program as functions of other libraries: CasADi and JAX.

`evaluate_routine` walks through the instructions of a routine with the operators of a library (`Algebra`): their
objects are built one from the other, and no text is evaluated.
"""
