"""Codes of cuts, paths, nodes and connections."""

from acausal.codes.entry import CodeEntry


def _entry(title: str, example: str, mend: str) -> CodeEntry:
    return CodeEntry(title, f"{title[0].upper()}{title[1:]}.", example, mend)


CODES: dict[str, CodeEntry] = {
    "C001": _entry("a submodel, cut, path or node is not known here", "connect R1 - R9", "Correct or declare it."),
    "C002": _entry("a ladder place is not the derivative of a place of its cut", "cut A (w = der(q) / t)", "Name it."),
    "C003": _entry("a submodel has no main cut and no main path", "connect x - y", "Name the cut, as in x:A."),
    "C004": _entry(
        "cuts of different shape are connected", "connect motor:shaft at pump:port", "Connect cuts that fit."
    ),
    "C005": _entry("an index does not fit a node", "connect a at n[6] where n has 5", "Use an index in range."),
    "C007": _entry("a cut mixes cuts and variables", "main cut C (A, y / g)", "List cuts only: main cut C [A, B]."),
    "C008": _entry("the places of a ladder are out of order", "cut A (q, der(q, 2) / t)", "(q, der(q), der(q, 2) / t)"),
    "C009": _entry("a parameter stands in a cut", "cut A (p / f), where p is a parameter", "Use a variable."),
    "C010": _entry("a variable has two shapes", "cut A (x[3] / f), B (x[2] / g)", "Give it one shape."),
    "C011": _entry("a cut contains itself", "cut A [A, B]", "List other cuts."),
    "C012": _entry("two cuts are declared as the main one", "main cut A (x / f), B (y / g)", "main cut AB [A, B]"),
    "C006": _entry(
        "places do not fit the cuts of a connection", "connect R at (a, b, c)", "Give a place for each cut."
    ),
    "C013": _entry(
        "a submodel with a direction leads the wrong way",
        "connect i - j1 - \\b, where b is entered by nothing else",
        "Exchange the ends of the submodel in the connect statement: write \\b for b, or b for \\b.",
    ),
    "C014": _entry(
        "submodels with a direction hang on no root",
        "connect r1 - r2, and no Inertial",
        "Connect the first of them to a submodel whose cut is declared as a root, such as Inertial.",
    ),
    "C015": _entry(
        "a closing class has no cuts A and B",
        "cut B (x / f) closing Loop, where class Loop has no cut A",
        "Give the closing class two simple cuts A and B of the shape of the cuts that name it.",
    ),
    "C016": _entry(
        "`close` is written where there is no loop",
        "close b at r1, where b leads nowhere else",
        "Write connect instead, or name the end of a submodel that is part of a loop.",
    ),
}
