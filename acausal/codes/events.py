"""Codes of events."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "E001": CodeEntry(
        title="new takes a discrete variable",
        meaning=(
            "new(k) is the value that k has after the event. Only a variable declared `discrete` has one: "
            "other variables follow from the equations at all times."
        ),
        example="model M\n  local x\n  der(x) = 1\n  when x > 1 then\n    new(x) = 0\n  endwhen\nend",
        mend="Declare `discrete k`; where a state shall start again from another value, write init(x) = 0.",
    ),
    "E002": CodeEntry(
        title="the times of sample change during a run",
        meaning="sample(start, interval) is true at start, start + interval, and so on: both must be known before.",
        example=(
            "model M\n  local x\n  discrete k\n  der(x) = 1\n  when sample(0, x) then\n    new(k) = k + 1\n"
            "  endwhen\nend"
        ),
        mend=(
            "Use parameters. For times that depend on variables hold the next one in a discrete variable: "
            "when time >= next then, new(next) = time + ..."
        ),
    ),
    "E003": CodeEntry(
        title="init stands in the wrong place",
        meaning=(
            "init(x) = value makes the state x start again from a value, at the moment of a `when`. Parameters, inputs "
            "and discrete variables are no states."
        ),
        example="model M\n  local v (start=1)\n  der(v) = -1\n  init(v) = -v        { outside of when }\nend",
        mend="Put it into a `when`; for the start of the run write `initial v = 2` or (ic v=2).",
    ),
    "E004": CodeEntry(
        title="this cannot stand inside when",
        meaning=(
            "A `when` acts at single moments. Only init(x) = ..., new(k) = ..., assert and terminate have a "
            "meaning there; equations hold at all times."
        ),
        example="model M\n  local v (start=1)\n  der(v) = -1\n  when v < 0 then\n    v = 0\n  endwhen\nend",
        mend="Write init(v) = 0 for a state, new(k) = 0 for a discrete variable.",
    ),
    "E005": CodeEntry(
        title="a variable is set in two places, or a discrete one nowhere",
        meaning=(
            "Exactly one when ... endwhen, or one equation new(k) = ... outside, sets a discrete variable. Each branch "
            "of a when sets a variable once."
        ),
        example=(
            "model M\n  discrete k\n  when time > 1 then\n    new(k) = 1\n  endwhen\n  when time > 2 then\n"
            "    new(k) = 0\n  endwhen\nend"
        ),
        mend=(
            "Join the conditions with elsewhen. What never changes is a parameter; what follows from an "
            "equation at all times is a local."
        ),
    ),
    "E006": CodeEntry(
        title="new values depend on each other",
        meaning=(
            "The value of k after the event is computed from that of m after the event, and that from k's: no"
            " order computes both."
        ),
        example="model M\n  discrete k, m\n  new(k) = new(m) + 1\n  new(m) = new(k) - 1\nend",
        mend="Use the value before the event, m without new, in one of them.",
    ),
    "E007": CodeEntry(
        title="a discrete variable has no derivative",
        meaning="It is constant between events and jumps there.",
        example=(
            "model M\n  discrete k\n  local x\n  when time > 1 then\n    new(k) = 2\n  endwhen\n  x = der(k)\nend"
        ),
        mend="Declare it `local`.",
    ),
    "E008": CodeEntry(
        title="a value of single instants in an equation of all times",
        meaning=(
            "new(k) and sample(...) have a meaning inside `when`, or where an equation new(...) = ... is computed. An "
            "equation outside sees k, which is the value after the event."
        ),
        example="model M\n  local y\n  discrete k\n  when time > 1 then\n    new(k) = 1\n  endwhen\n  y = new(k)\nend",
        mend="Write k.",
    ),
    "E010": CodeEntry(
        title="event iteration does not converge",
        meaning=(
            "At one moment new values change again and again: each pass over the equations of the event "
            "changes what the pass before had set."
        ),
        example="model M\n  discrete k\n  new(k) = 1 - k\nend",
        mend=(
            "Look at the values that compete in the message; let the change depend on something that it ends. A "
            "cascade that needs more passes than the limit in the message gets them by --event-passes N (Python: "
            "event_passes)."
        ),
        command="acausal simulate example.mdl",
    ),
    "E011": CodeEntry(
        title="chattering",
        meaning=(
            "The times between events become so short that the run no longer advances: a bouncing ball that "
            "comes to rest (Zeno), or a relation that switches back and forth. Inside noevent(...) there are no "
            "events, but the steps become as short. Or a positive feedback has no dynamics that say how it switches. "
            "abs, min, max and branches that agree where they meet never chatter."
        ),
        example=(
            "model M\n  local h (start=1), v\n  der(h) = v\n  der(v) = -9.81\n  when h < 0 and v < 0 then\n"
            "    init(v) = -0.5*v\n  endwhen\nend"
        ),
        mend=(
            "Model what really happens then: let the ball rest below a small speed, give a switch hysteresis "
            "or friction a sticking phase, the feedback a time constant, or smooth the jump."
        ),
        command="acausal simulate example.mdl --stop 5",
    ),
    "E012": CodeEntry(
        title="init cannot be met",
        meaning=(
            "More values are given by init at one moment than the model has degrees of freedom and they do not "
            "agree, or constraints forbid them."
        ),
        example=(
            "model M\n  local x, y\n  der(x) = 1\n  y = x\n  when time > 0.5 then\n    init(x) = 1\n"
            "    init(y) = 2\n  endwhen\nend"
        ),
        mend="Give init for independent states only, or values that agree.",
        command="acausal simulate example.mdl",
    ),
    "E013": CodeEntry(
        title="relations contradict each other at an event",
        meaning=(
            "No combination of the relations in the equations (switches open or closed, sliding or sticking) "
            "agrees with the solution that it gives."
        ),
        example="model M\n  local x\n  x = if x > 0 then -1 else 1\nend",
        mend="Look at the equations in the message: is a case missing, or have two cases the wrong direction?",
        command="acausal simulate example.mdl",
    ),
    "E014": CodeEntry(
        title="the time of a delay is not a positive constant",
        meaning="delay(x, T) is what x was the time T ago. T is a number or an expression in parameters, above 0.",
        example="model M\n  local x, y\n  x = time\n  y = delay(x, x)\nend",
        mend="Make T a parameter.",
    ),
    "E015": CodeEntry(
        title="the interval of a sample is not positive",
        meaning="sample(start, interval) is true at start, start + interval, and so on: the interval is above 0.",
        example="model M\n  discrete k\n  when sample(0, 0) then\n    new(k) = k + 1\n  endwhen\nend",
        mend="Give it a positive interval; where it is a parameter, a positive value.",
    ),
    "E016": CodeEntry(
        title="a sample has too many instants",
        meaning="sample(start, interval) has more instants within the run than a run can have events (10,000,000).",
        example="model M\n  discrete k\n  when sample(0, 1e-9) then\n    new(k) = k + 1\n  endwhen\nend",
        mend="Sample in longer intervals, or end the run earlier.",
        command="acausal simulate example.mdl",
    ),
}
