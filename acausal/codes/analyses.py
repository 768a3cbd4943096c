"""Codes of analyses."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "A001": CodeEntry(
        title="the model cannot be linearized in this way",
        meaning=(
            "Inputs of a linearization are inputs of the model, known variables, and real parameters that do not "
            "determine the structure of the model. A variable that the equations determine cannot be an input; where "
            "the equations contain the derivative of an input, that derivative must be the input. Models with delays "
            "have no state-space form of finite order."
        ),
        example="model M\n  input u\n  local x (start=0), y\n  der(x) = u - x\n  y = 2*x\nend",
        fix="Choose another input, or make the variable known with --known.",
        command="acausal linearize example.mdl --inputs y --outputs x --input u=0",
    ),
    "A002": CodeEntry(
        title="the operating point is singular",
        meaning=(
            "At this point a system of equations is singular, as in a dead center, or a derivative is infinite, as "
            "that of sqrt at 0. The equations have no linear approximation there."
        ),
        example="model M\n  local x (start=0)\n  der(x) = 1 - sqrt(x)\nend",
        fix="Choose an operating point near this one.",
        command="acausal linearize example.mdl --outputs x",
    ),
    "A003": CodeEntry(
        title="sliding motion at the operating point",
        meaning=(
            "A relation chatters at rest there: the motion slides along the line on which the relation switches, and "
            "neither of its branches describes the motion nearby."
        ),
        example="t.linearize(at=1)        { of a model in which a relation between ideal switches chatters at rest }",
        fix="Choose a time at which it does not slide, or linearize a model without the switch.",
        command="",
    ),
    "A004": CodeEntry(
        title="there is no steady operating point",
        meaning=(
            "Linearization was requested at a point where all derivatives are zero, but initial conditions of the "
            "model take precedence, so that a run does not start there."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = 2 - x\nend",
        fix="Remove the initial conditions, or linearize at a time at which the model is at rest: --at T.",
        command="acausal linearize example.mdl --outputs x --steady",
    ),
    "A014": CodeEntry(
        title="an operating point has different numbers of equations and unknowns",
        meaning=(
            "At an operating point, a zero derivative determines each state, and each given value determines one free "
            "input or parameter. There must be as many free names as given values. Integer and boolean "
            "parameters, and those that determine the structure, cannot be free."
        ),
        example='t.trim({"tank.level": 2}, ["inflow", "valve"])        { one value, two names }',
        fix="Free fewer names or give more values; list states whose derivatives need not be zero as `moving`.",
        command="",
    ),
    "A015": CodeEntry(
        title="the equations of an operating point are dependent",
        meaning=(
            "The equations do not determine all unknowns, or are inconsistent: for example, no equation depends on an "
            "angle, or no free input affects a given output. The message names unknowns and equations."
        ),
        example='t.trim({"shaft.w": 0}, ["u"])        { the angle of the shaft may be anything }',
        fix="Free other names, or list states whose derivatives need not be zero as `moving`.",
        command="",
    ),
    "A016": CodeEntry(
        title="no operating point was found",
        meaning=(
            "The search found no values that satisfy all equations. The message names the equations that are "
            "violated, and unknowns that are at a bound."
        ),
        example='t.trim({"x": -1}, ["u"])        { where x = u^2 }',
        fix="Start nearer to the point, with initial values and values of free inputs, or widen the bounds.",
        command="",
    ),
    "A020": CodeEntry(
        title="no derivatives with respect to this parameter",
        meaning=(
            "Sensitivities are derivatives with respect to real parameters. There are none for a parameter that "
            "determines the structure of the model, for integers and truth values, for models with FMUs, with delays "
            "of varying length, and where init restarts a variable that is not a state while equations are redundant "
            "in some configurations. The time of an event that depends on an input is differentiated if the "
            "input is a table or an expression without the parameter, but not if it is a function. "
            "Adjoint equations pass events that switch relations; they are not available for other events, nor for "
            "models with init, delays, redundant constraints or changes of states."
        ),
        example='t.sensitivities(["n"])        { n is the number of cells of a ladder }',
        fix="Choose another parameter, or compare two runs.",
        command="",
    ),
    "A021": CodeEntry(
        title="grazing crossing, or an event at an end of the run",
        meaning=(
            "The two sides of a relation touch without clearly crossing, or cross exactly where the run begins or "
            "ends: a small change of a parameter may remove the event, and no derivative exists. The message states "
            "the time and the relation."
        ),
        example='t.sensitivities(["h0"])        { the ball just reaches the ceiling }',
        fix="Choose parameters, or a stop, for which the crossing is clearly made or clearly missed.",
        command="",
    ),
    "A023": CodeEntry(
        title="the objective has no derivative",
        meaning=(
            "The time of an event that does not occur has no value. An extreme value is not differentiated at an "
            "event whose time depends on the parameters, if the variable has a corner or jumps there."
        ),
        example='t.gradient("event(7)", ["R.R"])        { of a run with three events }',
        fix="Choose another objective, such as a discrete variable that the event sets.",
        command="",
    ),
    "A024": CodeEntry(
        title="a parameter has no influence",
        meaning=(
            "All derivatives with respect to this parameter are zero: the variables and events of this run do not "
            "depend on it."
        ),
        example="acausal sensitivity ball.mdl --parameters m --outputs h        { the mass of a falling ball }",
        fix="No action is required; otherwise choose variables that depend on the parameter.",
        command="",
    ),
    "A022": CodeEntry(
        title="simultaneous events depend differently on a parameter",
        meaning=(
            "Two relations switch at the same time, but these times depend differently on the parameters. Which event "
            "comes first depends on the direction of the change, so that no derivative exists."
        ),
        example='t.sensitivities(["m1"])        { two bodies hit a wall at the same time }',
        fix="Change a parameter slightly, so that one event comes first.",
        command="",
    ),
    "A030": CodeEntry(
        title="optimal control requires smooth equations",
        meaning=(
            "Controls are found by collocation: polynomials that satisfy the equations at points in time. Relations "
            "that switch, discrete variables, delays and states that change during a run are not supported."
        ),
        example="model M\n  input u\n  local x (start=0)\n  der(x) = if x > 1 then u else 2*u\nend",
        fix="Write the equations without relations (bounds of controls belong to `controls`), or optimize parameters.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'final(x)=2' --control u",
    ),
    "A031": CodeEntry(
        title="an input cannot be a control",
        meaning=(
            "A control may jump, so the equations must not contain its derivative. Inputs that are not controls must "
            "be constant, because the end time may be free."
        ),
        example="model M\n  input u\n  local x (start=0), y\n  der(x) = der(u) - x\n  y = u\nend",
        fix="Make the derivative an input of the model and the input a state: der(u) = rate.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'final(x)=1' --control u",
    ),
    "A032": CodeEntry(
        title="no optimum was found",
        meaning=(
            "The nonlinear programming method ended without a solution. The message states the reason and the "
            "violated constraints: they may be inconsistent, or the initial guess is too far from a solution."
        ),
        example="model M\n  input u\n  local x (start=0)\n  der(x) = u\n  experiment (stop=1)\nend",
        fix="Provide a better guess (guess=), widen bounds or the range of the end time, or use more intervals.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'final(x)=2' --control u=-1:1",
    ),
    "A033": CodeEntry(
        title="a constraint or bound excludes the start",
        meaning="The state at the start is given and does not satisfy a constraint that must hold at every instant.",
        example="model M\n  input u\n  local x (start=0)\n  der(x) = u\n  experiment (stop=1)\nend",
        fix="Change the bound, or the initial value.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'x>=1' --control u",
    ),
    "A040": CodeEntry(
        title="the start value is outside the bounds",
        meaning="The search starts with the values of the parameters in the model, which must lie between the bounds.",
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,x\n0,1\n1,0.4\n2,0.1"
        ),
        fix="Widen the bounds, or give a value between them: values={'R.R': 5}, --set R.R=5.",
        command="acausal fit example.mdl data.csv --vary k=3:10",
    ),
    "A041": CodeEntry(
        title="a parameter has no influence",
        meaning=(
            "No measured value, or neither the objective nor a constraint, changes with this parameter at the start of "
            "the search, which cannot determine it."
        ),
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,x\n0,1\n1,0.4\n2,0.1"
        ),
        fix="Do not vary it, measure another variable, or start from other values.",
        command="acausal fit example.mdl data.csv --vary a",
    ),
    "A042": CodeEntry(
        title="the data do not determine all parameters",
        meaning=(
            "The named parameters can change together, in the proportions stated in the message, without changing any "
            "measured value: for example, two resistors in series. Their values are one of many solutions; their "
            "standard errors are infinite."
        ),
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,y\n0,1\n1,0.4\n2,0.1"
        ),
        fix="Give one of them a value, or measure a quantity that distinguishes them.",
        command="",
    ),
    "A043": CodeEntry(
        title="the data cannot be used",
        meaning=(
            "Measured data require a column of increasing times, a number in each row, and units that match those of "
            "the variables. The message names the column and row."
        ),
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,x\n0,1\n2,0.1\n1,0.4"
        ),
        fix="Correct the file, or state with `measured` which column measures which variable.",
        command="acausal fit example.mdl data.csv --vary k",
    ),
}
