"""Mistakes of people who come from other languages: their words, their signs, their files."""

import re

from acausal.base.diagnostics import Diagnostic, Edit, Label
from acausal.base.source import Span
from acausal.syntax.errors.situation import Situation

_SIMULINK = re.compile(r"(\s*#.*\n)*\s*(Model|Library|Subsystem)\s*\{\s*\w+\s")
_VENSIM = re.compile(r"\s*\{UTF-8\}[^{}~]*\n[ \t]*~")

WORDS = {
    "equation": "omit the word: equations and declarations can be in any order",
    "algorithm": "there are no assignments: write equations; `new(k) = ...` sets a discrete variable",
    "extends": "name the superclass in the header: model class (Super) Name",
    "flow": "list a through variable after the `/` of a cut: cut A (v / i)",
    "Real": "write `local x`, or `parameter x` for a constant of the run",
    "Integer": "write `parameter integer N` or `discrete integer k`",
    "Boolean": "write `parameter boolean b` or `discrete boolean b`",
    "String": 'write `parameter string s="..."`',
    "package": "a library is a file of classes, named by `@file.lib`",
    "import": "name a library's file with `@file.lib`",
    "within": "a library is a file of classes, named by `@file.lib`",
    "block": "write `model class Name`",
    "connector": "connection points are cuts of a class: cut A (v / i)",
    "class": "write `model class Name`",
    "record": "write the fields as variables of a class",
    "partial": "write `model class Name`; any class can be inherited",
    "public": "omit the word: parameters, terminals and cut variables are visible from outside",
    "protected": "omit the word: a `local` is not visible from outside",
    "annotation": 'omit it; a description is a string at the end of a declaration: local x "speed"',
    "var": "write `local x`",
    "component": "write `submodel (Class) name`",
    "reinit": "write `init(x) = value` inside `when ... endwhen`",
    "redeclare": "write `submodel (Class) name`; to replace a class, use a class parameter: Drive<Motor=Servo>",
    "replaceable": "make the class a class parameter: model class Drive <Motor = DcMotor>",
    "inner": "write `internal x` here and `external x` in the submodels",
    "outer": "write `external x` here and `internal x` in the enclosing model",
    "final": "omit the word: an argument of a submodel applies only to this submodel",
    "each": "omit the word: one value applies to all elements",
    "stream": "list a through variable after the `/` of a cut: cut A (v / i)",
    "encapsulated": "omit the word",
    "operator": "write `function f(x, y) = expression`",
    "while": "equations hold at all times; `for i = 1 to N ... endfor` repeats them, `when` acts at events",
    "repeat": "equations hold at all times; `for i = 1 to N ... endfor` repeats them, `when` acts at events",
    "do": "equations hold at all times; `for i = 1 to N ... endfor` repeats them, `when` acts at events",
    "let": "write `local x = ...`",
    "const": "write `constant c=1`",
    "auto": "write `local x = ...`",
    "float": "write `local x`, or `parameter x` for a constant of the run",
    "double": "write `local x`, or `parameter x` for a constant of the run",
    "int": "write `parameter integer n` or `discrete integer k`",
    "bool": "write `parameter boolean b` or `discrete boolean b`",
    "def": "write `function f(x) = expression`",
    "fn": "write `function f(x) = expression`",
    "lambda": "write `function f(x) = expression`",
    "return": "write `function f(x) = expression`: a function is one expression",
    "break": "the number of iterations must be fixed: write the bounds `for i = 1 to N`",
    "continue": "write an `if` around the equations of the loop",
    "elif": "write `elseif condition then`",
    "elsif": "write `elseif condition then`",
    "switch": "write `if c then ... elseif d then ... else ... endif`",
    "try": "write `if c then a else b`",
    "using": "name a library's file with `@file.lib`",
    "include": "name a library's file with `@file.lib`",
    "nodes": "connection points are cuts of a class: cut A (v / i)",
    "variables": "declare each with `local`: local x, y (start=1)",
    "parameters": "declare each with `parameter`: parameter k=1",
    "equations": "omit the word: equations and declarations can be in any order",
    "connections": "omit the word: write `connect a to b`",
    "components": "omit the word: write `submodel (Class) name`",
    "branches": "list a through variable after the `/` of a cut: cut A (v / i)",
    "intermediates": "declare each with `local`: local x = 2*y",
    "begin": "omit the word",
    "global": "write `internal x` in the model and `external x` in its submodels",
    "subckt": "write `model class Name ... end` with a cut for each terminal",
}
"""Words that begin a statement in other languages, and the correct form."""

