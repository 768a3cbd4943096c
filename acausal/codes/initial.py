"""Codes of initial values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "I001": CodeEntry(
        title="a start value is fixed twice",
        meaning=(
            "Two variables that are equal by the connections both carry a start value with fixed=true, and "
            "these differ."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (capacitor) C1(C=1) (ic u=1), C2(C=2) (ic u=2)\n"
            "  submodel (resistor) R(R=1)\n  submodel (ground) G\n  connect G - R - (C1 // C2) - G\nend"
        ),
        mend="Fix the start value of one of them only.",
    ),
    "I002": CodeEntry(
        title="too many initial conditions",
        meaning=(
            "The initial equations and fixed start values are more than the model leaves open at the start: "
            "they determine the same quantities as others, or as the equations of the model."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -x\n  initial x = 2\nend",
        mend="Remove one of the listed conditions, or drop fixed=true: then the start value is only a guess.",
    ),
    "I003": CodeEntry(
        title="an initial equation speaks of something the model does not have",
        meaning=(
            "An initial equation may hold the variables of the model and those derivatives that occur in its "
            "equations or are made by differentiating them."
        ),
        example="model M\n  local v, u\n  der(u) = 1\n  v = 2*u\n  initial der(v, 2) = 0\nend",
        mend="Write the condition with derivatives that occur in the model.",
    ),
    "I010": CodeEntry(
        title="states start from their start values",
        meaning=(
            "The conditions given leave these states undetermined; they start from their start values, those without "
            "one from zero. This is information only."
        ),
        example="model M\n  local x, y (start=2)\n  der(x) = y - x\n  der(y) = -y\nend",
        mend=(
            "Give it another value if that is not meant: local x (start=1). With fixed=true, or `initial x = 1`, it "
            "is a condition, and no longer listed."
        ),
    ),
    "I011": CodeEntry(
        title="a state does not start at rest",
        meaning=(
            "In a steady state the derivatives of all states are zero at the first instant. `initial` equations and "
            "fixed start values come first: what they determine keeps its rate. Where all other states rest and a "
            "rate is determined by that, as the speed of a shaft whose angle is a state, the state goes on steadily."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -x\nend",
        mend="Remove the condition that is named, or omit --steady.",
        command="acausal simulate example.mdl --steady",
    ),
    "I012": CodeEntry(
        title="there is no steady state",
        meaning="The equations determine a derivative of a state without any state in them: it cannot be made zero.",
        example="model M\n  local x\n  der(x) = 1\nend",
        mend="Omit --steady and give start values, or write what limits the variable: friction, a spring, a leak.",
        command="acausal simulate example.mdl --steady",
    ),
    "I013": CodeEntry(
        title="an initial condition is redundant",
        meaning=(
            "The condition follows from the other initial conditions and the equations, at the present values of the "
            "parameters. It is left out. This is information; where it does not hold, it is I002."
        ),
        example="model M\n  local x, y\n  initial x = 1\n  initial y = 2\n  der(x) = -x\n  y = 2*x\nend",
        mend="Nothing need be done; remove the condition if it is not meant as a check.",
        command="",
    ),
    "I020": CodeEntry(
        title="a variable cannot be made known or unknown",
        meaning=(
            "--known takes real variables that the equations determine; --unknown takes real parameters and the inputs "
            "of the model, which are sought in return."
        ),
        example="model M\n  parameter R=2\n  local i, v\n  v = R*i\n  i = 3\nend",
        mend="Name what is given and what is sought in return: --known v --unknown R.",
        command="acausal translate example.mdl --known v --unknown i",
    ),
    "I040": CodeEntry(
        title="a mechanism is overconstrained",
        meaning=(
            "Some constraints follow from others: in a planar loop three of the six equations that close it, with "
            "three parallel rods, a door on two hinges, wheels on one axle, two gears of one ratio others. They are "
            "removed and asserted: the motion is unique, but only some combinations of the reactions are. Of all "
            "reactions that give this motion those with the least sum of squares are computed, forces in N and torques "
            "in N.m. The sum is over the joints, cut joints and other elements with constraints (f of a joint is the "
            "torque and force at its frame B); over all elements between, where these carry nothing. This is "
            "information."
        ),
        example=(
            "@mbsdir.lib\nmodel M\n  submodel (Inertial) i\n  submodel (Revolute) a(n3=1), b(n3=1, r1=1)\n"
            "  submodel (Revolute) c(n3=1, r1=1.5)\n  submodel (Bar) d(r1=-1, r2=-1)\n"
            "  submodel (Body) w(m=1, I33=1), x(m=1, I33=1)\n  connect i - a - b - c - d - i, w at a, x at b\nend"
        ),
        mend="Where another distribution is meant, model the elasticity, or put CutPlanar, CutRevolute or CutSpherical "
        "in place of a joint of the loop.",
        command="",
    ),
    "I041": CodeEntry(
        title="constraints are redundant in a mode",
        meaning=(
            "Where several friction elements of one shaft stick, or ideal switches in parallel are closed, the "
            "equations determine the motion, but not what each of them carries. There these reactions have minimum "
            "norm; all other variables are unique. If the constraints contradict each other in a run, it ends with "
            "R003. This is information."
        ),
        example=(
            "@friction.lib\nmodel M\n  submodel (inertia) J(J=1) (ic phi=0, w=1)\n"
            "  submodel (bearingfriction) b1(T0=1), b2(T0=2)\n  connect b1 at J:A, b2 at J:B\nend"
        ),
        mend="Nothing need be done; where the reactions matter, put a stiff spring between the elements.",
        command="",
    ),
    "I030": CodeEntry(
        title="a wish for states is not met",
        meaning=(
            'state="always" or "prefer" asks that a variable be a state, "avoid" or "never" that it be none. '
            "Constraints between variables leave fewer states than variables, and what is differentiated "
            "must have a state. This is a warning: the model is solved with the states there are."
        ),
        example='model M\n  local x (state="never")\n  der(x) = -x\nend',
        mend="Leave the wish out, or give another variable, tied to it by a constraint, less or more wish.",
    ),
}
