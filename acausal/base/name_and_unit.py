"""Names with a unit behind them, as headers of tables have them."""

import re

_FORM = re.compile(r"(?:(.*\S)\s+)?\[([^\[\]]*)\]")


def name_and_unit(label: str) -> tuple[str, str | None]:
    """`u [mV]` is u in mV, `[mV]` has no name; elements of arrays have no blank: `u[1]` is a name without a unit."""
    label = label.strip()
    found = _FORM.fullmatch(label)
    return (found[1] or "", found[2].strip() or None) if found else (label, None)