_SIGNS = {
    ":=": ("`:=` is not an operator", "write `=`: an equation has no direction"),
    "!=": ("`!=` is not an operator", "write `<>`"),
    "~=": ("`~=` is not an operator", "write `<>`"),
    "=<": ("`=<` is not an operator", "write `<=`"),
    "=>": ("`=>` is not an operator", "write `>=`"),
    "&&": ("`&&` is not an operator", "write `and`"),
    "||": ("`||` is not an operator", "write `or`"),
    "**": ("`**` is not an operator", "write `^` for a power"),
    "+=": ("`+=` is not an operator", "write the whole equation"),
    "->": ("`->` is not an operator", "write `connect a to b`"),
    "--": ("`--` is not an operator", "write `connect a to b` or `connect a - b`"),
    "<-": ("`<-` is not an operator", "write `=`: an equation has no direction"),
    "++": ("`++` is not an operator", "write `new(k) = k + 1` inside `when`"),
    "-=": ("`-=` is not an operator", "write the whole equation"),
    "*=": ("`*=` is not an operator", "write the whole equation"),
    "::": ("`::` is not an operator", "the type precedes the name: parameter real x"),
    "..": ("`..` is not an operator", "a line continues after an operator or inside parentheses"),
    "./": ("`./` is not an operator", "only `.*` is elementwise"),
    ".^": ("`.^` is not an operator", "only `.*` is elementwise"),
}
_SAME_SIGN = {":=": "=", "!=": "<>", "~=": "<>", "=<": "<=", "=>": ">=", "&&": "and", "||": "or", "**": "^", "<-": "="}
"""Signs that have one sign of this language for all they mean."""
_COMMENTS = ("//", "/*", "#", "%")


def other_program(here: Situation) -> Diagnostic | None:
    """A file of Simulink or Vensim, which have the same ending."""
    if here.kind(-4):
        return None
    program = "Simulink" if _SIMULINK.match(here.source.text) else "Vensim" if _VENSIM.match(here.source.text) else ""
    if not program:
        return None
    return Diagnostic(
        "F003",
        f"{here.source.name} looks like a {program} model",
        Label(here.span(here.statement())),
        help="only the file extension is the same; the manual begins with a small model of this language",
    )


def foreign_sign(here: Situation) -> Diagnostic | None:
    """An operator or a mark of comment of another language, of one or two signs."""
    for step in (0, -1):
        pair = here.text(step) + (here.text(step + 1) if _touch(here, step) else "")
        for mark in _COMMENTS:
            if pair.startswith(mark) and (step == 0 or mark == "/*"):
                return _comment(here, mark, step)
        if pair in _SIGNS:
            message, hint = _SIGNS[pair]
            span = Span(here.source, here.span(step).start, here.span(step + 1).end)
            fix = (Edit(span, _SAME_SIGN[pair]),) if pair in _SAME_SIGN else ()
            return Diagnostic("P020", message, Label(span), help=hint, fix=fix)
    if here.text() == "~" and here.kind(-1) in ("NAME", "NUMBER", "RPAR", "RSQB"):
        return Diagnostic(
            "P020",
            "`~` is not an operator",
            Label(here.span()),
            help="write an equation with `=`",
            fix=here.replaced("="),
        )
    if here.text() == "!" or here.text() == "~":
        message = f"`{here.text()}` is not an operator"
        return Diagnostic("P020", message, Label(here.span()), help="write `not`", fix=here.replaced("not "))
    if here.text() == "'":
        return Diagnostic(
            "P020", "`'` is not an operator", Label(here.span()),
            help='write a string as "...", a derivative as der(x), a transposed matrix as transpose(A)',
        )  # fmt: skip
    return None


