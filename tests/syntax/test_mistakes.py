"""Syntax errors: one mistake gives one error, with code, place and words that help."""

import pytest

from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.base.source import SourceFile
from acausal.codes import all_codes
from acausal.syntax.automaton.tables import load_tables
from acausal.syntax.parser import parse, parse_expression, parse_item


def errors(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(ModelError) as caught:
        parse(SourceFile("text.mdl", text))
    return caught.value.report.errors


def said(error: Diagnostic) -> str:
    labels = [label.text for label in (error.primary, *error.secondary) if label is not None]
    return "\n".join([error.message, *labels, *error.notes, error.help or ""])


# (lines of a model, code, line within them, where the mark begins, words of the message)
IN_A_MODEL = [
    ("x == 3", "P012", 1, "==", "`=`"),
    ("x = (3 + 4", "P002", 1, "(", "unclosed"),
    ("x = [1, 2", "P002", 1, "[", "`]`"),
    ("cut A (v, i", "P002", 1, "(", "`)`"),
    ("x = (1 + [2)", "P002", 1, ")", "closed by `)`"),
    ("submodel (R) a(p=1", "P002", 1, "(p", "`)`"),
    ("x = 3 + 4)", "P007", 1, ")", "unmatched"),
    ("x := 3", "P020", 1, ":=", "write `=`"),
    ("b = x != 3", "P020", 1, "!=", "write `<>`"),
    ("b = x =< 3", "P020", 1, "=<", "write `<=`"),
    ("b = x && y", "P020", 1, "&&", "write `and`"),
    ("b = x || y", "P020", 1, "||", "write `or`"),
    ("b = !x", "P020", 1, "!", "write `not`"),
    ("x = y**2", "P020", 1, "**", "write `^`"),
    ("x = y'", "P020", 1, "'", "der(x)"),
    ("x = A.^2", "P020", 1, ".^", "`.*`"),
    ("x = 3 // speed", "P021", 1, "//", "{ ... }"),
    ("// speed", "P021", 1, "//", "{ ... }"),
    ("/* speed */", "P021", 1, "/*", "{ ... }"),
    ("x = 3 # speed", "P021", 1, "#", "{ ... }"),
    ("% speed", "P021", 1, "%", "{ ... }"),
    ("equation\nx = 3", "P022", 1, "equation", "omit the word"),
    ("extends Base", "P022", 1, "extends", "model class (Super) Name"),
    ("flow i", "P022", 1, "flow", "after the `/`"),
    ("Real x", "P022", 1, "Real", "local"),
    ("connect(a, b)", "P022", 1, "connect", "connect a to b"),
    ("parameter end=3", "P011", 1, "end", "reserved"),
    ("local node", "P011", 1, "node", "reserved"),
    ("input = 3", "P011", 1, "input", "reserved"),
    ("x = type + 1", "P011", 1, "type", "reserved"),
    ("x = a.end", "P011", 1, "end", "reserved"),
    ("submodel (R) input", "P011", 1, "input", "reserved"),
    ("x = 2 y", "P015", 1, "y", "2*x"),
    ("x = 2y", "P015", 1, "y", "2*x"),
    ("parameter R = 5 Watts per Ohm", "P015", 1, "Watts", "a unit as `5 Ohm`"),
    ("parameter R = 5 [Ohm]", "P015", 1, "[", "`5 Ohm`"),
    ("local x = 3 (start=1)", "P015", 1, "(", "precede the `=`"),
    ("local x y", "P015", 1, "y", "comma"),
    ("submodel (R) a b", "P015", 1, "b", "comma"),
    ("submodel (R) a(p=1 q=2)", "P015", 1, "q", "comma"),
    ("connect a to b c to d", "P015", 1, "c", "comma"),
    ("x = f(a b)", "P015", 1, "b", "comma"),
    ("x = [1 2]", "P015", 1, "2", "comma"),
    ("x = 3 y = 4", "P015", 1, "y", "two statements on one line"),
    ("x = 3 connect a to b", "P015", 1, "connect", "two statements on one line"),
    ("if a = b then\ny = 1\nendif", "P012", 1, "= b", "`==`"),
    ("x = (a = b)", "P012", 1, "= b", "`==`"),
    ("a = b = c", "P012", 1, "= c", "second"),
    ("x =\ny = 2", "P023", 1, "=", "ends in `=`"),
    ("connect a to\ny = 2", "P023", 1, "to", "ends in `to`"),
    ("connect a to b,\n{ two }\n\nder(y) = 2", "P023", 1, ",", "another statement"),
    ("x = 1 +\nlocal z", "P023", 1, "+", "ends in `+`"),
    ("x = a and { so }\nwhen x > 3 then\ninit(x) = 0\nendwhen", "P023", 1, "and", "ends in `and`"),
    ("submodel (R) a(p=1),\nconnect a to b", "P023", 1, ",\n", "ends in `,`"),
    ("parameter q=3 *", "P023", 1, "*", "ends in `*`"),
    ("x = 2 +\n3 y", "P015", 2, "y", "2*x"),
    ("if x = 3 and\ny = 2 then\nz = 1\nendif", "P012", 1, "= 3", "`==`"),
    ("x = a < b < c", "P014", 1, "< c", "chain"),
    ("x = 3 <\n4", "P019", 1, "", "parentheses"),
    ("x = if a then\nb\nelse c", "P019", 1, "", "parentheses"),
    ("x = ;", "P019", 1, ";", "expression after `=`"),
    ("when x > 3 then\ny = 2", "P008", 3, "end", "`endwhen`"),
    ("if x > 3 then\ny = 2", "P008", 3, "end", "`endif`"),
    ("for i = 1 to 3\ny = 2", "P008", 3, "end", "`endfor`"),
    ("if x > 3 then\ny = 2\nend if", "P010", 3, "end", "`endif`"),
    ("if a then\nx = 1\nelse if b then\nx = 2\nendif", "P010", 3, "else", "`elseif`"),
    ("when a then\nnew(x) = 1\nelse when b then\nnew(x) = 2\nendwhen", "P010", 3, "else", "`elsewhen`"),
    ("endif", "P009", 1, "endif", "unmatched"),
    ("else", "P019", 1, "else", "no `if`"),
    ('x = "abc', "P005", 1, '"', "unterminated"),
    ('x = "a\\nb"', "P006", 1, "\\n", "backslash"),
    ("x = 3é", "P003", 1, "é", "a to z"),
    ("x = a\u00a0+ b", "P003", 1, "\u00a0", "blank"),
    ("x = 3 ? 4", "P003", 1, "?", "unexpected character"),
    ("x = \x01", "P003", 1, "\x01", "U+0001"),
    ("x = ٣", "P003", 1, "٣", "unexpected character"),
    ("{ unclosed", "P004", 1, "{", "begins here"),
    ("path p A - B", "P001", 1, "A", "`<`"),
    ("submodel Foo a", "P001", 1, "Foo", "submodel (Class)"),
    ("for i in 1 to 3\nendfor", "P001", 1, "in", "for i = 1 to N"),
    ("for i = 1:3\nendfor", "P022", 1, "for i = 1:3", "for i = 1 to 3"),
    ("connect a at (b + c)", "P001", 1, "+", "a name"),
    ("cut A [x, 3]", "P001", 1, "3", "a name"),
    ("x", "P001", 1, "", "`=`"),
    ("foo(3)", "P001", 1, "", "`=`"),
    ("assert(x > 3)", "P001", 1, ")", "`,`"),
    ("x = @foo", "P001", 1, "@foo", "an expression"),
    ("paramter q=1", "P024", 1, "paramter", "`parameter`"),
    ("submodel (R) a\nconect a to b", "P024", 2, "conect", "`connect`"),
    ("wehn x > 3 then\ninit(x) = 0\nendwhen", "P024", 1, "wehn", "`when`"),
    ("x = fi y > 3 then 1 else 2", "P024", 1, "fi", "`if`"),
    ("x = if y > 3 than 1 else 2", "P024", 1, "than", "`then`"),
    ("connect a ot b", "P024", 1, "ot", "`to`"),
    ("x = 1e999", "P016", 1, "1e999", "too large"),
    ("cut S (q, a = der(q, 1.5) / t)", "P017", 1, "a =", "a positive integer"),
    ("cut S (q, der(q, 0) / t)", "P017", 1, "der", "a positive integer"),
]


@pytest.mark.parametrize(("text", "code", "line", "mark", "words"), IN_A_MODEL)
def test_mistake_in_a_model(text: str, code: str, line: int, mark: str, words: str) -> None:
    whole = f"model M\nparameter p\n{text}\nend\n"
    (error,) = errors(whole)
    assert (error.code, error.primary is not None) == (code, True), said(error)
    assert error.primary is not None
    span = error.primary.span
    assert span.line == line + 2, said(error)
    assert whole.startswith(mark, span.start), said(error)
    assert words in said(error)


@pytest.mark.parametrize(
    ("text", "code", "line", "words"),
    [
        ("model A\n  x = 3\n", "P008", 1, "unclosed `model A`"),
        ("model A\n  model class B\n  end\n", "P008", 1, "`model A`"),
        ("x = 3\n", "P001", 1, "inside a model"),
        ("end", "P009", 1, "unmatched"),
        ("model A\nend\nend", "P009", 3, "unmatched"),
        ("model A\nend B", "P013", 2, "`end B` closes `model A`"),
        ('model A "text"\nend', "P001", 1, "model class"),
        ("model 3\nend", "P001", 1, "a name"),
        ("model node\nend", "P011", 1, "reserved"),
        ("model class (B A\nend", "P002", 1, "`)`"),
        ("model class (B, A\nend", "P002", 1, "`)`"),
        ("model A; x = 1 end", "P015", 1, "two statements on one line"),
        ("function f(x) x^2", "P001", 1, "function f(x, y) = expression"),
        ("@foo as\n", "P001", 1, "a name"),
        ("package Foo\nend Foo", "P022", 1, "file of classes"),
        ('Model {\n  Name "controller"\n  System {\n    Block {\n    }\n  }\n}', "F003", 1, "Simulink"),
        ("A", "P001", 1, "model"),
    ],
)
def test_mistake_in_a_file(text: str, code: str, line: int, words: str) -> None:
    (error,) = errors(text)
    assert error.code == code, said(error)
    assert error.primary is not None
    assert error.primary.span.line == line
    assert words in said(error)


def test_several_mistakes_of_a_class_are_told_at_once() -> None:
    found = errors("model A\n  x == 1\n  y = 2\n  z = (1 + 2))\n  parameter node=3\n  w = a b\nend\n")
    assert [(error.code, error.primary and error.primary.span.line) for error in found] == [
        ("P012", 2),
        ("P007", 4),
        ("P011", 5),
        ("P015", 6),
    ]


@pytest.mark.parametrize(
    "text", ["x = if a then\nb\nelse c", "if a = b then\nx = 1\nendif", "model class B C\nx = 1\nend"]
)
def test_what_follows_from_a_mistake_is_not_told(text: str) -> None:
    assert len(errors(f"model A\n{text}\nend")) == 1


def test_many_mistakes_come_to_an_end() -> None:
    assert 2 <= len(errors("model A\n" + "x == 1\n" * 1000 + "end")) <= 20


@pytest.mark.parametrize("text", ["x == 3", "x = (1", "x = 3 y = 4", "", "x", "1 + ", "end", "model A"])
def test_no_terminal_of_the_grammar_is_named(text: str) -> None:
    """What is expected is told in the user's words."""
    names = {name for name in load_tables().symbols if name.isupper() and len(name) > 3}
    for entry in (parse_item, parse_expression):
        try:
            entry(SourceFile("text.mdl", text))
        except ModelError as caught:
            for error in caught.report.errors:
                assert not names & set(said(error).replace("`", " ").replace(",", " ").split())
                assert "__" not in said(error)


def test_every_code_has_an_entry_and_every_example_earns_its_code() -> None:
    entries = {code: entry for code, entry in all_codes().items() if code.startswith("P")}
    assert {code for _, code, *_ in IN_A_MODEL} | {"P013", "P018"} == set(entries)
    for code, entry in entries.items():
        try:
            told = parse(SourceFile("example.mdl", entry.example)).warnings
        except ModelError as caught:
            told = caught.report.errors
        assert [diagnostic.code for diagnostic in told] == [code], entry.example
