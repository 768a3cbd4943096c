"""Files for other editors: grammars agree with that of the language, the extension has the documented layout."""

import json
import re
import tomllib
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from lark import Lark, Token, Tree
from lark.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, String

from acausal.base.source import SourceFile
from acausal.cli import main
from acausal.editor.grammars.textmate import grammar
from acausal.editor.grammars.tree_sitter import grammar_js, tree_sitter
from acausal.editor.grammars.vsix import vsix
from acausal.syntax.automaton.lexer import tokenize
from acausal.syntax.automaton.tables import load_tables
from acausal.syntax.highlight import MdlLexer
from acausal.syntax.keywords import CONSTANTS, DECLARATIONS, OPERATORS, STATEMENTS, TYPES, VALUES
from tests.collection import EXAMPLES, ROOT

MODELS = [*EXAMPLES, *sorted((ROOT / "stdlib").glob("*.lib")), *sorted((ROOT / "stdlib").glob("*.inc"))]
MODELS += sorted((ROOT / "stdlib" / "examples").glob("*.mdl"))
WORDS = {text for kind, text in load_tables().patterns.values() if kind == "str" and text[0].isalpha()}
TEXTS = [(path, path.read_text(encoding="utf-8")) for path in MODELS]


def test_the_tables_of_words_hold_all_words_of_the_grammar() -> None:
    """Besides them `init`, `new`, `time` and `pi`, which are names with a meaning in one place; `der` is a function."""
    tables = [DECLARATIONS, TYPES, STATEMENTS, OPERATORS, CONSTANTS, VALUES]
    listed = [word for table in tables for word in table]
    assert len(listed) == len(set(listed))
    assert set(listed) - WORDS == {"init", "new", "time", "pi"}
    assert WORDS - set(listed) == {"der"}


# ------------------------------------------------------------------- TextMate


def scope_at(rules: list[dict[str, object]], text: str, at: int) -> tuple[int, str]:
    """The end of the first rule that matches at an offset, and the scope that it gives to its first character."""
    for rule in rules:
        if "begin" in rule:
            begin = re.compile(str(rule["begin"]), re.MULTILINE).match(text, at)
            if begin:
                end = re.compile(str(rule["end"]), re.MULTILINE).search(text, begin.end())
                return (end.end() if end else len(text)), str(rule["name"])
            continue
        found = re.compile(str(rule["match"]), re.MULTILINE).match(text, at)
        if found and found.end() > at:
            captures = rule.get("captures", {})
            first = next((c["name"] for n, c in captures.items() if found.start(int(n)) == at), rule.get("name", ""))
            return found.end(), str(first)
    return at + 1, ""


@pytest.mark.parametrize("path", [*EXAMPLES[:6], ROOT / "stdlib" / "electrical.lib"], ids=lambda p: p.name)
def test_textmate_scopes_agree_with_the_lexer(path: Path) -> None:
    """Comments, strings, numbers and words of each text, found by the rules alone as an editor tries them."""
    text = path.read_text(encoding="utf-8")
    rules = list(grammar()["repository"].values())  # type: ignore[attr-defined]
    tokens, symbols = tokenize(SourceFile("", text), load_tables()), load_tables().symbols
    kinds = {start: symbols[kind] for kind, start in zip(tokens.kinds, tokens.starts, strict=True)}
    kinds |= {start: "COMMENT" for start, _ in tokens.comments}
    at, seen = 0, 0
    while at < len(text):
        end, scope = scope_at(rules, text, at)
        kind = kinds.get(at, "")
        wanted = {
            "COMMENT": "comment",
            "STRING": "string",
            "NUMBER": "constant.numeric",
            "QUANTITY": "constant.numeric",
            "INCLUDE": "keyword.control",
        }
        if kind in wanted:
            assert scope.startswith(wanted[kind]), (text[at:end], scope)
        elif kind.lower() in DECLARATIONS + STATEMENTS + TYPES + OPERATORS:
            assert scope.startswith(("storage", "keyword")), (text[at:end], scope)
        seen += kind in wanted
        at = end
    assert seen > 3


