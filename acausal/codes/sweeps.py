"""Codes of sweeps."""

from acausal.codes.entry import CodeEntry

_MODEL = "model M\n  parameter k=2\n  local x (start=1)\n  der(x) = -k*x\nend"

CODES: dict[str, CodeEntry] = {
    "W001": CodeEntry(
        title="the values of a sweep are not understood",
        meaning=(
            "A parameter takes a number, a list 1,2,5, a range FIRST:LAST:NUMBER with both ends included, or a range"
            " at equal ratios, FIRST:LAST:NUMBER:log."
        ),
        example=_MODEL,
        mend="Correct the part that is marked; the number of values counts both ends.",
        command="acausal sweep example.mdl --set k=0.1:10",
    ),
    "W002": CodeEntry(
        title="a table of runs cannot be used",
        meaning=(
            "The first row of the file names parameters, every further row has a number in each of these columns."
            " A value that is missing is not invented."
        ),
        example=f"{_MODEL}\n--- runs.csv\nk\n1\nx\n",
        mend="Correct the cell that is marked.",
        command="acausal sweep example.mdl --runs runs.csv",
    ),
    "W003": CodeEntry(
        title="a sweep has too many runs",
        meaning="Several parameters give all combinations of their values, which soon are many; there is a limit.",
        example=_MODEL,
        mend="Take fewer values, give the combinations as a table with --runs, or raise --limit runs=NUMBER.",
        command="acausal sweep example.mdl --set k=0:1:2000 --limit runs=1000",
    ),
    "W004": CodeEntry(
        title="the folder holds another sweep",
        meaning=(
            "A folder keeps one sweep: the same model, runs, settings and columns. It goes on only with these; the"
            " message tells what differs."
        ),
        example="acausal sweep m.mdl --set k=1,2 --folder out\nacausal sweep m.mdl --set k=1,3 --folder out",
        mend="Name another folder, or remove this one if it is not needed any more.",
        command="",
    ),
}
