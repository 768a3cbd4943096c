"""After a mistake: leave the statement out, if the rest can be judged without it."""

from acausal.syntax.errors.situation import Situation

_LOCAL = frozenset("P001 P003 P005 P006 P007 P011 P012 P014 P015 P020 P023".split())
_STRUCTURE = frozenset("MODEL FUNCTION END WHEN ELSEWHEN ENDWHEN FOR ENDFOR ELSEIF ENDIF".split())
_MOST = 10
_WORK = 300_000  # tokens examined again: a faulty file must not take a minute


def leave_out_statement(here: Situation, code: str, mistakes: int) -> bool:
    """Take the faulty statement out of the tokens; False if another error might only follow from this one.

    Only in a class, only for mistakes that end with their line, and never a line that
    opens or closes something.
    """
    kinds = here.tokens.kinds
    if code not in _LOCAL or mistakes >= _MOST or mistakes * len(kinds) > _WORK:
        return False
    if here.opened("MODEL") is None or here.unclosed_bracket() is not None:
        return False
    first, last = here.at + here.statement(), here.at
    end = here.tables.symbols.index("_END")
    while kinds[last] != end:
        last += 1
        if last == len(kinds):
            return False
    statement = [here.kind(step - here.at) for step in range(first, last)]
    if not statement or statement[0] == "IF" or not _STRUCTURE.isdisjoint(statement):
        return False
    tokens = here.tokens
    for column in (tokens.kinds, tokens.texts, tokens.starts, tokens.ends):
        del column[first : last + 1]
    return True
