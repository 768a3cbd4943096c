"""Codes of values: shapes, kinds, indices, functions."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "T001": CodeEntry(
        title="shapes do not match",
        meaning=(
            "Scalars, vectors and matrices are added, compared and equated only with operands of the same shape; a "
            "matrix product needs as many columns on the left as rows on the right. The message shows both shapes. An "
            "array of one element counts as a scalar."
        ),
        example="model M\n  local v[3], w[2]\n  w = [1, 2]\n  v = 2*w\nend",
        fix="Declare both with the same dimensions, or take a part: v[1:2].",
    ),
    "T002": CodeEntry(
        title="a number, condition or string is used where another type is required",
        meaning=(
            "Sums, products and functions take numbers; `and`, `or`, `not` and `if` take conditions. A condition is "
            "not a number, and a number is not a condition."
        ),
        example="model M\n  local boolean on, y\n  on = time > 1\n  y = 5*on\nend",
        fix="Convert a condition to a number by `if on then 1 else 0`, a number to a condition by a comparison: x > 0.",
    ),
    "T003": CodeEntry(
        title="wrong number of arguments",
        meaning="Each function takes a fixed number of arguments; only min and max take any number.",
        example="model M\n  local y\n  y = atan2(time)\nend",
        fix="Give the number of arguments stated in the message.",
    ),
    "T004": CodeEntry(
        title="unknown function",
        meaning=(
            "A name before `(` in an expression is a function: a built-in one, or one declared by `function` in this "
            "file or an included one."
        ),
        example="model M\n  local y\n  y = arcsin(time)\nend",
        fix="Use the spelling suggested in the message, or declare the function.",
    ),
    "T005": CodeEntry(
        title="invalid index or dimension",
        meaning=(
            "Indices and dimensions are integers, counted from 1. An array needs one index for each of its dimensions; "
            "`:` selects all of one."
        ),
        example="model M\n  local v[3], y\n  v = [1, 2, 3]\n  y = v[4]\nend",
        fix="Use indices from 1 to the number of elements, which is `size(v, 1)`.",
    ),
    "T006": CodeEntry(
        title="a value is not known at translation",
        meaning=(
            "Indices, dimensions and bounds of loops determine the structure of the model: they may contain numbers, "
            "constants, parameters and loop variables, but nothing that changes during a run."
        ),
        example="model M\n  local x, v[3], y\n  x = time\n  v = [1, 2, 3]\n  y = v[x]\nend",
        fix="Use a parameter, or select by `if x < 1 then v[1] else v[2]`.",
    ),
    "T007": CodeEntry(
        title="a function calls itself",
        meaning="Functions are inlined, so a function cannot call itself, directly or indirectly.",
        example="function f(x) = x*f(x - 1)\nmodel M\n  local y\n  y = f(time)\nend",
        fix="Write the formula out, or use a model with a loop.",
    ),
    "T008": CodeEntry(
        title="a function is not supported yet",
        meaning="The function is part of the language, but this version does not support it.",
        example="model M\n  local x, y\n  der(x) = 1\n  y = pre(x)\nend",
        fix="Write the model without the function.",
    ),
    "T009": CodeEntry(
        title="a function uses a name that is not its parameter",
        meaning=(
            "A function can use its parameters, `time`, `pi` and other functions, but nothing of the model in which it "
            "is called."
        ),
        example="function weight(m) = m*g\nmodel M\n  parameter g=9.81\n  local F\n  F = weight(2)\nend",
        fix="Add a parameter: function weight(m, g) = m*g.",
    ),
    "T010": CodeEntry(
        title="an expression has no value",
        meaning=(
            "A value that is required at translation results from a division by zero, a function outside its domain, "
            "or an overflow."
        ),
        example="model M\n  parameter R=0, G=1/R\n  local i\n  i = G*time\nend",
        fix="Correct the values of the parameters; `if R > 0 then 1/R else 0` evaluates only the selected branch.",
    ),
    "T011": CodeEntry(
        title="a parameter is differentiated",
        meaning=(
            "A parameter is constant during a run: its derivative is 0, so the equation is probably not what is "
            "intended."
        ),
        example="model M\n  parameter a=1\n  local x\n  der(a) = x\nend",
        fix="Declare the variable as local; parameters are constant during a run.",
    ),
    "T012": CodeEntry(
        title="invalid points of a characteristic",
        meaning=(
            "interp(x, xs, ys) needs a vector of increasing abscissas and as many values; table takes the name of a "
            "CSV file."
        ),
        example="model M\n  local y\n  y = interp(time, [0, 2, 1], [0, 1, 4])\nend",
        fix="Give increasing abscissas and one value for each.",
    ),
    "T013": CodeEntry(
        title="a parameter is outside its limits",
        meaning=(
            "The attributes min and max of a parameter limit its values: a mass is not negative, a share is between 0 "
            "and 1. A value given in the model is checked at translation, one given for a run at the start of the run."
        ),
        example="model M\n  parameter m (min=0) = -1\n  local v\n  m*der(v) = 1\nend",
        fix="Correct the value; if the limits belong to a class of your own and are too narrow, change them there.",
    ),
    "T014": CodeEntry(
        title="a value does not have the type of its declaration",
        meaning=(
            "A parameter, attribute or start value has the declared type, whichever way it is given: in the text, as "
            "an argument, by --set, in a sweep or in Python. A real takes a finite number, an integer an integer, a "
            "boolean true or false, a string a text in quotes. A run ends where a variable declared integer takes "
            "another value."
        ),
        example='model M\n  parameter R="12"\n  local y\n  y = R*time\nend',
        fix="Give a value of that type, or declare another type.",
    ),
}
