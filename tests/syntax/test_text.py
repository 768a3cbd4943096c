"""Section 1 of the language page: newlines, comments, names, numbers, texts, places of nodes."""

import pytest

from acausal.base.diagnostics import LimitError, ModelError
from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.ir import ast
from acausal.syntax.parser import parse, parse_expression, parse_item
from acausal.syntax.tree.unparse import unparse


def source(text: str) -> SourceFile:
    return SourceFile("text.mdl", text)


def items(text: str) -> list[str]:
    """The items of a model with this text, canonical."""
    file = parse(source(f"model M\n{text}\nend\n")).file
    (model,) = file.units
    assert isinstance(model, ast.Class)
    return [unparse(item) for item in model.items]


@pytest.mark.parametrize(
    "text",
    [
        "x =\n a +\n b -\n c*\n d .*\n e/\n f^\n 2",
        "x = a + b - c*d .* e/f^2",
        "x = {why} \n {because}\n a + b - c*d .* \te/ { } \r\n f^2",
        "x = a + b - {two\nlines} c*d .* e/f^2",
    ],
)
def test_line_goes_on_after_an_operator(text: str) -> None:
    assert items(text) == ["x = a + b - c*d .* e/f^2"]


def test_line_goes_on_after_words_and_signs_of_connect() -> None:
    assert items("connect a to\n b -\n c //\n d par\n e, \\\n f at\n n,\n g at (n1\n n2)") == [
        "connect a - b - c // d // e, reversed f at n, g at (n1, n2)"
    ]


def test_line_goes_on_after_logical_words() -> None:
    assert items("b = x and\n y or\n not\n z") == ["b = x and y or not z"]


@pytest.mark.parametrize("text", ["b = x <\n y", "b = x >\n y", "b = x <=\n y", "x = if a then\n b else c"])
def test_line_does_not_go_on_after_a_comparison_or_then(text: str) -> None:
    with pytest.raises(ModelError):
        items(text)


def test_newline_in_brackets() -> None:
    assert items("y = [1\n, 2;\n3\r\n, 4]\nz = f(a\n, b)") == ["y = [1, 2; 3, 4]", "z = f(a, b)"]


def test_newlines_in_a_comment_end_no_statement() -> None:
    assert items("x = a {one\ntwo\n} + b") == ["x = a + b"]


def test_comment_counts_as_a_blank() -> None:
    assert items("parameter{ }R") == ["parameter R"]
    with pytest.raises(ModelError):
        items("para{ }meter R")


def test_semicolons_end_statements_and_may_be_many() -> None:
    assert items(";; x = 1; y = 2;\n;z = 3 ;") == ["x = 1", "y = 2", "z = 3"]


@pytest.mark.parametrize("text", ["model A\r\nend\r\n", "\ufeffmodel A\nend", "model A;end", "\n\n{ }\nmodel A\n\nend"])
def test_ends_of_lines_and_byte_order_mark(text: str) -> None:
    assert unparse(parse(source(text)).file) == "model A\nend"


@pytest.mark.parametrize("text", ["", "\n", ";", "{ nothing }", " \t"])
def test_empty_file(text: str) -> None:
    assert parse(source(text)).file.units == ()


@pytest.mark.parametrize(("text", "value"), [("1.E-3", 1e-3), (".5", 0.5), ("3", 3.0), ("2e6", 2e6), ("7.", 7.0)])
def test_number(text: str, value: float) -> None:
    number = parse_expression(source(text))
    assert isinstance(number, ast.Number)
    assert number.value == value


def test_text_with_escapes() -> None:
    assert parse_expression(source(r'"a \"b\" c:\\new"')) == ast.String(_span(), 'a "b" c:\\new')


def test_case_matters() -> None:
    assert items("IF = End")[0] == "IF = End"


@pytest.mark.parametrize(
    "word", "loop join branch close closing root ic from as new init der time pi sin start state unit fixed".split()
)
def test_words_of_one_place_are_names_elsewhere(word: str) -> None:
    assert items(f"local {word}, y\n{word} = 2*{word}[1].{word}\ncut {word} ({word} / -{word})") == [
        f"local {word}, y",
        f"{word} = 2*{word}[1].{word}",
        f"cut {word} ({word} / -{word})",
    ]
    assert items(f"connect {word} to a, b at {word}:{word}\nsubmodel (R) {word}({word}=1)") == [
        f"connect {word} - a, b at {word}:{word}",
        f"submodel (R) {word}({word}=1)",
    ]


