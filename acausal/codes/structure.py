"""Codes of balanced classes and of structural analysis: too many or too few equations somewhere."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "B001": CodeEntry(
        title="a class is not balanced",
        meaning=(
            "With its cuts connected, a class must have as many equations as unknowns: its own equations plus one for "
            "each through variable of its cuts, which the connection contributes."
        ),
        example="model class resistor\n  parameter R\n  cut A (Va / i), B (Vb / -i)\n  local u\n  R*i = u\nend",
        fix=(
            "Add the missing equation (here Va - Vb = u), or declare as terminal the variable that an outside equation "
            "determines."
        ),
    ),
    "S001": CodeEntry(
        title="some variables have too many equations",
        meaning=(
            "The named equations contain fewer unknowns than there are equations, so they are redundant or "
            "inconsistent, independently of the rest of the model. Often two components determine the same quantity: "
            "two voltages in parallel or two speeds on one shaft that differ, an equation written twice."
        ),
        example="model M\n  local x, y\n  x = 1\n  x = 2\n  y = time\nend",
        fix="Remove one of the equations or components, or insert a compliant element between them.",
    ),
    "S002": CodeEntry(
        title="some variables have too few equations",
        meaning=(
            "There are not enough equations to determine the named variables. Often a connection is missing, or no "
            "equation uses a declared local variable."
        ),
        example="model M\n  local x, y\n  der(x) = y\nend",
        fix="Add the missing equation or connection, or make a variable known with --known.",
    ),
    "S008": CodeEntry(
        title="a derivative given by hand is incorrect",
        meaning=(
            "Along the solution the total derivative of the equation is not zero although the given derivative "
            "equation holds. Checked by `acausal check --numeric` at five points of a run."
        ),
        example="model M\n  local x, w, f\n  der(x) = w\n  der(w) = f\n  x = sin(time)  derivative w = sin(time)\nend",
        fix="Correct the derivative, or omit it: the equation is then differentiated symbolically.",
        command="acausal check example.mdl --numeric",
    ),
    "S003": CodeEntry(
        title="a part of the circuit has no ground",
        meaning=(
            "Across variables are determined up to a constant until one point of each connected part is fixed. Without "
            "a ground, one equation in the balance of through variables is redundant and the potentials have no "
            "reference."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (source) U(V=1)\n  submodel (resistor) R(R=1)\n"
            "  connect U - R - U\nend"
        ),
        fix="Connect one point of the part to a ground.",
    ),
    "S004": CodeEntry(
        title="an unconnected cut leaves a variable undetermined",
        meaning=(
            "The through variables of an unconnected cut are zero. Here this is not enough: no equation determines an "
            "across variable of the cut."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (source) U(V=1)\n  submodel (resistor) R1(R=1), R2(R=1)\n"
            "  submodel (OpAmp) A\n  submodel (ground) G\n  connect G - U - R1 - A:minus, A:plus at G\nend"
        ),
        fix="Connect the cut.",
    ),
    "S005": CodeEntry(
        title="a terminal has no equation",
        meaning="A terminal is a variable of a component that an equation of the enclosing model must determine.",
        example=(
            "@switches.lib\nmodel M\n  submodel (source) U(V=1)\n  submodel (resistor) R(R=1)\n"
            "  submodel (idealswitch) S\n  submodel (ground) G\n  connect G - U - S - R - G\nend"
        ),
        fix="Write the equation: S.on = if time > 1 then 1 else 0.",
    ),
    "S006": CodeEntry(
        title="equations are linearly dependent or inconsistent",
        meaning=(
            "There are as many equations as unknowns, but the Jacobian of some of them is singular at all points of a "
            "run. If a combination of them yields a constraint, it replaces one of them and nothing is reported. If "
            "all unknowns cancel, the equations are redundant (nothing remains) or inconsistent (0 = 1 remains). If no "
            "combination is found, the singularity is reported. Found by the rank of the equations at random points."
        ),
        example="model M\n  local x, y\n  x + y = 1\n  2*x + 2*y = 3\nend",
        fix="Change or remove one of the equations, and add one that determines the named unknowns.",
    ),
}
