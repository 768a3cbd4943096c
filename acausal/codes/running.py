"""Codes of running."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "R001": CodeEntry(
        title="the first instant cannot be computed",
        meaning=(
            "The equations that give the states and all other variables at the start have no solution, or "
            "none was found from the guesses. The message names the variables of that system and marks its "
            "equations."
        ),
        example="model M\n  local x\n  x^2 + 1 = 0\nend",
        mend=(
            "Give guesses near the solution, local x (start=2), and look for parameters that make equations "
            "dependent: a resistance or a mass of zero."
        ),
        command="acausal simulate example.mdl",
    ),
    "R002": CodeEntry(
        title="integration failed",
        meaning=(
            "At the smallest step that still advances the time the error test or Newton's method fails: the solution "
            "grows without bound, jumps, or changes faster than numbers can tell. Rows up to that time are kept."
        ),
        example="model M\n  local x (start=1)\n  der(x) = x^2        { infinite at t = 1 }\nend",
        mend=(
            "Look at the named variable shortly before that time; stop earlier, take a larger tolerance, or "
            "another solver: --solver radau."
        ),
        command="acausal simulate example.mdl --stop 2",
    ),
    "R003": CodeEntry(
        title="a system of equations cannot be solved during the run",
        meaning=(
            "A linear system became singular or Newton's method found no solution, with steps however small. "
            "Rows up to that time are kept."
        ),
        example="model M\n  local x (start=1), y (start=1)\n  der(x) = -1\n  y^2 = x        { no y once x < 0 }\nend",
        mend=(
            "Look at the last values in the message: a mechanism in a singular position, or a characteristic "
            "left at its end, are the usual reasons."
        ),
        command="acausal simulate example.mdl --stop 2",
    ),
    "R004": CodeEntry(
        title="a value is no finite number",
        meaning=(
            "An equation divides by zero, or takes the root or logarithm of a negative number. The run ends there if "
            "the value is a derivative or a state. Otherwise it continues, and nan or inf is in the result: the exit "
            "code is 3, in Python `result.notes` has the error."
        ),
        example="model M\n  local x\n  der(x) = 1/x        { x starts at 0 }\nend",
        mend="Give another start value, or write the equation so that it holds there too.",
        command="acausal simulate example.mdl",
    ),
    "R005": CodeEntry(
        title="an input has no value",
        meaning="The model has an input, or a variable was made known, and nobody said what its signal is.",
        example="model M\n  input u\n  local x\n  der(x) = u\nend",
        mend="--input 'tau=sin(2*time)' gives an expression in time, --input tau=FILE.csv a table.",
        command="acausal simulate example.mdl",
    ),
    "R006": CodeEntry(
        title="the value of an input is no expression in time",
        meaning="Expressions of inputs are made of time, parameters of the model and functions of the language.",
        example="model M\n  input u\n  local x\n  der(x) = u\nend",
        mend="What depends on variables of the model is an equation: write it in the model.",
        command="acausal simulate example.mdl --input 'u=2*x'",
    ),
    "R007": CodeEntry(
        title="a table cannot serve as input",
        meaning=(
            "The file has a column of increasing times, then columns of numbers, named in the first row if "
            "there are several. It must cover the whole run: values outside are not invented."
        ),
        example="model M\n  input u\n  local x\n  der(x) = u\nend\n--- short.csv\n0,1\n5,2\n",
        mend="Add the missing rows, or run for the time that the table covers.",
        command="acausal simulate example.mdl --stop 10 --input u=short.csv",
    ),
    "R008": CodeEntry(
        title="the derivative of an input is needed and not known",
        meaning="Equations were differentiated and need der(u) of an input given as a Python function.",
        example='t = acausal.translate("arm.mdl", known=["phi"])\nt.simulate(inputs={"phi": lambda t: t**2})',
        mend='Give it as an expression, inputs={"phi": "time^2"}: that can be differentiated.',
        command="",
    ),
    "R009": CodeEntry(
        title="a delay cannot be computed",
        meaning="The time of a delay is not above 0, what is delayed has no value at the first instant that agrees "
        "with itself, its second derivative is needed, or the solver asked for cannot look back.",
        example="model M\n  local x\n  x = 1 - 2*delay(x, 0.1)\nend",
        command="acausal simulate example.mdl",
        mend="Give the time a positive value; leave the choice of the solver to auto.",
    ),
    "R010": CodeEntry(
        title="an assertion does not hold",
        meaning=(
            "The condition of an `assert` in the model is false. Rows up to that time are kept, this one included."
        ),
        example='model M\n  local T (start=300)\n  der(T) = 200\n  assert(T < 400, "the motor is too hot")\nend',
        mend="Look at the variables of the condition before that time.",
        command="acausal simulate example.mdl",
    ),
    "R011": CodeEntry(
        title="the model ends the run",
        meaning="The condition of a `terminate` in the model became true. This is information only.",
        example='model M\n  local h (start=1)\n  der(h) = -2\n  terminate(h < 0, "landed")\nend',
        mend="Nothing needs mending.",
        command="acausal simulate example.mdl",
    ),
    "R012": CodeEntry(
        title="the model was retranslated",
        meaning=(
            "A parameter that is 0, 1 or -1 at translation becomes part of the equations, and so does one on "
            "which their shape depends. Another value needs another translation; it was made. This is "
            "information only."
        ),
        example='t = acausal.translate("drive.mdl")    # with parameter k=1\nt.simulate(parameters={"k": 2})',
        mend="Nothing needs mending; `parameter k (tunable=true) = 1` keeps it out of the equations.",
        command="",
    ),
    "R014": CodeEntry(
        title="the solution of nonlinear equations jumps without an event",
        meaning=(
            "Nonlinear equations may have several solutions. Between events a run follows the one it began with. Here "
            "it ends, as at a fold of a characteristic, or coincides with another one, as in a dead "
            "center where a mechanism comes to rest. There is another solution, but to go on with it would be a jump "
            "that the equations do not describe. Rows up to that time are kept."
        ),
        example="model M\n  local s (start=-3), x (start=-2.1)\n  der(s) = 1\n"
        "  x^3 - 3*x = s        { this branch ends at s = 2 }\n  local y\n  der(y) = x\nend",
        mend=(
            "Describe what happens in the jump: a capacitor or an inertia makes it a fast motion, a `when` or an `if` "
            "an event. A mechanism passes a dead center when it moves through it."
        ),
        command="acausal simulate example.mdl --stop 8",
    ),
    "R015": CodeEntry(
        title="rounding errors limit the step size",
        meaning=(
            "The last digit of a state changes a derivative so much that the tolerance cannot be met, however smooth "
            "the solution is: something is computed from a small difference of large values. The steps become so "
            "short that the result would be a random walk. Rows up to that time are kept."
        ),
        example="model M\n  local y (start=2), x (start=1)\n  der(y) = 1 - y\n"
        "  der(x) = 1/(y - 1) - x        { y comes as near to 1 as numbers can be }\nend",
        mend=(
            "Make the difference itself a variable with an equation of its own, or end the run before it vanishes: "
            "`terminate` when it is small."
        ),
        command="acausal simulate example.mdl --stop 100",
    ),
    "R013": CodeEntry(
        title="a homotopy found the solution",
        meaning="Newton's method did not come from the guesses to a solution of nonlinear equations; a path of systems "
        "that begins at the guesses did. Where there are several solutions it may be another one than "
        "you mean. This is information only.",
        example="model M\n  local x\n  x^2 = 4        { at the guess 0 the equation does not change with x }\nend",
        mend="Give a start value near the solution: local x (start=2).",
        command="acausal simulate example.mdl",
    ),
}
