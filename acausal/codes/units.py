"""Codes of stage: units."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "U001": CodeEntry(
        "unit is not known",
        "The text of a unit attribute is not a product of known units. The variable is then treated as if no unit"
        " were declared. Known are the units of the SI with their prefixes, and rad, deg, rev, rpm, degC, degF, bar,"
        " atm, l, t, min, h, d, g, eV, cal, Ah, Wh, %, in, ft, lb. A warning: the model runs all the same.",
        'parameter R (unit="ohm") = 5',
        'Write the sign of the unit, here "Ohm". Products are written "N*m" or "N.m", powers "m^2" or "m2".',
    ),
    "U002": CodeEntry(
        "units do not fit",
        "Two things that are set equal, added, compared or connected have different dimensions. Units that are not"
        " declared are found from those that are; a number written in an equation may have any unit. The message"
        " shows both sides' units and the declarations they come from: one of these, or the equation, is wrong."
        " A warning: the model runs all the same.",
        'local u (unit="V"), i (unit="A")\nparameter R (unit="Ohm") = 5\nu = R/i',
        "Correct the declaration or the equation: here u = R*i.",
    ),
    "U003": CodeEntry(
        "units differ in scale",
        "Two things that are set equal have the same dimension in units of different size or with another zero:"
        " values are used as they are, nothing is converted. A warning: the model runs all the same.",
        'local x (unit="m"), y (unit="mm")\nx = y',
        "Convert in the equation, x = y/1000, or declare both in one unit.",
    ),
    "U004": CodeEntry(
        "a pure number is wanted",
        "The argument of sin, exp, log and their like and a power that is not a number must be pure numbers; rad is"
        " one. A warning: the model runs all the same.",
        'parameter T (unit="s") = 2\nlocal x\nx = exp(-time*T)',
        "Divide by a reference value: exp(-time/T).",
    ),
}
"""What `acausal explain CODE` tells about one kind of mistake."""
