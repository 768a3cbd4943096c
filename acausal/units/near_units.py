"""Guesses at misspelled units: `msec` for ms, `microF` for uF, `khz` for kHz, `Nm` for N*m."""

from difflib import get_close_matches

from acausal.units.unit_table import COHERENT, NAMES, PREFIXABLE, UNITS

_PREFIXES = {"pico": "p", "nano": "n", "micro": "u", "milli": "m", "kilo": "k", "mega": "M", "giga": "G"}
_SHORT = ("p", "n", "u", "m", "k", "M", "G")


def near_unit(word: str) -> str | None:
    """The unit that a word may mean."""
    if word in NAMES:
        return NAMES[word]
    pairs = [(word[:i], word[i:]) for i in range(1, len(word))]
    product = next((f"{a}*{b}" for a, b in pairs if a in COHERENT and b in COHERENT), None)
    if product is not None:
        return product
    known = [*UNITS, *[prefix + unit for prefix in _SHORT for unit in PREFIXABLE]]
    alike = [unit for unit in known if unit.lower() == word.lower()]
    if alike:
        return next((unit for unit in alike if unit[0] == word[0]), alike[0])
    for written, prefix in (*_PREFIXES.items(), *[(p, p) for p in _SHORT]):
        rest = word.removeprefix(written)
        unit = NAMES.get(rest, rest)
        if rest != word and unit in PREFIXABLE:
            return prefix + unit
    near = get_close_matches(word, [*known, *NAMES], 1, 0.7)
    return NAMES.get(near[0], near[0]) if near else None
