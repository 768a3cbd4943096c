"""Codes of structural analysis: too many or too few equations somewhere."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "S001": CodeEntry(
        "some variables have too many equations",
        "The named equations hold fewer unknowns than there are equations, so they repeat or contradict each "
        "other, whatever the rest of the model says. Often two components fix the same thing: two voltage sources "
        "in parallel, two speed sources on one shaft, an equation written twice.",
        "model M\n  local x, y\n  x = 1\n  x = 2\n  y = time\nend",
        "Remove one of the equations or components, or put something compliant between them.",
    ),
    "S002": CodeEntry(
        "some variables have too few equations",
        "There are not enough equations to determine the named variables. Often a connection is missing, or a "
        "class declares a local that no equation uses.",
        "model M\n  local x, y\n  x = 1\n  x + 0*y = 1\nend",
        "Add the missing equation or connection, or make a variable known with --known.",
    ),
    "S004": CodeEntry(
        "a cut is left open that something depends on",
        "The through variables of a cut that is connected to nothing are zero. Here this is not enough: an across "
        "variable of the cut is then determined by no equation.",
        "submodel (OpAmp) A\nconnect G - U - R - A:minus    { A:out is connected to nothing }",
        "Connect the cut.",
    ),
    "S005": CodeEntry(
        "a terminal has no equation",
        "A terminal is a variable of a component that an equation of the enclosing model must determine.",
        "submodel (idealswitch) S      { and no equation S.on = ... }",
        "Write the equation: S.on = if time > 1 then 1 else 0.",
    ),
    "S003": CodeEntry(
        "a part of the circuit has no ground",
        "Across variables are only differences until one point of each connected part is fixed. Without a ground the "
        "balance of through variables holds one equation too many and the level of the potentials is free.",
        "connect U - R - U    { no ground anywhere }",
        "Connect one point of the part to a ground.",
    ),
}
