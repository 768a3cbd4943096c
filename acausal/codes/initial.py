"""Codes of initial values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "I001": CodeEntry(
        "a start value is fixed twice",
        "Two variables that are equal by the connections both carry a start value with fixed=true, and these differ.",
        "submodel (inertia) J1(J=1) (ic w=1), J2(J=1) (ic w=2)\nconnect J1 - J2",
        "Fix the start value of one of them only.",
    ),
    "I002": CodeEntry(
        "too many initial conditions",
        "The initial equations and fixed start values are more than the model leaves open at the start: they "
        "determine the same quantities as others, or as the equations of the model.",
        "local x (start=1, fixed=true)\nder(x) = -x\ninitial x = 2",
        "Remove one of the listed conditions, or drop fixed=true: then the start value is only a guess.",
    ),
    "I003": CodeEntry(
        "an initial equation speaks of something the model does not have",
        "An initial equation may hold the variables of the model and those derivatives that occur in its equations "
        "or are made by differentiating them.",
        "local v, u\nv = 2*u\ninitial der(v, 2) = 0",
        "Write the condition with derivatives that occur in the model.",
    ),
    "I010": CodeEntry(
        "states start from their start values",
        "The conditions given leave these states undetermined; they start from their start values, those without one "
        "from zero. This is information only.",
        "local x, y (start=2)\nder(x) = y - x\nder(y) = -y",
        "Give it another value if that is not meant: local x (start=1). With fixed=true, or `initial x = 1`, it is a "
        "condition, and no longer listed.",
    ),
    "I011": CodeEntry(
        "a state does not start at rest",
        "In a steady state the derivatives of all states are zero at the first instant. `initial` equations and fixed "
        "start values come first: what they determine keeps its rate. Where all other states rest and a rate is "
        "determined by that, as the speed of a shaft whose angle is a state, the state goes on steadily.",
        "local x (start=1, fixed=true)\nder(x) = -x        { acausal simulate decay.mdl --steady }",
        "Remove the condition that is named, or leave --steady out.",
    ),
    "I012": CodeEntry(
        "there is no steady state",
        "The equations determine a derivative of a state without any state in them: it cannot be made zero.",
        "local x\nder(x) = 1        { acausal simulate ramp.mdl --steady }",
        "Leave --steady out and give start values, or write what limits the variable: friction, a spring, a leak.",
    ),
}
