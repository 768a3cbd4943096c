"""Codes of sweeps."""

from acausal.codes.entry import CodeEntry

_MODEL = "model M\n  parameter k=2\n  local x (start=1)\n  der(x) = -k*x\nend"

CODES: dict[str, CodeEntry] = {
    "W001": CodeEntry(
        title="invalid values of a sweep",
        meaning=(
            "A parameter takes a number, a list 1,2,5, a range FIRST:LAST:NUMBER that includes both ends, or a "
            "geometric range FIRST:LAST:NUMBER:log."
        ),
        example=_MODEL,
        fix="Correct the marked part; the number of values counts both ends.",
        command="acausal sweep example.mdl --set k=0.1:10",
    ),
    "W002": CodeEntry(
        title="invalid table of runs",
        meaning=(
            "The first row of the file names parameters, every other row has a number in each of these columns. "
            "Missing values are not filled in."
        ),
        example=f"{_MODEL}\n--- runs.csv\nk\n1\nx\n",
        fix="Correct the marked cell.",
        command="acausal sweep example.mdl --runs runs.csv",
    ),
    "W003": CodeEntry(
        title="a sweep has too many runs",
        meaning="Several parameters are swept over all combinations of their values; the number of runs is limited.",
        example=_MODEL,
        fix="Use fewer values, give the combinations as a table with --runs, or raise --limit runs=NUMBER.",
        command="acausal sweep example.mdl --set k=0:1:2000 --limit runs=1000",
    ),
    "W004": CodeEntry(
        title="the folder contains another sweep",
        meaning=(
            "A folder stores one sweep: the same model, runs, settings and columns. It is resumed only with these; the "
            "message states what differs."
        ),
        example="acausal sweep m.mdl --set k=1,2 --folder out\nacausal sweep m.mdl --set k=1,3 --folder out",
        fix="Name another folder, or remove this one if it is no longer needed.",
        command="",
    ),
    "W005": CodeEntry(
        title="invalid distribution of a parameter",
        meaning=(
            "Distributions are uniform(LOW, HIGH), loguniform(LOW, HIGH), normal(MEAN, DEVIATION), "
            "lognormal(MEDIAN, FACTOR) and triangular(LOW, MODE, HIGH). Their values are in the unit of the parameter "
            "or have one. In Python it may also be a distribution of scipy.stats."
        ),
        example=_MODEL,
        fix="Correct the distribution.",
        command="acausal uncertainty example.mdl --vary k=uniform(2,1)",
    ),
}
