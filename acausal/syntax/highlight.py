"""Lexers of the language for Pygments: the manual and other programs that highlight `mdl`."""

from pygments.lexer import RegexLexer, bygroups, using, words
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from acausal.syntax.keywords import CONSTANTS, DECLARATIONS, OPERATORS, STATEMENTS, TYPES, VALUES


class MdlLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Tokens of models and libraries."""

    name = "acausal"
    aliases = ["mdl"]  # noqa: RUF012  (as Pygments reads it)
    filenames = ["*.mdl", "*.lib"]  # noqa: RUF012
    url = ""
    version_added = ""

    tokens = {  # noqa: RUF012
        "root": [
            (r"\{", Comment.Multiline, "comment"),
            (r'@[^\s;{}"]+', Name.Namespace),
            (r'"(\\.|[^"\\\n])*"', String.Double),
            (r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?([A-Za-z%\u00b5]+(?![\w(]))?", Number),
            (words(CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(DECLARATIONS, prefix=r"\b", suffix=r"\b"), Keyword.Declaration),
            (words(TYPES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (words(OPERATORS, prefix=r"\b", suffix=r"\b"), Operator.Word),
            (words(STATEMENTS, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(VALUES, prefix=r"\b", suffix=r"\b"), Name.Builtin),
            (r"[A-Za-z_]\w*(?=\s*\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r"[-+*/^=<>.\\]", Operator),
            (r"[()\[\],;:]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ],
        "comment": [(r"[^}]+", Comment.Multiline), (r"\}", Comment.Multiline, "#pop")],
    }


class CellLexer(RegexLexer):  # type: ignore[misc]
    """Tokens of a notebook's cell: Python, or a model below `%%mdl`."""

    name = "acausal notebook cell"
    aliases = ["cell"]  # noqa: RUF012
    url = ""
    version_added = ""

    tokens = {  # noqa: RUF012
        "root": [
            (r"(%%mdl[^\n]*\n)((?:.|\n)*)", bygroups(Keyword, using(MdlLexer))),
            (r"%[^\n]*\n?", Keyword),
            (r"(?:[^%\n][^\n]*)?\n|[^%\n][^\n]*", using(PythonLexer)),
        ],
    }
