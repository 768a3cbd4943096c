"""The vocabulary: former private names and wordings cannot return.

Rules, each with its own list:

- `MODULES`: no module of `acausal` has this name, no module of the tests with or without `test_`.
- `DEFINED`: no function, class, method or attribute of a class is defined under this name; leading underscores do not
  count. Local variables and parameters are free, as many of these words are ordinary English.
- `PHRASES`: regular expressions that no text for users contains: string constants of the package (docstrings and the
  text of generated code excepted; a field of an f-string counts as `{}`), entries of `explain`, help of the commands
  and of the interactive session, the prose of the README and the manual (code blocks and code in backticks
  excepted).
- `SENTENCES`: the former messages. Besides those texts, docstrings and the page for contributors must not have them.
- `WORDINGS`: nor have docstrings and comments of the package these.
- Docstrings begin with a subject or a verb, not with one of `STARTS`.

A phrase is listed only if it has no sound use in a message: "told" and "met" are banned, "held" and "rest" are not
(a ball comes to rest), hence the former messages with these words are listed whole.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from acausal.cli.app import app
from acausal.codes import all_codes
from acausal.codes.words import WORDS
from acausal.repl.commands import COMMANDS
from tests.collection import ROOT

PACKAGE = ROOT / "acausal"

MODULES = """
    at_rest beginning behind changes colour cones ends event_words fewer_tears forms fulfil hold instant kept laps
    made_up magnitude merge_equal motion narrow needs newton_matrix orient parts passage past put_in quiet reads recipes
    replay roles scratch shallow spaces spread turns unending usual
""".split()

DEFINED = """
    Held HeldKind HeldSlot held
    Beginning Changes Cone Happened Judge Laps MadeUp Needs Passage Passages Past Reached Recipe Reads Replay Roles
    Rusher Space Spaces Stand Thing Unending Wishes beginning behind colour cone cones fewer_tears find_cones find_roles
    fulfil happened judge lap laps made_up magnitude mend merge_equal narrow newton_matrix orient passages past poor
    put_in recipes replay run_words rusher scratch shallow spread stand tell teller told unending unmet_wishes usual
    with_cones