# ---------------------------------------------------------------- tree-sitter

TERMINALS = {"identifier": "NAME", "number": "NUMBER", "string": "STRING", "include_name": "INCLUDE", "_end": "_END"}
TERMINALS |= {"quantity": "QUANTITY"}
SIGNS = {"seq": "", "optional": "?", "repeat": "*", "repeat1": "+"}
_JS = re.compile(r"'(?:[^'\\]|\\.)*'|\$\.\w+|\w+(?=\()|[(),]")


def as_lark(text: str) -> str:
    """The rules of a `grammar.js` as a grammar of lark, with the terminals of our lexer."""
    body = text[text.index("rules: {") : text.index("    identifier:")]
    fixed = {pattern: name.lstrip("_") for name, (_, pattern) in load_tables().patterns.items()}
    lines = []
    for name, expression in re.findall(r"^    (\w+): \$ => (.*),$", body, re.MULTILINE):
        tokens = _JS.findall(expression)
        made, rest = term(tokens, fixed)
        assert not rest
        lines.append(f"{visible(name)}: {made}")
    used = sorted(set(re.findall(r"\b_?[A-Z][A-Z_0-9]+\b", "\n".join(lines))))
    return "\n".join([*lines, f"%declare {' '.join(used)}"])


def visible(name: str) -> str:
    return f"hidden{name}" if name.startswith("_") else name


def term(tokens: list[str], fixed: dict[str, str]) -> tuple[str, list[str]]:
    """The first expression of the tokens, and the rest."""
    first, *rest = tokens
    if first.startswith("'"):
        word = first[1:-1].replace("\\\\", "\\")
        relation = word in ("<=", ">=", "==", "<>")
        return ("RELATION" if relation else fixed[word]), rest
    if first.startswith("$."):
        return TERMINALS.get(first[2:], visible(first[2:])), rest
    parts = []
    assert rest.pop(0) == "("
    while True:
        made, rest = term(rest, fixed)
        parts.append(made)
        if rest.pop(0) == ")":
            break
    if first == "choice":
        return f"({' | '.join(dict.fromkeys(parts))})", rest
    return f"({' '.join(parts)}){SIGNS[first]}", rest


class OurLexer(Lexer):
    """The tokens of the language, for lark."""

    def __init__(self, configuration: object) -> None:
        del configuration

    def lex(self, data: object) -> object:
        symbols = load_tables().symbols
        tokens = tokenize(SourceFile("", str(data)), load_tables())
        for kind, text in zip(tokens.kinds[:-1], tokens.texts, strict=False):
            yield Token(symbols[kind] if symbols[kind] == "_END" else symbols[kind].lstrip("_"), text)


def test_the_tree_sitter_grammar_parses_all_models() -> None:
    """Its rules have no conflicts (LALR(1), strict), and parse what the language's own grammar parses.

    Every third of the texts.
    """
    parser = Lark(as_lark(grammar_js()), start="file", parser="lalr", lexer=OurLexer, strict=True)
    for path, text in TEXTS[::3]:
        tree = parser.parse(text)
        assert isinstance(tree, Tree), path
        assert len(list(tree.find_data("class"))) == tokens_of_kind(text, "MODEL")


def tokens_of_kind(text: str, kind: str) -> int:
    tables = load_tables()
    return tokenize(SourceFile("", text), tables).kinds.count(tables.symbols.index(kind))


def test_tree_sitter_files() -> None:
    files = tree_sitter()
    assert sorted(files) == ["grammar.js", "package.json", "queries/highlights.scm", "tree-sitter.json"]
    rules = set(re.findall(r"^    (\w+): \$", files["grammar.js"].decode(), re.MULTILINE))
    query = files["queries/highlights.scm"].decode()
    nodes = set(re.findall(r"\((\w+)[ )]", query))
    assert nodes <= rules
    for words in re.findall(r"^\[(\".*\")\]", query, re.MULTILINE):
        assert all(f"'{word}'" in files["grammar.js"].decode() for word in json.loads(f"[{words.replace(' ', ',')}]"))


