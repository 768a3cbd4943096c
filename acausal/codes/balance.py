"""Codes of balance."""

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
}
