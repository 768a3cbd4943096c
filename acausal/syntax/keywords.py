"""The words of the language by what they do, for programs that highlight.

All are terminals of the grammar, or names with a meaning in one place (`tests/editor/test_keywords.py`).
"""

DECLARATIONS = """
    model class type end function submodel cut main path node parameter constant local terminal default input output
    internal external discrete experiment initial derivative closing root ic
""".split()
TYPES = "real integer boolean string".split()
STATEMENTS = """
    connect close at to par reversed loop join branch from as
    when then elsewhen endwhen if else elseif endif for endfor assert terminate init new
""".split()
OPERATORS = "and or not".split()
CONSTANTS = "true false".split()
VALUES = "time pi".split()
