"""Codes of initial values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "I001": CodeEntry(
        title="a start value is fixed twice",
        meaning=(
            "Two variables that the connections make equal both have a start value with fixed=true, and the values "
            "differ."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (capacitor) C1(C=1) (ic u=1), C2(C=2) (ic u=2)\n"
            "  submodel (resistor) R(R=1)\n  submodel (ground) G\n  connect G - R - (C1 // C2) - G\nend"
        ),
        fix="Fix only one of the start values.",
    ),
    "I002": CodeEntry(
        title="too many initial conditions",
        meaning=(
            "There are more initial equations and fixed start values than degrees of freedom at the start: they "
            "determine the same quantities as others, or as the equations of the model."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -x\n  initial x = 2\nend",
        fix="Remove one of the listed conditions, or remove fixed=true: the start value is then only a guess.",
    ),
    "I003": CodeEntry(
        title="an initial equation uses a variable or derivative that does not occur in the model",
        meaning=(
            "An initial equation may contain the variables of the model and derivatives that occur in its equations or "
            "result from differentiating them."
        ),
        example="model M\n  local v, u\n  der(u) = 1\n  v = 2*u\n  initial der(v, 2) = 0\nend",
        fix="Write the condition with derivatives that occur in the model.",
    ),
    "I010": CodeEntry(
        title="states start from their start values",
        meaning=(
            "The given conditions do not determine these states; they start from their start values, or from zero "
            "without one. This is information only."
        ),
        example="model M\n  local x, y (start=2)\n  der(x) = y - x\n  der(y) = -y\nend",
        fix=(
            "If another value is intended, give it: local x (start=1). With fixed=true, or `initial x = 1`, it is a "
            "condition and no longer listed."
        ),
    ),
    "I011": CodeEntry(
        title="a state does not start in steady state",
        meaning=(
            "In a steady state the derivatives of all states are zero at the start of the run. `initial` equations and "
            "fixed start values take precedence: rates that they determine remain. If the steady state of all other "
            "states determines a rate, as that of a shaft whose angle is a state, this state changes steadily."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -x\nend",
        fix="Remove the condition named in the message, or omit --steady.",
        command="acausal simulate example.mdl --steady",
    ),
    "I012": CodeEntry(
        title="there is no steady state",
        meaning=(
            "The equations determine the derivative of a state independently of all states: it cannot be made zero."
        ),
        example="model M\n  local x\n  der(x) = 1\nend",
        fix="Omit --steady and give start values, or add what limits the variable: friction, a spring, a leak.",
        command="acausal simulate example.mdl --steady",
    ),
    "I013": CodeEntry(
        title="an initial condition is redundant",
        meaning=(
            "The condition follows from the other initial conditions and the equations, for the current values of the "
            "parameters. It is removed. This is information only; for values with which the conditions are "
            "inconsistent, I002 is reported."
        ),
        example="model M\n  local x, y\n  initial x = 1\n  initial y = 2\n  der(x) = -x\n  y = 2*x\nend",
        fix="No action is required; remove the condition if it is not intended as a check.",
        command="",
    ),
    "I020": CodeEntry(
        title="a variable cannot be made known or unknown",
        meaning=(
            "--known takes real variables that the equations determine; --unknown takes real parameters and inputs of "
            "the model, for which it is then solved."
        ),
        example="model M\n  parameter R=2\n  local i, v\n  v = R*i\n  i = 3\nend",
        fix="Name the prescribed variable and the one to solve for: --known v --unknown R.",
        command="acausal translate example.mdl --known v --unknown i",
    ),
    "I040": CodeEntry(
        title="some constraints follow from others",
        meaning=(
            "A mechanism or network is overconstrained: in a planar loop three of the six equations that close it "
            "follow from others; also with three parallel rods, a door on two hinges, wheels on one axle, two gears of "
            "one ratio, drives that give joints of one loop the same motion, sources of one voltage in parallel or of "
            "one current in series. These constraints are removed and asserted: the motion is unique, but only some "
            "combinations of the reactions are. Of all reactions that give this motion, those with the least sum of "
            "squares are computed, forces in N, torques in N.m, voltages in V. The sum is over the joints, cut joints "
            "and other elements with constraints (f of a joint is the torque and force at its frame B); over all "
            "elements between, if these carry nothing. This is information only."
        ),
        example=(
            "@mbsdir.lib\nmodel M\n  submodel (Inertial) i\n  submodel (Revolute) a(n3=1), b(n3=1, r1=1)\n"
            "  submodel (Revolute) c(n3=1, r1=1.5)\n  submodel (Bar) d(r1=-1, r2=-1)\n"
            "  submodel (Body) w(m=1, I33=1), x(m=1, I33=1)\n  connect i - a - b - c - d - i, w at a, x at b\nend"
        ),
        fix=(
            "If another distribution is intended, model the elasticity, or replace a joint of the loop by CutPlanar, "
            "CutRevolute or CutSpherical. `acausal mechanism FILE` shows which reactions of a mechanism are unique, "
            "and with --compliance those of elastic joints."
        ),
        command="",
    ),
    "I041": CodeEntry(
        title="constraints are redundant in a mode",
        meaning=(
            "Where several friction elements of one shaft stick, or one on a shaft that a drive or a support holds, or "
            "ideal switches in parallel are closed, the equations determine the motion, but not the reaction of each "
            "element. There these reactions have minimum "
            "norm; all other variables are unique. If the constraints are inconsistent during a run, it ends with "
            "R003. This is information only."
        ),
        example=(
            "@friction.lib\nmodel M\n  submodel (inertia) J(J=1) (ic phi=0, w=1)\n"
            "  submodel (bearingfriction) b1(T0=1), b2(T0=2)\n  connect b1 at J:A, b2 at J:B\nend"
        ),
        fix="No action is required; if the reactions matter, insert a stiff spring between the elements.",
        command="",
    ),
    "I030": CodeEntry(
        title="a state preference is not satisfied",
        meaning=(
            'state="always" or "prefer" requests a variable as a state, "avoid" or "never" excludes it. Constraints '
            "between variables leave fewer states than variables, and a differentiated variable must have a state. "
            "This is a warning: the model is solved with the available states."
        ),
        example='model M\n  local x (state="never")\n  der(x) = -x\nend',
        fix="Remove the preference, or lower or raise that of another variable that a constraint ties to this one.",
    ),
}
