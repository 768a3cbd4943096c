"""Codes of analyses."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "A001": CodeEntry(
        title="the model cannot be linearized so",
        meaning=(
            "Inputs of a linearization are inputs of the model, known variables and parameters whose values are not "
            "part of the equations. A variable that the equations determine is none; where the equations need the "
            "derivative of an input, the derivative is the input. Models with delays have no state-space form."
        ),
        example="model M\n  input u\n  local x (start=0), y\n  der(x) = u - x\n  y = 2*x\nend",
        fix="Choose another input, make the variable known with --known, or declare a parameter with (tunable=true).",
        command="acausal linearize example.mdl --inputs y --outputs x --input u=0",
    ),
    "A002": CodeEntry(
        title="the operating point is singular",
        meaning=(
            "At this point a system of equations is singular, as in a dead center, or a derivative is infinite, as "
            "that of sqrt at 0. The equations have no linear approximation there."
        ),
        example="model M\n  local x (start=0)\n  der(x) = 1 - sqrt(x)\nend",
        fix="Choose an operating point beside this one.",
        command="acausal linearize example.mdl --outputs x",
    ),
    "A003": CodeEntry(
        title="the motion slides at the operating point",
        meaning=(
            "A relation chatters at rest there: the motion goes along the line on which it switches, and neither of "
            "its branches describes the motion beside it."
        ),
        example="t.linearize(at=1)        { of a model in which a relation between ideal switches chatters at rest }",
        fix="Choose a time at which it does not slide, or linearize a model without the switch.",
        command="",
    ),
    "A004": CodeEntry(
        title="there is no steady operating point",
        meaning=(
            "The model was to be linearized where all derivatives are zero, but its initial conditions take "
            "precedence, so that a run does not start there."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = 2 - x\nend",
        fix="Remove the initial conditions, or linearize at a time at which the model has come to rest: --at T.",
        command="acausal linearize example.mdl --outputs x --steady",
    ),
    "A010": CodeEntry(
        title="the state cannot be saved",
        meaning="FMUs inside the model have states of their own, which are not part of a saved state.",
        example='r = t.simulate(stop=1); r.state()        { of a model with a submodel (fmu "pump.fmu") }',
        fix="Simulate from the start.",
        command="",
    ),
    "A011": CodeEntry(
        title="a state belongs to another model",
        meaning=(
            "A run goes on only from a state of the same model: its states, relations, discrete variables and delays "
            "must have the same names. Parameters and equations may have changed."
        ),
        example="acausal simulate motor.mdl --from pump.npz",
        fix="Name the file of this model, or give initial values by name: --init x=1.",
        command="",
    ),
    "A012": CodeEntry(
        title="a run has no state at this time",
        meaning=(
            "The time lies outside of the run, or the file does not say how the run was made. Files that `simulate -o` "
            "writes as .npz have the state at their end; for earlier times the run is repeated up to there."
        ),
        example="acausal simulate motor.mdl --stop 1 -o a.npz && acausal simulate motor.mdl --from a.npz@2",
        fix="Choose a time within the run, or go on from its end: --from RESULT.npz.",
        command="",
    ),
    "A013": CodeEntry(
        title="a checkpoint belongs to another run",
        meaning=(
            "`--checkpoint FILE` continues the run that the file is of. Here the model, parameters, inputs, options or "
            "the version of acausal are others, or the file with its rows beside it is missing or damaged."
        ),
        example="acausal simulate example.mdl --checkpoint run.npz      { after the model was changed }",
        fix="Repeat the command as it was, name another file, or remove this one to simulate from the start.",
        command="",
    ),
    "A014": CodeEntry(
        title="an operating point has not as many unknowns as equations",
        meaning=(
            "At an operating point each state rests, which determines it, and each output that has a given value "
            "determines one free input or parameter. There must be as many free names as given values. Parameters "
            "whose values are part of the equations cannot be free."
        ),
        example='t.trim({"tank.level": 2}, ["inflow", "valve"])        { one value, two names }',
        fix="Free fewer names or give more values; states that need not rest are `moving`.",
        command="",
    ),
    "A015": CodeEntry(
        title="the equations of an operating point are dependent",
        meaning=(
            "They do not determine all unknowns, or contradict each other: an angle that no equation depends on, an "
            "output that no free input reaches. The message names unknowns and equations."
        ),
        example='t.trim({"shaft.w": 0}, ["u"])        { the angle of the shaft may be anything }',
        fix="Free other names, or let states move that need not rest.",
        command="",
    ),
    "A016": CodeEntry(
        title="no operating point was found",
        meaning=(
            "From the start of the search no values were found that satisfy all equations; the message says which are "
            "missed, and which unknowns are at a bound."
        ),
        example='t.trim({"x": -1}, ["u"])        { where x = u^2 }',
        fix="Begin nearer to the point, with initial values and values of free inputs; or widen the bounds.",
        command="",
    ),
    "A020": CodeEntry(
        title="there are no derivatives by this parameter",
        meaning=(
            "Sensitivities are derivatives by real parameters. A parameter that determines the structure of the model, "
            "a whole number or a truth value has none; nor do models with FMUs, with delays whose length varies, with "
            "equations that are redundant in some configurations, or where init restarts a variable that is not a "
            "state. The time of an event that an input moves is differentiated where the input is an expression or a "
            "table, not where it is a function, nor where its expression names the parameter. Adjoint equations are "
            "not available for models with events, delays, redundant constraints or changes of states."
        ),
        example='t.sensitivities(["n"])        { n is the number of cells of a ladder }',
        fix="Choose another parameter, or compare two runs.",
        command="",
    ),
    "A021": CodeEntry(
        title="a crossing is grazing",
        meaning=(
            "A relation switches where its sides only just touch: a small change of a parameter may remove the event, "
            "and its time has no derivative. The message has the time and the relation."
        ),
        example='t.sensitivities(["h0"])        { the ball just reaches the ceiling }',
        fix="Choose parameters for which the crossing is clearly made or clearly missed.",
        command="",
    ),
    "A023": CodeEntry(
        title="the objective has no derivative",
        meaning=(
            "The time of an event that does not happen has no value. An extreme value at an event that moves with the "
            "parameters, where the variable has a corner or jumps, is not differentiated."
        ),
        example='t.gradient("event(7)", ["R.R"])        { of a run with three events }',
        fix="Choose another objective: a variable that an event sets has its value there.",
        command="",
    ),
    "A024": CodeEntry(
        title="a parameter has no influence",
        meaning="All derivatives by this parameter are zero: the variables and events of this run do not depend on it.",
        example="acausal sensitivity ball.mdl --parameters m --outputs h        { the mass of a falling ball }",
        fix="Nothing, or choose variables that depend on it.",
        command="",
    ),
    "A022": CodeEntry(
        title="two events coincide that parameters move apart",
        meaning=(
            "Two relations switch at the same time, and parameters move these times differently: which comes first "
            "depends on the direction in which the parameter changes, so that there is no derivative."
        ),
        example='t.sensitivities(["m1"])        { two bodies hit a wall at the same time }',
        fix="Change a parameter a little, so that one event comes first.",
        command="",
    ),
    "A030": CodeEntry(
        title="optimal control needs smooth equations",
        meaning=(
            "Controls are found by collocation: polynomials that satisfy the equations at points in time. Relations "
            "that switch, discrete variables, delays and states that change during a run have no place there."
        ),
        example="model M\n  input u\n  local x (start=0)\n  der(x) = if x > 1 then u else 2*u\nend",
        fix="Write the equations without relations (bounds of controls belong to `controls`), or optimize parameters.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'final(x)=2' --control u",
    ),
    "A031": CodeEntry(
        title="an input cannot be a control",
        meaning=(
            "A control may jump, so that the equations must not contain its derivative; and inputs that are no "
            "controls are numbers here, because the end time may be free."
        ),
        example="model M\n  input u\n  local x (start=0), y\n  der(x) = der(u) - x\n  y = u\nend",
        fix="Make the derivative an input of the model and the input a state: der(u) = rate.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'final(x)=1' --control u",
    ),
    "A032": CodeEntry(
        title="no optimum was found",
        meaning=(
            "The method of nonlinear programming ended without a solution. The message says why, and which "
            "constraints are missed: they may contradict each other, or the search began too far away."
        ),
        example="model M\n  input u\n  local x (start=0)\n  der(x) = u\n  experiment (stop=1)\nend",
        fix="Begin nearer (guess=), widen bounds or the range of the end time, or use more intervals.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'final(x)=2' --control u=-1:1",
    ),
    "A033": CodeEntry(
        title="a constraint or bound excludes the start",
        meaning="The state at the start, which is given, does not satisfy a constraint that holds at every instant.",
        example="model M\n  input u\n  local x (start=0)\n  der(x) = u\n  experiment (stop=1)\nend",
        fix="Change the bound, or the initial value.",
        command="acausal optimize example.mdl --minimize 'integral(u^2)' --subject-to 'x>=1' --control u",
    ),
    "A040": CodeEntry(
        title="bounds exclude the start",
        meaning="The search for parameters begins at their values in the model, which have to lie between the bounds.",
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
        meaning="No measured value changes with this parameter at the start of the search: data cannot determine it.",
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,x\n0,1\n1,0.4\n2,0.1"
        ),
        fix="Do not fit it, measure another variable, or begin with other values.",
        command="acausal fit example.mdl data.csv --vary a",
    ),
    "A042": CodeEntry(
        title="the data do not determine all parameters",
        meaning=(
            "The parameters that are named can change together, by the shares that are given, without changing any "
            "measured value: two resistors in series. Their values are one choice of many; their errors are infinite."
        ),
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,y\n0,1\n1,0.4\n2,0.1"
        ),
        fix="Give one of them a value, or measure something that tells them apart.",
        command="",
    ),
    "A043": CodeEntry(
        title="the data cannot be used",
        meaning=(
            "Measured data need a column of increasing times, a number in each row, and units that fit those of the "
            "variables. The message names the column and row."
        ),
        example=(
            "model M\n  parameter k (tunable=true) = 2, a (tunable=true) = 3, b (tunable=true) = 4\n"
            "  local x (start=1), y\n  der(x) = -k*x\n  y = a*b*x\nend\n"
            "--- data.csv\ntime,x\n0,1\n2,0.1\n1,0.4"
        ),
        fix="Correct the file; `measured` says which column measures which variable.",
        command="acausal fit example.mdl data.csv --vary k",
    ),
}
