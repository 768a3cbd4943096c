"""Codes of cuts, paths, nodes and connections."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "C001": CodeEntry(
        title="unknown submodel, cut, path or node",
        meaning="In `connect` and before `:`, a name refers to a submodel, cut, path or node of this class.",
        example=(
            "@electrical.lib\nmodel M\n  submodel (resistor) R1(R=1)\n  submodel (ground) G\n  connect G - R9 - G\nend"
        ),
        fix="Correct the name, or declare the submodel, cut or node.",
    ),
    "C003": CodeEntry(
        title="a submodel has no main cut and no main path",
        meaning=(
            "A submodel alone in `connect` stands for its main path, its main cut, or its only cut. This class has "
            "several cuts and declares none of them as main."
        ),
        example="model class A\n  cut P (x / f), Q (y / g)\nend\nmodel M\n  submodel (A) a, b\n  connect a - b\nend",
        fix="Name a cut, as in a:P, or declare a main cut or main path in the class.",
    ),
    "C004": CodeEntry(
        title="cuts of different shape are connected",
        meaning=(
            "Cut variables are matched by position: two cuts are compatible if they have the same number of across and "
            "through places of equal shape, level by level. A node takes the shape of the first cut connected to it: a "
            "simple cut, or a group with that number of parts. The message shows both shapes."
        ),
        example=(
            "@electrical.lib\n@thermal.lib\nmodel class shaft\n  cut A (phi, w / tau)\nend\nmodel M\n"
            "  submodel (shaft) s\n  submodel (resistor) R(R=1)\n  connect s:A at R:A\nend"
        ),
        fix="Connect compatible cuts; to couple two domains, use a component such as a motor.",
    ),
    "C005": CodeEntry(
        title="invalid index of a node",
        meaning="A node declared as an array needs one index for each of its dimensions, counted from 1.",
        example="@electrical.lib\nmodel M\n  submodel (ground) G\n  node n[5]\n  connect G at n[6]\nend",
        fix="Use an index in range.",
    ),
    "C006": CodeEntry(
        title="number of places does not match the cuts of a connection",
        meaning=(
            "`X at (a, b)` connects the parts of the main cut of X to these places, part by part, or the ends of its "
            "main path to two places."
        ),
        example="@electrical.lib\nmodel M\n  submodel (resistor) R(R=1)\n  node a, b, c\n  connect R at (a, b, c)\nend",
        fix="Give one place for each cut.",
    ),
    "C007": CodeEntry(
        title="a cut mixes cuts and variables",
        meaning="A cut is either a list of cuts, as in main cut C [A, B], or a list of variables, as in cut A (v / i).",
        example="model class A\n  cut B (x / f)\n  main cut C (B, y / g)\nend\nmodel M\n  submodel (A) a\nend",
        fix="List only cuts or only variables; declare a separate cut for the variables.",
    ),
    "C008": CodeEntry(
        title="the places of a ladder are out of order",
        meaning="The places of a ladder are a variable, its first derivative, its second, and so on, without gaps.",
        example="model class A\n  cut S (q, der(q, 2) / t)\nend\nmodel M\n  submodel (A) a\nend",
        fix="Write (q, der(q), der(q, 2) / t).",
    ),
    "C009": CodeEntry(
        title="a parameter is listed in a cut",
        meaning="The places of a cut must be variables, because a connection generates equations for them.",
        example="model class A\n  parameter p=1\n  cut B (p / f)\nend\nmodel M\n  submodel (A) a\nend",
        fix="Declare a variable x with the equation x = p, and list it in the cut.",
    ),
    "C010": CodeEntry(
        title="a variable has two shapes",
        meaning=(
            "A name that occurs in several cuts or declarations of a class denotes one variable, which has one shape."
        ),
        example="model class A\n  cut P (x[3] / f), Q (x[2] / g)\nend\nmodel M\n  submodel (A) a\nend",
        fix="Declare it with one shape.",
    ),
    "C011": CodeEntry(
        title="a cut contains itself",
        meaning="A hierarchical cut lists other cuts; none of them may contain the cut itself.",
        example="model class A\n  cut B [B, C], C (x / f)\nend\nmodel M\n  submodel (A) a\n  connect a:B at a:C\nend",
        fix="List other cuts.",
    ),
    "C012": CodeEntry(
        title="two main cuts are declared",
        meaning="`main` applies to every cut of its declaration, and a class has at most one main cut.",
        example="model class A\n  main cut P (x / f), Q (y / g)\nend\nmodel M\n  submodel (A) a\nend",
        fix="Declare the cuts first, then combine them: cut P (x / f), Q (y / g) and main cut PQ [P, Q].",
    ),
    "C013": CodeEntry(
        title="a directed submodel has the wrong orientation",
        meaning=(
            "Connections of cuts with a closing class form a spanning tree: each point must be reachable from a root "
            "along the main paths of the submodels. The main path of this submodel leads from an unreachable point to "
            "a reachable one."
        ),
        example=(
            "model class Tie\n  cut A (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Base) i\n"
            "  submodel (Link) a, b\n  connect i - a - \\b\nend"
        ),
        fix="Reverse the submodel in the connect statement: write \\b for b, or b for \\b.",
    ),
    "C014": CodeEntry(
        title="directed submodels are not connected to a root",
        meaning="Along the main paths of such submodels, each point must be reachable from a root, such as Inertial.",
        example=(
            "model class Tie\n  cut A (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Link) a, b\n"
            "  connect a - b\nend"
        ),
        fix="Connect the first of them to a submodel whose cut is declared as a root, such as Inertial.",
    ),
    "C015": CodeEntry(
        title="a closing class has no cuts A and B",
        meaning=(
            "Where a loop is cut, an instance of the closing class is inserted: its cut A at the point, its cut B at "
            "the disconnected end. Both must be simple cuts of the same shape as the cuts that name the class."
        ),
        example=(
            "model class Tie\n  cut C (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Base) i\n"
            "  submodel (Link) a\n  connect i - a - i\nend"
        ),
        fix="Declare two simple cuts A and B of the shape of the cuts that name the class.",
    ),
    "C016": CodeEntry(
        title="`close` is used where there is no loop",
        meaning=(
            "`close X at Y` connects like `connect X at Y` and also specifies where the loop is cut: X must be the end "
            "of a submodel of that loop."
        ),
        example=(
            "model class Tie\n  cut A (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Base) i\n"
            "  submodel (Link) a, b\n  close a at b:A\n  connect i - a\nend"
        ),
        fix="Write connect instead, or name the end of a submodel that is part of a loop.",
    ),
    "C017": CodeEntry(
        title="a connection has only one operand",
        meaning=(
            "A connection joins at least two operands: `a to b`, `a at b`, `a // b`. The comma separates the "
            "connections of one statement; it does not connect."
        ),
        example="@rotational.lib\nmodel M\n  submodel (inertia) J1(J=1), J2(J=1)\n  connect J1, J2\nend",
        fix="Write `connect J1 to J2`.",
    ),
}