def _touch(here: Situation, step: int) -> bool:
    """True if the token at `step` and the next stand side by side."""
    return bool(here.text(step) and here.text(step + 1)) and here.span(step).end == here.span(step + 1).start


def _comment(here: Situation, mark: str, step: int) -> Diagnostic:
    if mark == "%" and any(here.text(back) == "=" for back in range(here.statement(), step)):
        hint = "the remainder of a/b is mod(a, b)"
        return Diagnostic("P020", "`%` is not an operator", Label(here.span(step)), help=hint)
    return Diagnostic(
        "P021",
        f"`{mark}` does not begin a comment",
        Label(Span(here.source, here.span(step).start, here.span(step).start + len(mark))),
        help="write a comment in braces: { ... }",
    )


TYPE_WORDS = frozenset(("real", "integer", "boolean", "string"))
_CARDS = {
    ".model": "`spice(...)` classes of the library take the line of a .model as a string; see electrical.lib",
    ".tran": "write `experiment (stop=1, interval=1e-3)`",
    ".dc": "write `acausal sweep FILE --set V=0:10:101`",
    ".param": "write `parameter k=1`",
    ".ic": "write `(ic u=0)` after the submodel",
    ".subckt": "write `model class Name ... end` with a cut for each terminal",
    ".ends": "write `end`",
    ".end": "write `end`",
    ".include": "write `@file.lib`",
    ".lib": "write `@file.lib`",
}


def _connection(here: Situation) -> str:
    """Correct form of `connect(R1.p, R2.n)`: the ends with a colon before the cut."""
    text = here.source.text[here.span(here.statement()).start :].split("\n", 1)[0]
    ends = re.match(r"connect\s*\(\s*([\w.\[\]:]+)\s*,\s*([\w.\[\]:]+)\s*\)", text)
    if ends is None:
        return "write `connect a to b` or `connect a at b`"
    first, second = [re.sub(r"\.(?=\w+$)", ":", end) for end in ends.groups()]
    why = ": a colon precedes the name of a cut" if ":" in first + second else ""
    return f"write `connect {first} to {second}`{why}"


def _type_alone(here: Situation, first: int) -> Diagnostic:
    """`boolean on`, where the kind of declaration is missing."""
    word, name = here.text(first), here.text(first + 1)
    kinds = ["parameter"] if word == "string" else ["local", "discrete", "parameter"]
    forms = [f"`{kind} {name}`" if word == "real" else f"`{kind} {word} {name}`" for kind in kinds]
    shown = forms[0] if len(forms) == 1 else f"{', '.join(forms[:-1])} or {forms[-1]}"
    span = here.span(first).to(here.span(first + 1))
    return Diagnostic("P022", "a type alone does not begin a declaration", Label(span), help=f"write {shown}")


def foreign_word(here: Situation) -> Diagnostic | None:
    """A word of another language at the beginning of the statement."""
    first = here.statement()
    if here.text(first) == "connect" and here.text(first + 1) == "(" and here.text() == ",":
        return Diagnostic(
            "P022",
            "`connect(a, b)` is not a statement",
            Label(Span(here.source, here.span(first).start, here.span().end)),
            help=_connection(here),
        )
    word = here.text(first)
    if here.text(first) == "." and here.text(first + 1).isidentifier():
        card = f".{here.text(first + 1)}"
        hint = _CARDS.get(card.lower(), "write it as a declaration, an equation or a connection")
        span = Span(here.source, here.span(first).start, here.span(first + 1).end)
        return Diagnostic("P022", f"`{card}` is a SPICE card", Label(span), help=hint)
    if word in TYPE_WORDS and here.kind(first + 1) == "NAME":
        return _type_alone(here, first)
    if word not in WORDS or (first < 0 and here.text(first + 1) in ("=", ".", "(", "[")):
        return None
    return Diagnostic("P022", f"`{word}` is not a keyword", Label(here.span(first)), help=WORDS[word])
