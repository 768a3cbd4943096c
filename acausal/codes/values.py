"""Codes of stage: values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "T001": CodeEntry(
        "shapes do not fit",
        "Scalars, vectors and matrices are added, compared and set equal only with their like; a matrix "
        "product needs as many columns on the left as rows on the right. The message shows both shapes. An "
        "array of one element counts as a scalar.",
        "local v[3], w[2]\nv = 2*w",
        "Declare both with the same dimensions, or take a part: v[1:2].",
    ),
    "T002": CodeEntry(
        "a number, condition or string stands where another is needed",
        "Sums, products and functions take numbers; `and`, `or`, `not` and `if` take conditions. A condition "
        "is not a number and a number is no condition.",
        "local boolean on\ny = 5*on",
        "Make a number of a condition by `if on then 1 else 0`, a condition of a number by comparing it: x > 0.",
    ),
    "T003": CodeEntry(
        "the number of arguments is wrong",
        "Each function takes a fixed number of arguments; only min and max take any.",
        "y = atan2(x)",
        "Give the function as many arguments as the message says.",
    ),
    "T004": CodeEntry(
        "there is no such function",
        "A name before `(` in an expression is a function: one of the language, or one declared by `function`"
        " in this file or an included one.",
        "y = arcsin(x)",
        "Use the spelling that the message suggests, or declare the function.",
    ),
    "T005": CodeEntry(
        "an index or dimension does not fit",
        "Indices and dimensions are whole numbers, counted from 1. An array needs one index for each of its "
        "dimensions; `:` stands for all of one.",
        "local v[3]\ny = v[4]",
        "Use indices from 1 to the number of elements; `size(v, 1)` tells it.",
    ),
    "T006": CodeEntry(
        "a value is not known at translation",
        "Indices, dimensions and bounds of loops shape the model: they may hold numbers, constants, "
        "parameters and loop variables, never what changes during a run.",
        "local x, v[3]\ny = v[x]",
        "Use a parameter, or choose by `if x < 1 then v[1] else v[2]`.",
    ),
    "T007": CodeEntry(
        "a function calls itself",
        "The text of a function is put in place of its call, so it cannot call itself, directly or through others.",
        "function f(x) = x*f(x - 1)",
        "Write the formula out, or make a model with a loop.",
    ),
    "T008": CodeEntry(
        "a function of the language that cannot be used yet",
        "The function is part of the language, but this version does not translate it.",
        "when sample(0, 0.1) then",
        "Write the model without it.",
    ),
    "T009": CodeEntry(
        "a function speaks of something that is not its parameter",
        "A function knows its parameters, `time`, `pi` and other functions, nothing of the model in which it "
        "is called.",
        "function weight(m) = m*g",
        "Make it a further parameter: function weight(m, g) = m*g.",
    ),
    "T010": CodeEntry(
        "an expression has no value",
        "A value that is needed at translation comes from a division by zero, a function outside of its "
        "domain, or grows beyond the largest number.",
        "parameter R=0, G=1/R",
        "Correct the values of the parameters; `if R > 0 then 1/R else 0` looks only at the branch taken.",
    ),
    "T011": CodeEntry(
        "a parameter is differentiated",
        "A parameter is constant during a run: its derivative is 0, and an equation with it says less than meant.",
        "parameter a=1\nder(a) = x",
        "Declare the variable as local; parameters are for what stays as it is.",
    ),
    "T012": CodeEntry(
        "the points of a characteristic do not fit",
        "interp(x, xs, ys) needs a vector of increasing places and as many values; table takes the name of a CSV file.",
        "y = interp(x, [0, 2, 1], [0, 1, 4])        { the places do not increase }",
        "Give places in increasing order and one value for each.",
    ),
}
