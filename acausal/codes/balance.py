"""Codes of balance."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "B001": CodeEntry(
        title="a class is not balanced",
        meaning=(
            "With its cuts connected a class must have as many equations as unknowns: its own, and one for "
            "each through variable of its cuts, which the connection brings."
        ),
        example="model class resistor\n  parameter R\n  cut A (Va / i), B (Vb / -i)\n  local u\n  R*i = u\nend",
        mend=(
            "Add what is missing (here Va - Vb = u), or declare as terminal what an equation outside shall determine."
        ),
    ),
}
