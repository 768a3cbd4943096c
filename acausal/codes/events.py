"""Codes of events."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "E001": CodeEntry(
        title="new requires a discrete variable",
        meaning=(
            "new(k) is the value of k after the event. Only a variable declared `discrete` has a value before and one "
            "after an event; other variables follow from the equations at all times."
        ),
        example="model M\n  local x\n  der(x) = 1\n  when x > 1 then\n    new(x) = 0\n  endwhen\nend",
        fix="Declare `discrete k`; to reinitialize a state, write init(x) = 0.",
    ),
    "E002": CodeEntry(
        title="the times of sample vary during a run",
        meaning=(
            "sample(start, interval) is true at start, start + interval, and so on: both must be known before the run."
        ),
        example=(
            "model M\n  local x\n  discrete k\n  der(x) = 1\n  when sample(0, x) then\n    new(k) = k + 1\n"
            "  endwhen\nend"
        ),
        fix=(
            "Use parameters. For times that depend on variables, store the next one in a discrete variable: when time "
            ">= next then, new(next) = time + ..."
        ),
    ),
    "E003": CodeEntry(
        title="invalid use of init",
        meaning=(
            "init(x) = value reinitializes the state x at an event, inside a `when`. Parameters, inputs and discrete "
            "variables are not states."
        ),
        example="model M\n  local v (start=1)\n  der(v) = -1\n  init(v) = -v        { outside of when }\nend",
        fix="Move it into a `when`; for the start of the run write `initial v = 2` or (ic v=2).",
    ),
    "E004": CodeEntry(
        title="statement not allowed inside when",
        meaning=(
            "A `when` is active at single instants. Only init(x) = ..., new(k) = ..., assert and terminate are allowed "
            "inside; equations hold at all times."
        ),
        example="model M\n  local v (start=1)\n  der(v) = -1\n  when v < 0 then\n    v = 0\n  endwhen\nend",
        fix="Write init(v) = 0 for a state, new(k) = 0 for a discrete variable.",
    ),
    "E005": CodeEntry(
        title="a variable is set twice, or a discrete variable is never set",
        meaning=(
            "A discrete variable is set by exactly one when ... endwhen, or by one equation new(k) = ... outside. Each "
            "branch of a `when` sets a variable at most once."
        ),
        example=(
            "model M\n  discrete k\n  when time > 1 then\n    new(k) = 1\n  endwhen\n  when time > 2 then\n"
            "    new(k) = 0\n  endwhen\nend"
        ),
        fix=(
            "Join the conditions with elsewhen. Declare a variable that never changes as parameter, and one that "
            "follows from an equation at all times as local."
        ),
    ),
    "E006": CodeEntry(
        title="cyclic dependency between new values",
        meaning=(
            "The value of k after the event depends on that of m after the event, and vice versa: there is no "
            "evaluation order."
        ),
        example="model M\n  discrete k, m\n  new(k) = new(m) + 1\n  new(m) = new(k) - 1\nend",
        fix="Use the value before the event (m without new) in one of them.",
    ),
    "E007": CodeEntry(
        title="a discrete variable has no derivative",
        meaning="A discrete variable is constant between events and changes discontinuously at events.",
        example="model M\n  discrete k\n  local x\n  when time > 1 then\n    new(k) = 2\n  endwhen\n  x = der(k)\nend",
        fix="Declare it `local`.",
    ),
    "E008": CodeEntry(
        title="an event expression is used in a continuous equation",
        meaning=(
            "new(k) and sample(...) are defined inside `when` and on the right side of an equation new(...) = ... "
            "only. Other equations use k, which is the value after the event."
        ),
        example="model M\n  local y\n  discrete k\n  when time > 1 then\n    new(k) = 1\n  endwhen\n  y = new(k)\nend",
        fix="Write k.",
    ),
    "E010": CodeEntry(
        title="event iteration does not converge",
        meaning=(
            "At one instant the discrete values reach no fixed point: each pass over the equations of the event "
            "changes values that the previous pass set."
        ),
        example="model M\n  discrete k\n  new(k) = 1 - k\nend",
        fix=(
            "Check the competing values named in the message; let the change make its own condition false. For a "
            "cascade that needs more passes than the limit in the message, raise it with --event-passes N (Python: "
            "event_passes)."
        ),
        command="acausal simulate example.mdl",
    ),
    "E011": CodeEntry(
        title="chattering",
        meaning=(
            "The intervals between events become so short that the run no longer advances: a bouncing ball that comes "
            "to rest (Zeno behavior), or a relation that switches back and forth. Inside noevent(...) there are no "
            "events, but the steps become as short. Another cause is positive feedback without dynamics that define "
            "how it switches. abs, min, max and branches that agree where they meet never chatter."
        ),
        example=(
            "model M\n  local h (start=1), v\n  der(h) = v\n  der(v) = -9.81\n  when h < 0 and v < 0 then\n"
            "    init(v) = -0.5*v\n  endwhen\nend"
        ),
        fix=(
            "Model the behavior in this regime: let the ball rest below a small speed, add hysteresis to a switch, a "
            "sticking phase to friction or a time constant to the feedback, or smooth the jump."
        ),
        command="acausal simulate example.mdl --stop 5",
    ),
    "E012": CodeEntry(
        title="init values cannot be satisfied",
        meaning=(
            "At one instant, init gives more values than the model has degrees of freedom and they are inconsistent, "
            "or constraints exclude them."
        ),
        example=(
            "model M\n  local x, y\n  der(x) = 1\n  y = x\n  when time > 0.5 then\n    init(x) = 1\n"
            "    init(y) = 2\n  endwhen\nend"
        ),
        fix="Use init for independent states only, or give consistent values.",
        command="acausal simulate example.mdl",
    ),
    "E013": CodeEntry(
        title="relations are inconsistent at an event",
        meaning=(
            "No combination of the relations in the equations (switches open or closed, sliding or sticking) is "
            "consistent with the solution that it leads to."
        ),
        example="model M\n  local x\n  x = if x > 0 then -1 else 1\nend",
        fix="Check the equations in the message for a missing case and for two cases with exchanged conditions.",
        command="acausal simulate example.mdl",
    ),
    "E014": CodeEntry(
        title="a delay time is not a positive constant",
        meaning=(
            "delay(x, T) is the value of x at time - T. T must be a positive number or an expression in parameters."
        ),
        example="model M\n  local x, y\n  x = time\n  y = delay(x, x)\nend",
        fix="Make T a parameter.",
    ),
    "E015": CodeEntry(
        title="the interval of sample is not positive",
        meaning="sample(start, interval) is true at start, start + interval, and so on; the interval must be positive.",
        example="model M\n  discrete k\n  when sample(0, 0) then\n    new(k) = k + 1\n  endwhen\nend",
        fix="Use a positive interval; if it is a parameter, give the parameter a positive value.",
    ),
    "E016": CodeEntry(
        title="sample has too many instants",
        meaning=(
            "sample(start, interval) has more instants within the run than the maximum number of events (10,000,000)."
        ),
        example="model M\n  discrete k\n  when sample(0, 1e-9) then\n    new(k) = k + 1\n  endwhen\nend",
        fix="Increase the interval, or end the run earlier.",
        command="acausal simulate example.mdl",
    ),
}
