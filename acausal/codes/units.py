"""Codes of units."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "U001": CodeEntry(
        title="unit is not known",
        meaning=(
            "The text of a unit attribute is not a product of known units. The variable is then treated as if"
            " no unit were declared. Known are the units of the SI with their prefixes, and rad, deg, rev, "
            "rpm, degC, degF, bar, atm, l, t, min, h, d, g, eV, cal, Ah, Wh, %, in, ft, lb. A warning: the "
            "model runs all the same."
        ),
        example='model M\n  parameter R (unit="ohm") = 5\n  local u (unit="V")\n  u = 2*R*time\nend',
        mend='Write the sign of the unit, here "Ohm". Products are written "N*m" or "N.m", powers "m^2" or "m2".',
    ),
    "U002": CodeEntry(
        title="units do not fit",
        meaning=(
            "Two things that are set equal, added, compared or connected have different dimensions. Units "
            "that are not declared are found from those that are; a number written in an equation may have "
            "any unit. The message shows both sides' units and the declarations they come from: one of these,"
            " or the equation, is wrong. A warning: the model runs all the same."
        ),
        example=(
            'model M\n  parameter R (unit="Ohm") = 5\n  local u (unit="V"), i (unit="A")\n  i = 2\n  u = R/i\nend'
        ),
        mend="Correct the declaration or the equation: here u = R*i.",
    ),
    "U003": CodeEntry(
        title="units differ in scale",
        meaning=(
            "Two things that are set equal have the same dimension in units of different size or with another"
            " zero: values are used as they are, nothing is converted. A warning: the model runs all the "
            "same."
        ),
        example='model M\n  local x (unit="m"), y (unit="mm")\n  y = 1\n  x = y\nend',
        mend="Convert in the equation, x = y/1000, or declare both in one unit.",
    ),
    "U004": CodeEntry(
        title="a dimensionless value is wanted",
        meaning=(
            "The argument of sin, exp, log and their like and a power that is not a number must be pure "
            "numbers; rad is one. A warning: the model runs all the same."
        ),
        example='model M\n  parameter T (unit="s") = 2\n  local x\n  x = exp(-time*T)\nend',
        mend="Divide by a reference value: exp(-time/T).",
    ),
}
