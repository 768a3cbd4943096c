"""`parse(unparse(tree)) == tree`, whatever the tree, and whatever blanks, comments and newlines stand between."""

from random import Random

import pytest

from acausal.base.source import SourceFile
from acausal.ir import ast
from acausal.syntax.automaton.lexer import Tokens, tokenize
from acausal.syntax.automaton.tables import load_tables
from acausal.syntax.parser import parse, parse_expression, parse_item
from acausal.syntax.tree.unparse import unparse

from .listings import LISTINGS
from .random_tree import RandomTree

CONTINUES = frozenset(", = + - * .* / // ^ \\ to par at and or not".split())


def source(text: str) -> SourceFile:
    return SourceFile("text.mdl", text)


def noisy(text: str, random: Random) -> str:
    """The text with comments, blanks and newlines wherever section 1 of the language page allows them."""
    tokens: Tokens = tokenize(source(text), load_tables())
    pieces = []
    depth, at = 0, 0
    for token, start, end in zip(tokens.texts, tokens.starts, tokens.ends, strict=True):
        goes_on = depth > 0 or (pieces and pieces[-1] in CONTINUES)
        fillers = ["", " ", "\t ", "{ note }", " {two\nlines; x = 1}\n" if goes_on else "{two\nlines}"]
        fillers += ["\n", " \r\n\n"] if goes_on else []
        gap = text[at:start]
        pieces += [random.choice(fillers), gap, random.choice(fillers), token]
        if not token.strip():
            pieces[-1] = random.choice(["\n", ";", "\r\n", " ;; {x}\n\n"])
        depth += (token in ("(", "[")) - (token in (")", "]"))
        at = max(start + len(token), end)
    return "".join(pieces)


@pytest.mark.parametrize("seed", range(400))
def test_random_file(seed: int) -> None:
    tree = RandomTree(seed).file()
    text = unparse(tree)
    assert parse(source(text)).file == tree, text


@pytest.mark.parametrize("seed", range(400))
def test_random_expression(seed: int) -> None:
    tree = RandomTree(seed).expression(6)
    assert parse_expression(source(unparse(tree))) == tree


@pytest.mark.parametrize("seed", range(200))
def test_random_item(seed: int) -> None:
    tree = RandomTree(seed).item()
    assert parse_item(source(unparse(tree))) == tree


@pytest.mark.parametrize("seed", range(200))
def test_blanks_comments_and_newlines_change_nothing(seed: int) -> None:
    tree = RandomTree(seed).file()
    text = noisy(unparse(tree), Random(seed))
    assert parse(source(text)).file == tree, text


@pytest.mark.parametrize("name", sorted(LISTINGS))
def test_listing(name: str) -> None:
    tree = parse(source(LISTINGS[name])).file
    text = unparse(tree)
    assert parse(source(text)).file == tree
    assert unparse(parse(source(text)).file) == text


def test_generator_reaches_every_kind_of_node() -> None:
    """Else a round trip that fails could go unseen."""
    seen: set[str] = set()
    for seed in range(400):
        shown = repr(RandomTree(seed).file())
        seen |= {name for name in vars(ast) if f"{name}(" in shown}
    kinds = {name for name, value in vars(ast).items() if isinstance(value, type) and issubclass(value, ast.Node)}
    assert kinds - {"Node"} <= seen


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(a+b)*c", "(a + b)*c"),
        ("a+(b*c)", "a + b*c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "(a - b) - c"),
        ("a/(b*c)", "a/(b*c)"),
        ("-(2^2)", "-2^2"),
        ("(-2)^2", "(-2)^2"),
        ("2^(3^2)", "2^3^2"),
        ("(2^3)^2", "(2^3)^2"),
        ("2^(-x)", "2^-x"),
        ("-(a*b)", "-(a*b)"),
        ("not (a<b)", "not a < b"),
        ("(not a) and b", "not a and b"),
        ("(a or b) and c", "(a or b) and c"),
        ("a or (b and c)", "a or b and c"),
        ("2 .*v", "2 .* v"),
        ("(if a then b else c)+1", "(if a then b else c) + 1"),
        ("1+(if a then b else c)", "1 + (if a then b else c)"),
        ("if a then (if b then c else d) else (e)", "if a then if b then c else d else e"),
        ("x[ 1 : 3 , : ]", "x[1:3, :]"),
        ("[a,b;c,d]", "[a, b; c, d]"),
    ],
)
def test_canonical_expression(text: str, canonical: str) -> None:
    assert unparse(parse_expression(source(text))) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("connect a to b-c, d at n", "connect a - b - c, d at n"),
        ("connect (a to b) to c", "connect (a - b) - c"),
        ("connect a par b // (c - d)", "connect a // b // (c - d)"),
        ("connect \\x to reversed (a - b)", "connect reversed x - reversed (a - b)"),
        ("connect x from n1 to n2", "connect x at (n1, n2)"),
        ("connect x at (n1 n2, n3)", "connect x at (n1, n2, n3)"),
        ("cut A [a b]", "cut A [a, b]"),
        ("cut A (a b -c / -d[2] .)", "cut A (a, b, -c / -d[2], .)"),
        ("cut S (q qd=der(q) der(q,2)/t)", "cut S (q, qd = der(q), der(q, 2) / t)"),
        ("main path<A - B>", "main path <A - B>"),
        ('local u (start=1,fixed=true)=2 "volt"', 'local u (start=1, fixed=true) = 2 "volt"'),
        ("if a then b else c = d", "if a then b else c = d"),
        ("x = y derivative v=w  derivative a=b", "x = y derivative v = w derivative a = b"),
        ("submodel (el.Drive<Servo>) d[3](p=1)(ic u=0)", "submodel (el.Drive<Servo>) d[3](p=1) (ic u=0)"),
    ],
)
def test_canonical_item(text: str, canonical: str) -> None:
    assert unparse(parse_item(source(text))) == canonical


def test_blocks_are_indented() -> None:
    text = "model A\nif a then\nx=1\nelseif b then\nwhen c then\ninit(x)=2\nendwhen\nelse\ny=1\nendif\nend"
    assert unparse(parse(source(text)).file) == (
        "model A\n  if a then\n    x = 1\n  elseif b then\n    when c then\n      init(x) = 2\n"
        "    endwhen\n  else\n    y = 1\n  endif\nend"
    )