# --------------------------------------------------------------------- Pygments


def test_pygments_finds_the_lexer_and_leaves_nothing_over() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pygments.lexers"] == {"acausal": f"{MdlLexer.__module__}:MdlLexer"}
    lexer = MdlLexer()
    for path, text in TEXTS:
        tokens = list(lexer.get_tokens_unprocessed(text))
        assert "".join(value for _, _, value in tokens) == text
        assert [t for t in tokens if t[1] is Error] == [], path
        ours = tokenize(SourceFile("", text), load_tables())
        kinds = {start: load_tables().symbols[kind] for kind, start in zip(ours.kinds, ours.starts, strict=True)}
        wanted = {"NUMBER": Number, "STRING": String, "INCLUDE": Name.Namespace}
        for start, kind, value in tokens:
            if kinds.get(start) in wanted:
                assert kind in wanted[kinds[start]], (path, value)
            elif kinds.get(start, "").lower() in DECLARATIONS:
                assert kind in Keyword, (path, value)
        assert sum(kind in Comment for _, kind, _ in tokens) >= len(ours.comments)


# ----------------------------------------------------------------------- .vsix


def test_the_extension_has_the_layout_of_a_vsix() -> None:
    content = vsix()
    assert content == vsix()
    archive = ZipFile(BytesIO(content))
    assert archive.testzip() is None
    names = archive.namelist()
    types = {node.attrib["Extension"] for node in ET.fromstring(archive.read("[Content_Types].xml"))}
    assert {Path(name).suffix for name in names if name != "[Content_Types].xml"} <= types
    manifest = ET.fromstring(archive.read("extension.vsixmanifest"))
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    package = json.loads(archive.read("extension/package.json"))
    identity = manifest.find("v:Metadata/v:Identity", space)
    assert identity is not None
    assert (identity.attrib["Id"], identity.attrib["Publisher"], identity.attrib["Version"]) == (
        package["name"],
        package["publisher"],
        package["version"],
    )
    assets = [node.attrib["Path"] for node in manifest.findall("v:Assets/v:Asset", space)]
    assert set(assets) <= set(names)
    engine = manifest.find("v:Metadata/v:Properties/v:Property[@Id='Microsoft.VisualStudio.Code.Engine']", space)
    assert engine is not None
    assert engine.attrib["Value"] == package["engines"]["vscode"]
    contributed = package["contributes"]
    files = [package["main"], contributed["grammars"][0]["path"], contributed["languages"][0]["configuration"]]
    assert {f"extension/{name.removeprefix('./')}" for name in files} <= set(names)
    assert archive.read("extension/syntaxes/acausal.tmLanguage.json").startswith(b"{")
    script = archive.read("extension/extension.js").decode()
    assert re.findall(r'require\("\./([\w.]+)"\)', script) == ["languageclient.js"]
    for command in re.findall(r'registerCommand\("([\w.]+)"', script):
        assert command in ("acausal.simulate", "acausal.showReferences", "acausal.restart")
    assert b"vscode-languageclient" in archive.read("extension/LICENSES.txt")


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editor", "vscode", "-o", str(tmp_path / "new" / "a.vsix")]) == 0
    assert (tmp_path / "new" / "a.vsix").read_bytes() == vsix()
    assert main(["editor", "tree-sitter", "-o", str(tmp_path / "t")]) == 0
    assert (tmp_path / "t" / "queries" / "highlights.scm").is_file()
    capsys.readouterr()
    assert main(["editor", "textmate"]) == 0
    assert json.loads(capsys.readouterr().out)["scopeName"] == "source.acausal"
    assert main(["editor", "vscode"]) == 2
    assert "-o acausal.vsix" in capsys.readouterr().err
    assert main(["editor", "vi"]) == 2


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith(("pygls", "lsprotocol", "acausal.editor.server"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "acausal.editor.server.protocol", raising=False)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    assert main(["lsp"]) == 2
    assert "pip install 'acausal[lsp]'" in capsys.readouterr().err
