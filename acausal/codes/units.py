"""Codes of units."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "U001": CodeEntry(
        title="unknown unit",
        meaning=(
            "The text of a unit attribute is not a product of known units. The variable is treated as if no unit were "
            "declared. Known are the SI units with their prefixes, and rad, deg, rev, rpm, degC, degF, bar, atm, l, t, "
            "min, h, d, g, eV, cal, Ah, Wh, %, in, ft, lb. This is a warning: the model still runs."
        ),
        example='model M\n  parameter R (unit="ohm") = 5\n  local u (unit="V")\n  u = 2*R*time\nend',
        fix='Write the symbol of the unit, here "Ohm". Products are written "N*m" or "N.m", powers "m^2" or "m2".',
    ),
    "U002": CodeEntry(
        title="units do not match",
        meaning=(
            "Two quantities that are equated, added, compared or connected have different dimensions. Undeclared units "
            "are inferred from declared ones; a number written in an equation may have any unit. The message shows the "
            "units of both sides and the declarations that they come from: one of these, or the equation, is wrong. "
            "This is a warning: the model still runs."
        ),
        example='model M\n  parameter R (unit="Ohm") = 5\n  local u (unit="V"), i (unit="A")\n  i = 2\n  u = R/i\nend',
        fix="Correct the declaration or the equation: here u = R*i.",
    ),
    "U003": CodeEntry(
        title="units differ in scale",
        meaning=(
            "Two equated quantities have the same dimension, but units of different scale or with another zero: values "
            "are used as they are, without conversion. This is a warning: the model still runs."
        ),
        example='model M\n  local x (unit="m"), y (unit="mm")\n  y = 1\n  x = y\nend',
        fix="Convert in the equation, x = y/1000, or declare both in one unit.",
    ),
    "U005": CodeEntry(
        title="the unit of a value does not fit its declaration",
        meaning=(
            "A number with a unit is converted to the unit of the declaration, which measures something else. Hz "
            "counts turns, rad/s and rpm measure angular velocities: they are not converted into each other."
        ),
        example='model M\n  parameter R (unit="Ohm") = 5 mm\n  local u\n  u = R*time\nend',
        fix="Correct the value, here 5 mOhm, or the unit of the declaration.",
    ),
    "U006": CodeEntry(
        title="unknown unit of a value",
        meaning=(
            "A number is followed by the name of a unit instead of its symbol, or the unit of the declaration is "
            "unknown. Units are those of U001; a prefix without unit stands at the number, 4.7k."
        ),
        example='model M\n  parameter R (unit="Ohm") = 5 ohm\n  local u\n  u = R*time\nend',
        fix="Write the symbol of the unit, here 5 Ohm.",
    ),
    "U007": CodeEntry(
        title="a number with a unit in a calculation",
        meaning=(
            "A number with a unit is converted to the unit of the declaration. This needs a value that is such a "
            "number, a sum of them, or one multiplied or divided by plain numbers; a product of several has another "
            "unit, and a temperature in degC has no multiples."
        ),
        example='model M\n  parameter P (unit="W") = 5 V*2 A\n  local u\n  u = P*time\nend',
        fix="Write the value with the unit of the whole: 10 W.",
    ),
    "U004": CodeEntry(
        title="a dimensionless value is required",
        meaning=(
            "The argument of sin, exp, log and similar functions, and an exponent that is not a number, must be "
            "dimensionless; rad is dimensionless. This is a warning: the model still runs."
        ),
        example='model M\n  parameter T (unit="s") = 2\n  local x\n  x = exp(-time*T)\nend',
        fix="Divide by a reference value: exp(-time/T).",
    ),
}
