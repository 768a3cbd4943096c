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
    "C006": _entry(
        "places do not fit the cuts of a connection", "connect R at (a, b, c)", "Give a place for each cut."
    ),
}
