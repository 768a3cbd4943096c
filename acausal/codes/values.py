"""Codes of values: shapes, kinds, indices, functions."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "T001": CodeEntry(
        title="shapes do not fit",
        meaning=(
            "Scalars, vectors and matrices are added, compared and set equal only with their like; a matrix "
            "product needs as many columns on the left as rows on the right. The message shows both shapes. "
            "An array of one element counts as a scalar."
        ),
        example="model M\n  local v[3], w[2]\n  w = [1, 2]\n  v = 2*w\nend",
        mend="Declare both with the same dimensions, or take a part: v[1:2].",
    ),
    "T002": CodeEntry(
        title="a number, condition or string stands where another is needed",
        meaning=(
            "Sums, products and functions take numbers; `and`, `or`, `not` and `if` take conditions. A "
            "condition is not a number and a number is no condition."
        ),
        example="model M\n  local boolean on, y\n  on = time > 1\n  y = 5*on\nend",
        mend="Make a number of a condition by `if on then 1 else 0`, a condition of a number by comparing it: x > 0.",
    ),
    "T003": CodeEntry(
        title="the number of arguments is wrong",
        meaning="Each function takes a fixed number of arguments; only min and max take any.",
        example="model M\n  local y\n  y = atan2(time)\nend",
        mend="Give the function as many arguments as the message says.",
    ),
    "T004": CodeEntry(
        title="there is no such function",
        meaning=(
            "A name before `(` in an expression is a function: one of the language, or one declared by "
            "`function` in this file or an included one."
        ),
        example="model M\n  local y\n  y = arcsin(time)\nend",
        mend="Use the spelling that the message suggests, or declare the function.",
    ),
    "T005": CodeEntry(
        title="an index or dimension does not fit",
        meaning=(
            "Indices and dimensions are integers, counted from 1. An array needs one index for each of "
            "its dimensions; `:` stands for all of one."
        ),
        example="model M\n  local v[3], y\n  v = [1, 2, 3]\n  y = v[4]\nend",
        mend="Use indices from 1 to the number of elements; `size(v, 1)` tells it.",
    ),
    "T006": CodeEntry(
        title="a value is not known at translation",
        meaning=(
            "Indices, dimensions and bounds of loops shape the model: they may hold numbers, constants, "
            "parameters and loop variables, never what changes during a run."
        ),
        example="model M\n  local x, v[3], y\n  x = time\n  v = [1, 2, 3]\n  y = v[x]\nend",
        mend="Use a parameter, or choose by `if x < 1 then v[1] else v[2]`.",
    ),
    "T007": CodeEntry(
        title="a function calls itself",
        meaning=(
            "The text of a function is put in place of its call, so it cannot call itself, directly or through others."
        ),
        example="function f(x) = x*f(x - 1)\nmodel M\n  local y\n  y = f(time)\nend",
        mend="Write the formula out, or make a model with a loop.",
    ),
    "T008": CodeEntry(
        title="a function of the language that cannot be used yet",
        meaning="The function is part of the language, but this version does not translate it.",
        example="model M\n  local x, y\n  der(x) = 1\n  y = pre(x)\nend",
        mend="Write the model without it.",
    ),
    "T009": CodeEntry(
        title="a function speaks of something that is not its parameter",
        meaning=(
            "A function knows its parameters, `time`, `pi` and other functions, nothing of the model in which"
            " it is called."
        ),
        example="function weight(m) = m*g\nmodel M\n  parameter g=9.81\n  local F\n  F = weight(2)\nend",
        mend="Make it a further parameter: function weight(m, g) = m*g.",
    ),
    "T010": CodeEntry(
        title="an expression has no value",
        meaning=(
            "A value that is needed at translation comes from a division by zero, a function outside of its "
            "domain, or grows beyond the largest number."
        ),
        example="model M\n  parameter R=0, G=1/R\n  local i\n  i = G*time\nend",
        mend="Correct the values of the parameters; `if R > 0 then 1/R else 0` looks only at the branch taken.",
    ),
    "T011": CodeEntry(
        title="a parameter is differentiated",
        meaning=(
            "A parameter is constant during a run: its derivative is 0, and an equation with it says less than meant."
        ),
        example="model M\n  parameter a=1\n  local x\n  der(a) = x\nend",
        mend="Declare the variable as local; parameters are for what stays as it is.",
    ),
    "T012": CodeEntry(
        title="the points of a characteristic do not fit",
        meaning=(
            "interp(x, xs, ys) needs a vector of increasing places and as many values; table takes the name "
            "of a CSV file."
        ),
        example="model M\n  local y\n  y = interp(time, [0, 2, 1], [0, 1, 4])\nend",
        mend="Give places in increasing order and one value for each.",
    ),
    "T013": CodeEntry(
        title="a parameter lies outside its limits",
        meaning=(
            "The declaration of a parameter may say with min and max which values its equations allow: a mass is not "
            "negative, a share lies between 0 and 1. A value given in the model is compared when it is translated, one "
            "given for a run when the run begins."
        ),
        example="model M\n  parameter m (min=0) = -1\n  local v\n  m*der(v) = 1\nend",
        mend="Correct the value; where the limits are those of your own class and too narrow, change them there.",
    ),
    "T014": CodeEntry(
        title="a value does not have the type of its declaration",
        meaning=(
            "A parameter, attribute or start has the declared type however it is given: in the text, as an argument, "
            "by --set, in a sweep or in Python. A real takes a finite number, an integer an integer, a boolean "
            "true or false, a string a text in quotes. A run in which a variable declared integer gets another value "
            "ends there."
        ),
        example='model M\n  parameter R="12"\n  local y\n  y = R*time\nend',
        mend="Give a value of that type, or declare the parameter with another one.",
    ),
}
