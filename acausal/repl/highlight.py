"""Lexer of lines of the session for Pygments: a command, then the language."""

from pygments.lexer import RegexLexer, bygroups, using, words
from pygments.token import Keyword, Text

from acausal.repl.command import END
from acausal.repl.commands import COMMANDS
from acausal.syntax.highlight import MdlLexer

_COMMANDS = [name for name in (*COMMANDS, *END) if name.isalpha()]


class SessionLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Tokens of one line or of the text of a model."""

    name = "acausal session"
    url = ""
    version_added = ""

    tokens = {  # noqa: RUF012  (as Pygments reads it)
        "root": [
            (words(_COMMANDS, prefix=r"\A\s*", suffix=r"\b"), Keyword, "rest"),
            (r"(?=.|\n)", Text, "rest"),
        ],
        "rest": [(r"((?:.|\n)+)", bygroups(using(MdlLexer)))],
    }
