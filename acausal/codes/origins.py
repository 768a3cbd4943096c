"""Origin of every word and function of the language: printed in a paper on Dymola, or an extension.

The labels keep history and extensions apart; section numbers and examples are on the page of the language.
"""

from acausal.codes.words import WORDS

PRINTED = "1993"
"""Printed in Otter, Elmqvist and Cellier (1993)."""
LITERATURE = "Dymola"
"""From other literature on Dymola, 1978 to 1994."""
EXTENSION = "extension"
"""Of this implementation."""
COMMON = "common"
"""Usual mathematical or programming notation; no source was at hand that tells whether Dymola had it."""

_PRINTED = """
    model class end submodel cut main path node connect at to parameter constant local input output der
"""
_LITERATURE = """
    type par reversed terminal default internal external discrete when endwhen init new from ic
"""
_EXTENSION = """
    function experiment derivative elsewhen sample delay start fixed unit nominal state tunable min max closing root
    loop join branch close as interp2 table2
"""
ORIGINS: dict[str, str] = {
    **dict.fromkeys(WORDS, COMMON),
    **dict.fromkeys(_PRINTED.split(), PRINTED),
    **dict.fromkeys(_LITERATURE.split(), LITERATURE),
    **dict.fromkeys(_EXTENSION.split(), EXTENSION),
}
"""The origin of each word; that of `min` and `max` is the origin of the attributes."""