""".split()

STARTS = ("How", "It", "Its", "That", "There", "Those", "What", "Whether", "Which", "Whose")

SENTENCES = [
    r"does not come to rest",
    r"follow each other without end",
    r"met worst",
    r"left minus right",
    r"is guessed at",
    r"this guess matters most",
    r"the solver cannot go on",
    r"the error stays too large",
    r"ha(s|ve) no solution found",
    r"determine the same variables twice",
    r"repeat or contradict each other",
    r"times more than it can move",
    r"translated again for other values",
    r"start at rest: .* come before",
    r"can do all it should",
    r"into regular form",
    r"translate anew",
    r"nor keep an earlier translation",
    r"last values are told",
    r"no kind of (file|table)",
    r"ends nothing",
    r"no values of .* agree with the equations",
    r"a pure number is wanted",
    r"turn(s|ed)? a question round",
    r"question round",
]

PHRASES = [
    *SENTENCES,
    r"\b(is|are|was|were) told\b",
    r"\btells? (of|it|what|how|that)\b",
    r"\bmet\b",
    r"\bmend(s|ed|ing)?\b",
    r"\bwish(es|ed)?\b",
    r"\banew\b",
    r"\blaps?\b",
    r"\bin vain\b",
    r"\bone by one\b",
    r"\bwhatever the\b",
    r"\b(is|are) wanted\b",
    r"\b(is|are) sought\b",
    r"\bgives? up\b",
    r"\bcannot go on\b",
    r"\bcome to rest\?",
    r"(?<!there )\b(is|are) no (?!longer\b|more\b|less\b)[a-z]+\b",
    r"\bthere is no (attribute|class|code|column|command|function|input|limit|model|parameter|solver|stage|variable)\b",
    r"\bnothing (determines|fixes|leads|sets|stands)\b",
    r"\b(least|greatest) value\b",
    r"\btaken? away\b",
    r"\bleft out\b",
    r"\bleave\b.*\bout\b",
    r"\blook (at|for|whether)\b",
    r"\blooked for\b",
    r"\binside each other\b",
    r"\bconnected to nothing\b",
    r"\bhas no value for\b",
    r"\bwrong way\b",
    r"\bturned round\b",
    r"\bround in a circle\b",
    r"\bput(s)? in place of\b",
    r"\bin the user's words\b",
    r"\bour bug\b",
    r"\b(go|goes|going|went) on\b",
    r"\bbegin (nearer|elsewhere)\b",
    r"\b(is|are) missed\b",
    r"\bexcludes? each other\b",
    r"\bfrom 0 (on|up)\b",
    r"\bderivatives? by (a |the |this |these )?parameters?\b",
    r"\bcalled like\b",
    r"\bneeds? nothing\b",
    r"\bhas come to\b(?! rest)",
    r"\bhanded on\b",
    r"\bnot in order\b",
    r"\ball but\b",
]

ANY_SENTENCE, ANY_PHRASE = (re.compile("|".join(p), re.IGNORECASE) for p in (SENTENCES, PHRASES))

WORDINGS = [
    r"\b(told|teller)\b",
    r"\bmade[- ]up\b",
    r"\bsomebody\b",
    r"\b(looks?|looked) at\b",
    r"\blooked (for|through)\b",
    r"\bnot come to rest\b",
    r"\bheld (twice|for them)\b",
    r"\bstands? in a circle\b",
    r"\bwithout end\b",
    r"\banew\b",
    r"\bin vain\b",
]
"""Of docstrings and comments."""
ANY_WORDING = re.compile("|".join(WORDINGS), re.IGNORECASE)

CODE = ("codegen", "runtime")
"""Folders whose strings are the text of generated code; their messages are internal errors."""


@cache
def trees() -> tuple[tuple[Path, ast.Module], ...]:
    """Every module by its path in the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return tuple([(path.relative_to(PACKAGE), ast.parse(path.read_text(encoding="utf-8"))) for path in paths])


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """String statements: of modules, classes and functions, and those behind an assignment."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str()) as text):
                    yield text


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of the other string constants with a blank; fields of f-strings are `{}`."""
    skipped = {id(text) for text in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values]
            skipped |= {id(v) for v in node.values}
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def defined(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Functions, classes, fields and attributes of `self`."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield node.lineno, name
        if isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    yield field.lineno, field.target.id


def prose(path: Path) -> list[str]:
    """The paragraphs of a page without blocks of code and code in backticks."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "`...`", text).split("\n\n")


def for_users() -> Iterator[tuple[str, str]]:
    """Every text for users with the place where it stands."""
    for path, tree in trees():
        if path.parts[0] not in CODE:
            yield from ((f"{path}:{line}", text) for line, text in texts(tree) if " " in text)
    for code, entry in all_codes().items():
        yield code, " | ".join([entry.title, entry.meaning, entry.fix])
    yield from ((f"explain {word}", meaning) for word, (meaning, _) in WORDS.items())
    yield from ((f"help {name}", command.about) for name, command in COMMANDS.items())
    for name, command in get_command(app).load_all().items():  # type: ignore[attr-defined]
        yield f"acausal {name}", str(command.help)
        yield from ((f"acausal {name} {p.name}", str(getattr(p, "help", ""))) for p in command.params)
    yield from (("README.md", paragraph) for paragraph in prose(ROOT / "README.md"))
    for path in sorted((PACKAGE / "manual" / "pages").rglob("*.md")):
        yield from ((path.name, paragraph) for paragraph in prose(path))


def found(phrases: re.Pattern[str], where: str, text: str) -> list[str]:
    flat = " ".join(text.split())
    return [f"{where}: {m[0]!r} in {flat[:100]!r}" for m in phrases.finditer(flat)]


def test_names_of_modules() -> None:
    """Those of tests count without `test_`."""
    paths = [*(path for path, _ in trees()), *(ROOT / "tests").rglob("*.py")]
    assert [str(path) for path in paths if path.stem.removeprefix("test_") in MODULES] == []


def test_names_that_are_defined() -> None:
    names = [(path, line, name) for path, tree in trees() for line, name in defined(tree)]
    assert [f"{path}:{line} {name}" for path, line, name in names if name.lstrip("_") in DEFINED] == []


def test_texts_for_users() -> None:
    assert [hit for where, text in for_users() for hit in found(ANY_PHRASE, where, text)] == []


def test_former_messages_in_docstrings_and_the_page_for_contributors() -> None:
    places = [(f"{path}:{text.lineno}", str(text.value)) for path, tree in trees() for text in docstrings(tree)]
    places += [("acausal/README.md", paragraph) for paragraph in prose(PACKAGE / "README.md")]
    assert [hit for where, text in places for hit in found(ANY_SENTENCE, where, text)] == []


def test_docstrings_and_comments() -> None:
    places = [(f"{path}:{text.lineno}", str(text.value)) for path, tree in trees() for text in docstrings(tree)]
    for path, _ in trees():
        with (PACKAGE / path).open("rb") as file:
            comments = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
        places += [(f"{path}:{token.start[0]}", token.string) for token in comments]
    assert [hit for where, text in places for hit in found(ANY_WORDING, where, text)] == []


def test_docstrings_begin_with_a_subject_or_verb() -> None:
    first = [
        (path, d.lineno, re.match(r"\w+", str(d.value).strip())) for path, tree in trees() for d in docstrings(tree)
    ]
    assert [f"{path}:{line} {word[0]}" for path, line, word in first if word and word[0] in STARTS] == []


def test_sources_that_models_are_printed_with() -> None:
    """C and JavaScript: comments and messages."""
    paths = [path for kind in ("c", "h", "js") for path in sorted((PACKAGE / "targets").rglob(f"*.{kind}"))]
    own = [path for path in paths if "headers" not in path.parts]
    assert own
    texts = [(str(path.relative_to(PACKAGE)), path.read_text(encoding="utf-8")) for path in own]
    assert [
        hit for place, text in texts for words in (ANY_SENTENCE, ANY_WORDING) for hit in found(words, place, text)
    ] == []


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("u is told", True),
        ("telling signs", False),
        ("a ball comes to rest", False),
        ("the event does not come to rest", True),
        ("x is no finite number", True),
        ("there is no steady state", False),
        ("there is no class {}", True),
        ("the metal and its symmetry", False),
    ],
)
def test_phrases_match_whole_words(text: str, banned: bool) -> None:
    assert bool(found(ANY_PHRASE, "here", text)) == banned
