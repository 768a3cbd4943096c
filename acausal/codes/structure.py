"""Codes of structural analysis: too many or too few equations somewhere."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "S001": CodeEntry(
        title="some variables have too many equations",
        meaning=(
            "The named equations hold fewer unknowns than there are equations, so they repeat or contradict "
            "each other, whatever the rest of the model says. Often two components fix the same thing: two "
            "voltage sources in parallel, two speed sources on one shaft, an equation written twice."
        ),
        example="model M\n  local x, y\n  x = 1\n  x = 2\n  y = time\nend",
        mend="Remove one of the equations or components, or put something compliant between them.",
    ),
    "S002": CodeEntry(
        title="some variables have too few equations",
        meaning=(
            "There are not enough equations to determine the named variables. Often a connection is missing, "
            "or a class declares a local that no equation uses."
        ),
        example="model M\n  local x, y\n  der(x) = y\nend",
        mend="Add the missing equation or connection, or make a variable known with --known.",
    ),
    "S008": CodeEntry(
        "a derivative given by hand is not the derivative",
        "Where a run goes, the total derivative of the equation is not zero although the derivative given by hand "
        "holds. Found by `acausal check --numeric` at five points of a run.",
        "model M\n  local x, w, f\n  der(x) = w\n  der(w) = f\n  x = sin(time)  derivative w = sin(time)\nend",
        "Mend the derivative, or omit it: then the equation is differentiated by rule.",
        "acausal check example.mdl --numeric",
    ),
    "S003": CodeEntry(
        title="a part of the circuit has no ground",
        meaning=(
            "Across variables are only differences until one point of each connected part is fixed. Without a"
            " ground the balance of through variables holds one equation too many and the level of the "
            "potentials is free."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (source) U(V=1)\n  submodel (resistor) R(R=1)\n"
            "  connect U - R - U\nend"
        ),
        mend="Connect one point of the part to a ground.",
    ),
    "S004": CodeEntry(
        title="a cut is left open that something depends on",
        meaning=(
            "The through variables of a cut that is connected to nothing are zero. Here this is not enough: "
            "an across variable of the cut is then determined by no equation."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (source) U(V=1)\n  submodel (resistor) R1(R=1), R2(R=1)\n"
            "  submodel (OpAmp) A\n  submodel (ground) G\n  connect G - U - R1 - A:minus, A:plus at G\nend"
        ),
        mend="Connect the cut.",
    ),
    "S005": CodeEntry(
        title="a terminal has no equation",
        meaning="A terminal is a variable of a component that an equation of the enclosing model must determine.",
        example=(
            "@switches.lib\nmodel M\n  submodel (source) U(V=1)\n  submodel (resistor) R(R=1)\n"
            "  submodel (idealswitch) S\n  submodel (ground) G\n  connect G - U - S - R - G\nend"
        ),
        mend="Write the equation: S.on = if time > 1 then 1 else 0.",
    ),
    "S006": CodeEntry(
        title="equations are linearly dependent or inconsistent",
        meaning=(
            "There are as many equations as unknowns, but the Jacobian of some of them is singular wherever the run "
            "goes. Where a combination of them leaves a constraint, this replaces one of them and nothing is "
            "reported. Where all unknowns cancel, they are redundant (nothing is left) or inconsistent (0 = 1 is "
            "left). Where no combination is found, it is named. Found by the rank of the equations at random points."
        ),
        example="model M\n  local x, y\n  x + y = 1\n  2*x + 2*y = 3\nend",
        mend="Change or remove one of the equations, and write one that determines the unknowns that are named.",
    ),
}
