"""Pages of the manual: nothing is left out, and links between pages lead somewhere."""

import re
from functools import cache
from posixpath import dirname, join, normpath

import pytest

import acausal
from acausal.cli.app import root_context
from acausal.cli.site.command_help import all_commands
from acausal.codes import all_codes
from acausal.codes.origins import ORIGINS
from acausal.codes.words import WORDS
from acausal.manual.gallery import grouped
from acausal.manual.markdown import Pages, name, prose, table
from acausal.manual.python_pages import public_modules
from acausal.manual.sources import all_pages, pictures
from acausal.reference.classes import class_entry
from acausal.reference.libraries import classes, libraries
from acausal.reference.model_examples import model_examples
from acausal.repl.commands import COMMANDS
from acausal.translation.translated_model import TranslatedModel


@cache
def pages() -> Pages:
    return all_pages(all_commands(root_context()))


def test_every_class_and_parameter_is_described() -> None:
    for about in classes().values():
        text = pages()[f"classes/{about.library.removesuffix('.lib')}/{about.name}.md"]
        entry = class_entry(about)
        assert text.count(f"\n# {about.name}\n") == 1
        for parameter in entry.parameters:
            (row,) = re.findall(rf"^\| `{re.escape(parameter.name + parameter.dimensions)}` \|.*$", text, re.MULTILINE)
            assert prose(parameter.description) in row
        if entry.example is not None:
            assert entry.example.text.strip() in text
        if any(not cut.parts for cut in entry.cuts):
            assert "<svg" in text


def test_methods_of_a_translation_are_described() -> None:
    """Also those of the classes that it is made of."""
    methods = [name for name in dir(acausal.Translation) if not name.startswith("_")]
    own = [name for name in methods if name not in vars(TranslatedModel)]
    assert {"simulate", "sweep", "linearize", "optimize"} <= set(own)
    assert [name for name in own if f"### `Translation.{name}`" not in pages()["python.md"]] == []


def test_names_of_pages_differ_in_more_than_case() -> None:
    places = [place.lower() for place in pages()]
    assert sorted(set(places)) == sorted(places)


def test_every_library_code_word_and_command_is_described() -> None:
    assert {f"libraries/{library.name.removesuffix('.lib')}.md" for library in libraries()} <= set(pages())
    for code, entry in all_codes().items():
        assert f"## {code}: {prose(entry.title)}" in pages()[f"codes/{code[0]}.md"]
    words = pages()["language/words.md"]
    assert [word for word in WORDS if f"\n### `{word}`\n" not in words] == []
    for command in all_commands(root_context()).commands:
        text = pages()[f"commands/{command.name}.md"]
        assert command.summary
        flags = (*command.arguments, *command.options, *command.common)
        assert [flag.text for flag in flags if f"| {name(flag.text)} |" not in text] == []
        assert all(flag.help for flag in flags)


def test_every_command_of_the_session_is_described() -> None:
    text = pages()["commands/session.md"]
    assert [c.usage for c in COMMANDS.values() if f"| {name(c.usage)} | {prose(c.about)} |" not in text] == []


def test_every_word_has_an_origin() -> None:
    assert set(ORIGINS) == set(WORDS)


def test_every_public_object_is_described() -> None:
    assert {*public_modules(), "__version__"} == set(acausal.__all__)
    text = pages()["python.md"]
    for public in set(acausal.__all__) - {"__version__"}:
        assert f"`{public}`\n" in text
        assert getattr(acausal, public).__doc__


def test_every_example_has_a_picture() -> None:
    assert sorted(place for places in grouped().values() for place in places) == [e.place for e in model_examples()]
    stems = {example.place.rpartition("/")[2].removesuffix(".mdl") for example in model_examples()}
    assert {f"gallery/{stem}.md" for stem in stems} <= set(pages())
    assert [stem for stem in stems if f"gallery/{stem}.png" not in pictures()] == []


def test_links_lead_to_pages_and_headings() -> None:
    known = {*pages(), *pictures()}
    for place, text in pages().items():
        prose_only = re.sub(r"^(`{3,})(?!\{toctree).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
        links = [link for link in re.findall(r"\]\(([^)\s]+)\)", prose_only) if "://" not in link]
        for link in links:
            target, _, anchor = link.partition("#")
            full = normpath(join(dirname(place), target)) if target else place
            assert full in known, f"{place}: {link}"
            assert not anchor or anchor in anchors(pages()[full]), f"{place}: {link}"


def anchors(text: str) -> set[str]:
    """Explicit targets, and headings as the site names them."""
    headings = re.findall(r"^#{1,4} (.+)$", text, re.MULTILINE)
    found = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return found | set(re.findall(r"^\((\w+)\)=$", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("C*der(u) = i", r"C\*der(u) = i"),
        ("`a*b` and c_d", r"`a*b` and c\_d"),
        ("a ` b", r"a \` b"),
        ("x[1] < 2", r"x\[1\] \< 2"),
    ],
)
def test_running_text_is_escaped(text: str, shown: str) -> None:
    assert prose(text) == shown


def test_empty_columns_are_left_out() -> None:
    assert table(("a", "b", "c"), [("1", "", "x"), ("2", "", "")]) == "| a | c |\n| --- | --- |\n| 1 | x |\n| 2 |  |"
    assert table(("a",), []) == ""
