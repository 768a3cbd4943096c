"""The initial system and start values.

The first instant is a system of its own with the states among the unknowns; optional start values complete the matching
in order of preference, so no condition is used that the given ones already determine. A steady start puts
`derivative = 0` before the start values; where everything can rest, the differentiated equations are left out, as they
hold by themselves and would only add spurious solutions.
"""
