"""Codes of cuts, paths, nodes and connections."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "C001": CodeEntry(
        title="a submodel, cut, path or node is not known here",
        meaning="In `connect` and before `:` a name is a submodel, cut, path or node of this class.",
        example=(
            "@electrical.lib\nmodel M\n  submodel (resistor) R1(R=1)\n  submodel (ground) G\n  connect G - R9 - G\nend"
        ),
        mend="Correct the name, or declare the submodel, cut or node.",
    ),
    "C003": CodeEntry(
        title="a submodel has no main cut and no main path",
        meaning=(
            "A submodel alone in `connect` stands for its main path or main cut, or for its only cut. This "
            "class has several cuts and says of none that it is the main one."
        ),
        example="model class A\n  cut P (x / f), Q (y / g)\nend\nmodel M\n  submodel (A) a, b\n  connect a - b\nend",
        mend="Name a cut, as in a:P, or declare a main cut or main path in the class.",
    ),
    "C004": CodeEntry(
        title="cuts of different shape are connected",
        meaning=(
            "Places of cuts meet by their order: two cuts fit if they have equally many across and through "
            "places of equal shape, level by level. A node has the shape of the first cut that meets it: simple, or "
            "a group of so many parts. The message shows both."
        ),
        example=(
            "@electrical.lib\n@thermal.lib\nmodel class shaft\n  cut A (phi, w / tau)\nend\nmodel M\n"
            "  submodel (shaft) s\n  submodel (resistor) R(R=1)\n  connect s:A at R:A\nend"
        ),
        mend="Connect cuts that fit; between two domains stands a component, such as a motor.",
    ),
    "C005": CodeEntry(
        title="an index does not fit a node",
        meaning="A node declared as an array is named with an index for each of its dimensions, counted from 1.",
        example="@electrical.lib\nmodel M\n  submodel (ground) G\n  node n[5]\n  connect G at n[6]\nend",
        mend="Use an index in range.",
    ),
    "C006": CodeEntry(
        title="places do not fit the cuts of a connection",
        meaning=(
            "`X at (a, b)` puts the parts of X's main cut at these places, part by part, or the ends of its "
            "main path at two places."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (resistor) R(R=1)\n  node a, b, c\n  connect R at (a, b, c)\nend"
        ),
        mend="Give a place for each cut.",
    ),
    "C007": CodeEntry(
        title="a cut mixes cuts and variables",
        meaning="A cut is either a list of cuts, main cut C [A, B], or one of variables, cut A (v / i).",
        example="model class A\n  cut B (x / f)\n  main cut C (B, y / g)\nend\nmodel M\n  submodel (A) a\nend",
        mend="List cuts only, or variables only; give the variables a cut of their own.",
    ),
    "C008": CodeEntry(
        title="the places of a ladder are out of order",
        meaning="The places of a ladder are a variable, its first derivative, its second, and so on, none left out.",
        example="model class A\n  cut S (q, der(q, 2) / t)\nend\nmodel M\n  submodel (A) a\nend",
        mend="Write (q, der(q), der(q, 2) / t).",
    ),
    "C009": CodeEntry(
        title="a parameter stands in a cut",
        meaning="The places of a cut are variables: a connection gives equations for them.",
        example="model class A\n  parameter p=1\n  cut B (p / f)\nend\nmodel M\n  submodel (A) a\nend",
        mend="Use a variable, with an equation x = p.",
    ),
    "C010": CodeEntry(
        title="a variable has two shapes",
        meaning="A name in several cuts or declarations of a class is one variable, with one shape.",
        example="model class A\n  cut P (x[3] / f), Q (x[2] / g)\nend\nmodel M\n  submodel (A) a\nend",
        mend="Give it one shape.",
    ),
    "C011": CodeEntry(
        title="a cut contains itself",
        meaning="A hierarchical cut lists other cuts, and none of them may contain it.",
        example="model class A\n  cut B [B, C], C (x / f)\nend\nmodel M\n  submodel (A) a\n  connect a:B at a:C\nend",
        mend="List other cuts.",
    ),
    "C012": CodeEntry(
        title="two cuts are declared as the main one",
        meaning="`main` holds for every cut of its declaration, and a class has one main cut.",
        example="model class A\n  main cut P (x / f), Q (y / g)\nend\nmodel M\n  submodel (A) a\nend",
        mend="Put them together: cut P (x / f), Q (y / g) and main cut PQ [P, Q].",
    ),
    "C013": CodeEntry(
        title="a submodel with a direction leads the wrong way",
        meaning=(
            "Cuts with a closing class hang together as a tree: along the main paths of the submodels each point is "
            "reached from a root. This submodel leads from a point that is not reached to one that is."
        ),
        example=(
            "model class Tie\n  cut A (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Base) i\n"
            "  submodel (Link) a, b\n  connect i - a - \\b\nend"
        ),
        mend="Exchange the ends of the submodel in the connect statement: write \\b for b, or b for \\b.",
    ),
    "C014": CodeEntry(
        title="submodels with a direction hang on no root",
        meaning="Along the main paths of such submodels each point must be reached from a root, such as Inertial.",
        example=(
            "model class Tie\n  cut A (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Link) a, b\n"
            "  connect a - b\nend"
        ),
        mend="Connect the first of them to a submodel whose cut is declared as a root, such as Inertial.",
    ),
    "C015": CodeEntry(
        title="a closing class has no cuts A and B",
        meaning=(
            "Where a loop is cut, an instance of the closing class is put between: its cut A at the point, its cut B "
            "at the end that was taken out. Both are simple cuts of the shape of the cuts that name the class."
        ),
        example=(
            "model class Tie\n  cut C (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Base) i\n"
            "  submodel (Link) a\n  connect i - a - i\nend"
        ),
        mend="Give the closing class two simple cuts A and B of the shape of the cuts that name it.",
    ),
    "C016": CodeEntry(
        title="`close` is written where there is no loop",
        meaning="`close X at Y` connects as `connect X at Y` and says that a loop is to be cut there: X is the end of "
        "a submodel of that loop.",
        example=(
            "model class Tie\n  cut A (xa / -fa), B (xb / -fb)\n  xa = xb\n  fa = fb\nend\n"
            "model class Base\n  main cut B (x / f) closing Tie root\n  x = 0\nend\nmodel class Link\n"
            "  cut A (xa / -fa) closing Tie\n  main cut B (xb / fb) closing Tie\n"
            "  main path <A - B>\n  xb = xa + 1\n  fa = fb\nend\nmodel M\n  submodel (Base) i\n"
            "  submodel (Link) a, b\n  close a at b:A\n  connect i - a\nend"
        ),
        mend="Write connect instead, or name the end of a submodel that is part of a loop.",
    ),
    "C017": CodeEntry(
        title="a connection names one thing only",
        meaning=(
            "A connection joins at least two things: `a to b`, `a at b`, `a // b`. The comma separates connections "
            "of one statement, it joins nothing."
        ),
        example=("@rotational.lib\nmodel M\n  submodel (inertia) J1(J=1), J2(J=1)\n  connect J1, J2\nend"),
        mend="Write `connect J1 to J2`.",
    ),
}