def test_one_line_if_is_an_expression_and_if_with_newline_a_block() -> None:
    assert items("if a then b else c = d\nif a then\nb = c\nendif") == [
        "if a then b else c = d",
        "if a then\n  b = c\nendif",
    ]


def test_initial_is_a_statement_and_a_function() -> None:
    assert items("initial x = 2\ninitial (a + b)*c = 0\ninitial() = b\nwhen initial() then\ninit(x) = 1\nendwhen") == [
        "initial x = 2",
        "initial (a + b)*c = 0",
        "initial() = b",
        "when initial() then\n  init(x) = 1\nendwhen",
    ]


def test_precedence() -> None:
    text = "not a < b + c*-d^-e^f and g or h"
    fully = "((not (a < (b + (c*(-(d^(-(e^f)))))))) and g) or h"
    assert parse_expression(source(text)) == parse_expression(source(fully))


def test_spans() -> None:
    text = "model A { c }\n  x = (a + b)*c  { d }\n\n  connect p:q at (n, m); y = 1\nend A { e }\n"
    parsed = parse(source(text))
    (model,) = parsed.file.units
    assert isinstance(model, ast.Class)
    equation, connect, second = model.items
    assert isinstance(equation, ast.Equation)
    assert isinstance(equation.right, ast.Product)
    assert isinstance(connect, ast.Connect)
    assert [node.span.text for node in (model.items)] == ["x = (a + b)*c", "connect p:q at (n, m)", "y = 1"]
    assert second.span.line == 4
    assert equation.right.span.text == "(a + b)*c"
    assert [operand.span.text for operand in equation.right.operands] == ["a + b", "c"]
    assert connect.connections[0].span.text == "p:q at (n, m)"
    assert model.span.text == text[: text.index(" { e")]
    assert model.name_span.text == "A"
    assert [comment.text for comment in parsed.comments] == ["{ c }", "{ d }", "{ e }"]


def test_brace_in_a_comment_is_a_warning_that_shows_both() -> None:
    (warning,) = parse(source("{ one { two }\nmodel A\nend")).warnings
    assert warning.code == "P018"
    assert warning.primary is not None
    assert (warning.primary.span.start, warning.secondary[0].span.start) == (6, 0)


@pytest.mark.parametrize(
    "opener",
    ["(", "[", "-", "not ", "2^", "a+(", "f(", "if a then ", "x[", "if ("],
)
def test_nesting_is_limited(opener: str) -> None:
    with pytest.raises(LimitError) as caught:
        parse_expression(source(opener * 99_000 + "x"), Limits(file_length=2_000_000))
    assert caught.value.report.errors[0].code == "L002"


@pytest.mark.parametrize("opener", ["model A\n", "if a then\n", "when a then\n", "for i = 1 to 2\n", "connect \\"])
def test_nesting_of_blocks_is_limited(opener: str) -> None:
    opener, rest = (opener, "") if opener[0] != "c" else ("\\", "connect ")
    with pytest.raises(LimitError) as caught:
        parse(source("model M\n" + rest + opener * 10_000))
    assert caught.value.report.errors[0].code == "L002"


def test_nesting_up_to_the_limit_is_fine_and_the_limit_can_be_raised() -> None:
    text = "(" * 200 + "x" + ")" * 200
    assert parse_expression(source(text)) == parse_expression(source("x"))
    with pytest.raises(LimitError):
        parse_expression(source(f"({text})"))
    assert parse_expression(source(f"({text})"), Limits(nesting=201)) == parse_expression(source("x"))


def test_sequences_are_not_nesting() -> None:
    text = "connect " + " - ".join(["(a // b)"] * 1000)
    assert unparse(parse_item(source(text))) == text.replace("(", "").replace(")", "")
    assert unparse(parse_expression(source("+".join(["(a)"] * 1000)))) == " + ".join(["a"] * 1000)


def test_length_is_limited() -> None:
    with pytest.raises(LimitError) as caught:
        parse(source("model A\nend\n"), Limits(file_length=11))
    assert caught.value.report.errors[0].code == "L001"
    assert parse(source("model A\nend"), Limits(file_length=11)).file.units


@pytest.mark.parametrize(
    "text",
    [
        "x" * 999_000,
        "{" * 999_000,
        '"' * 999_000,
        "(" * 999_000,
        "a = " + "b+" * 100_000,
        "\\" * 999_000,
        ";" * 999_000 + "x",
    ],
)
def test_a_very_long_line_gives_an_error_with_a_place(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse(source("model A\n" + text))
    assert caught.value.report.errors[0].primary is not None


def _span():
    return parse_expression(source("x")).span
