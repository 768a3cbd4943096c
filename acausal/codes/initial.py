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
        "a state starts at zero because no start value is given",
        "The conditions given leave this state undetermined; it starts from zero. This is information only.",
        "local x\nder(x) = 1 - x",
        "Give it a value if zero is not meant: local x (start=2).",
    ),
}
