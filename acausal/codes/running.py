"""Codes of running."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "R001": CodeEntry(
        title="initialization failed",
        meaning=(
            "The equations that determine the states and all other variables at the start have no solution, or none "
            "was found from the guesses. The message names the unknowns of the failing system and marks its equations."
        ),
        example="model M\n  local x\n  x^2 + 1 = 0\nend",
        fix=(
            "Give guesses near the solution, local x (start=2), and check for parameters that make equations "
            "dependent, such as a resistance or a mass of zero."
        ),
        command="acausal simulate example.mdl",
    ),
    "R002": CodeEntry(
        title="integration failed",
        meaning=(
            "At the smallest step that still advances time, the error test or Newton's method fails: the solution "
            "grows without bound, jumps, or changes faster than floating-point numbers resolve. The result contains "
            "the rows up to that time."
        ),
        example="model M\n  local x (start=1)\n  der(x) = x^2        { infinite at t = 1 }\nend",
        fix=(
            "Check the named variable shortly before that time; stop earlier, use a larger tolerance, or another "
            "solver: --solver radau."
        ),
        command="acausal simulate example.mdl --stop 2",
    ),
    "R003": CodeEntry(
        title="a system of equations cannot be solved during the run",
        meaning=(
            "A linear system became singular or Newton's method found no solution, however small the steps. The result "
            "contains the rows up to that time."
        ),
        example="model M\n  local x (start=1), y (start=1)\n  der(x) = -1\n  y^2 = x        { no y once x < 0 }\nend",
        fix=(
            "Check the last values in the message: common causes are a mechanism in a singular position and a "
            "characteristic that ends there."
        ),
        command="acausal simulate example.mdl --stop 2",
    ),
    "R004": CodeEntry(
        title="a value is not finite",
        meaning=(
            "An equation divides by zero, or takes the root or logarithm of a negative number. The run ends there if "
            "the value is a derivative or a state. Otherwise it continues, and the result contains nan or inf: the "
            "exit code is 3, in Python `simulate` raises RunError, whose `result` is complete."
        ),
        example="model M\n  local x\n  der(x) = 1/x        { x starts at 0 }\nend",
        fix="Give another start value, or write the equation so that it is defined there too.",
        command="acausal simulate example.mdl",
    ),
    "R005": CodeEntry(
        title="an input has no value",
        meaning="The model has an input, or a variable was made known, but its signal was not given.",
        example="model M\n  input u\n  local x\n  der(x) = u\nend",
        fix="--input 'tau=sin(2*time)' gives an expression in time, --input tau=FILE.csv a table.",
        command="acausal simulate example.mdl",
    ),
    "R006": CodeEntry(
        title="an input is not an expression in time",
        meaning="Expressions of inputs consist of time, parameters of the model and functions of the language.",
        example="model M\n  input u\n  local x\n  der(x) = u\nend",
        fix="Write dependencies on variables of the model as equations in the model.",
        command="acausal simulate example.mdl --input 'u=2*x'",
    ),
    "R007": CodeEntry(
        title="a table cannot be used as input",
        meaning=(
            "The file must have a column of increasing times, then columns of numbers, named in the first row if "
            "there are several. It must cover the whole run: there is no extrapolation. Units in the header, `u [mV]`, "
            "or in a second header row must fit those of the time and the input."
        ),
        example="model M\n  input u\n  local x\n  der(x) = u\nend\n--- short.csv\n0,1\n5,2\n",
        fix="Add the missing rows, or run only for the time that the table covers.",
        command="acausal simulate example.mdl --stop 10 --input u=short.csv",
    ),
    "R008": CodeEntry(
        title="the derivative of an input is required but unknown",
        meaning="Equations were differentiated and need der(u) of an input that is given as a Python function.",
        example='t = acausal.translate("arm.mdl", known=["phi"])\nt.simulate(inputs={"phi": lambda t: t**2})',
        fix='Give it as an expression, inputs={"phi": "time^2"}, which can be differentiated.',
        command="",
    ),
    "R009": CodeEntry(
        title="a delay cannot be computed",
        meaning=(
            "The delay time is not positive, the delayed expression has no consistent value at the start, or its "
            "second derivative is required."
        ),
        example="model M\n  local x\n  x = 1 - 2*delay(x, 0.1)\nend",
        fix="Use a positive delay time; what depends on its own past must have a solution with it at the start.",
        command="acausal simulate example.mdl",
    ),
    "R010": CodeEntry(
        title="an assertion is violated",
        meaning=(
            "The condition of an `assert` in the model is false, or a redundant constraint that was removed (I040) "
            "does not follow from the others. The result contains the rows up to and including that time."
        ),
        example='model M\n  local T (start=300)\n  der(T) = 200\n  assert(T < 400, "the motor is too hot")\nend',
        fix="Check the variables of the condition before that time.",
        command="acausal simulate example.mdl",
    ),
    "R011": CodeEntry(
        title="the model terminated the run",
        meaning="The condition of a `terminate` in the model became true. This is information only.",
        example='model M\n  local h (start=1)\n  der(h) = -2\n  terminate(h < 0, "landed")\nend',
        fix="No action is required.",
        command="acausal simulate example.mdl",
    ),
    "R012": CodeEntry(
        title="the model was retranslated",
        meaning=(
            "A parameter with the value 0, 1 or -1 at translation is folded into the equations, as is one that "
            "determines their structure. Another value requires another translation, which was made. So does a value "
            "of 0 given to another parameter where the equations divide by it, as i = u/R. This is information only."
        ),
        example='t = acausal.translate("drive.mdl")    # with parameter k=1\nt.simulate(parameters={"k": 2})',
        fix="No action is required; `parameter k (tunable=true) = 1` prevents the folding.",
        command="",
    ),
    "R014": CodeEntry(
        title="the solution of nonlinear equations jumps without an event",
        meaning=(
            "Nonlinear equations may have several solutions. Between events a run follows the branch of solutions on "
            "which it started. Here this branch ends, as at a fold of a characteristic, or meets another one, as in a "
            "dead center where a mechanism comes to rest. Another solution exists, but continuing with it would be a "
            "jump that the equations do not describe. The result contains the rows up to that time."
        ),
        example=(
            "model M\n  local s (start=-3), x (start=-2.1)\n  der(s) = 1\n"
            "  x^3 - 3*x = s        { this branch ends at s = 2 }\n  local y\n  der(y) = x\nend"
        ),
        fix=(
            "Model the jump: a capacitor or an inertia turns it into a fast motion, a `when` or an `if` into an event. "
            "A mechanism passes a dead center if it moves through it."
        ),
        command="acausal simulate example.mdl --stop 8",
    ),
    "R015": CodeEntry(
        title="rounding errors limit the step size",
        meaning=(
            "The last digit of a state changes a derivative so much that the tolerance cannot be satisfied, even if "
            "the solution is smooth: something is computed from a small difference of large values. The steps become "
            "so short that the result would be a random walk. The result contains the rows up to that time."
        ),
        example="model M\n  local y (start=2), x (start=1)\n  der(y) = 1 - y\n"
        "  der(x) = 1/(y - 1) - x        { y comes as near to 1 as numbers can be }\nend",
        fix=(
            "Make the difference itself a variable with an equation of its own, or end the run before it vanishes: "
            "`terminate` when it is small."
        ),
        command="acausal simulate example.mdl --stop 100",
    ),
    "R016": CodeEntry(
        title="a run begins in a dead center",
        meaning=(
            "All links of a closed loop lie on one line, or nonlinear equations have a double solution in another way. "
            "Two branches of the solution cross there, and positions alone do not tell which one is meant: "
            "velocities and accelerations are not determined. A run that comes to a dead center passes straight on; "
            "where an event stops it there, or its errors are as large as the distance when other states are needed, "
            "it could continue along either branch."
        ),
        example=(
            "@mbsdir.lib\n"
            "model Parallelogram\n"
            "  submodel (Inertial) i\n"
            "  submodel (Revolute) r0(n3=1) (ic q=pi/2, w=-3), r1(n3=1, r1=1), c1(n3=1)\n"
            "  submodel (Bar) l0(r2=1), l1(r2=1), x1(r1=1)\n"
            "  submodel (CutPlanar) e1(n3=1)\n"
            "  submodel (Body) b0(m=1, r2=0.5, I33=0.1), b1(m=1, r2=0.5, I33=0.1), b2(m=1, r1=0.5, I33=0.1)\n"
            "  connect i - r0 - l0 - c1 - x1, i - r1 - l1, e1 at (x1:B, l1:B), b0 at r0, b1 at r1, b2 at c1\n"
            "end\n"
        ),
        fix=(
            "Start slightly away from the dead center, on the intended branch: r0(ic q=pi/2-1e-3). "
            "In a run, a smaller tolerance may help."
        ),
        command="acausal simulate example.mdl",
    ),
    "R017": CodeEntry(
        title="a delay limits the steps of the run",
        meaning=(
            "No step of the solver is longer than the shortest delay, and the history of a delayed expression stores "
            "every step. A delay that is very short compared with the run requires many steps (a note is shown from "
            "200,000 on), or more than the maximum number (10,000,000)."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -delay(x, 1e-9)\nend",
        fix="Remove a delay that is short compared with all changes in the model, increase it, or end the run earlier.",
        command="acausal simulate example.mdl",
    ),
    "R018": CodeEntry(
        title="a run exceeded its time limit",
        meaning=(
            "With --time-limit each run of a sweep may take at most that many seconds. A run that exceeds the limit "
            "is stopped at its next output time or event and counts as failed; the other runs continue. With --folder "
            "it is recorded as failed; the same command without --time-limit repeats it."
        ),
        example=(
            "model M\n  parameter w=1\n  local x (start=1, fixed=true), v (start=0, fixed=true)\n  der(x) = v\n"
            "  der(v) = -w^2*x\n  experiment (stop=1e6, interval=100)\nend"
        ),
        fix="Raise --time-limit, or find out why the run is slow: `acausal simulate` with the same values.",
        command="acausal sweep example.mdl --set w=1e-6,1e3 --time-limit 0.2",
    ),
    "R019": CodeEntry(
        title="a derivative is infinite between two rows",
        meaning=(
            "A divisor in the equation of a derivative passes through zero. The derivative is infinite there and the "
            "solution does not continue beyond it, although a solver with long steps may not notice. The run ends "
            "before that time. If the derivative stays bounded, as that of sin(x)/x, the run continues."
        ),
        example=(
            "model Cylinder\n"
            '  parameter A=1 "area", k=100 "bulk modulus"\n'
            "  local x (start=0, fixed=true), v (start=1, fixed=true), p (start=0, fixed=true)\n"
            "  der(x) = v\n"
            "  der(v) = 2 - A*p - v\n"
            "  der(p) = k/(A*(1 - x))*(A*v - 0.5*p)        { the volume is zero at x = 1 }\n"
            "end"
        ),
        fix="Keep the divisor away from zero: a mechanical stop at x = 0.95, for instance, or end the run earlier.",
        command="acausal simulate example.mdl --stop 3",
    ),
    "R013": CodeEntry(
        title="a solution was found by homotopy",
        meaning=(
            "Newton's method did not converge from the guesses to a solution of nonlinear equations; a homotopy that "
            "starts at the guesses did. If there are several solutions, it may not be the intended one. This is "
            "information only."
        ),
        example="model M\n  local x\n  x^2 = 4        { at the guess 0 the derivative with respect to x is zero }\nend",
        fix="Give a start value near the solution: local x (start=2).",
        command="acausal simulate example.mdl",
    ),
}
