"""Gallery: the examples of the package with their pictures."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from acausal.base.files.paths import examples_folder
from acausal.manual.markdown import ORPHAN, Pages, code, page, prose, section
from acausal.reference.comments import comment_text
from acausal.reference.model_examples import model_examples
from acausal.syntax.parser import parse
from acausal.syntax.read import read_source


def gallery_pages() -> Pages:
    """A page for each example, and all pictures on one page, in the groups of the page of examples."""
    summaries = {example.place: example.summary for example in model_examples()}
    pages = {f"gallery/{Path(place).stem}.md": _example(place) for place in summaries}
    groups = [_group(title, places, summaries) for title, places in grouped().items()]
    pages["gallery/index.md"] = page(
        "# Gallery",
        "`acausal examples --copy DIR` copies all of these models into a folder.",
        *groups,
    )
    return pages


def grouped() -> dict[str, list[str]]:
    """The examples below the headings of `examples/README.md`."""
    groups: dict[str, list[str]] = {}
    title = ""
    for line in (examples_folder() / "README.md").read_text(encoding="utf-8").splitlines():
        title = line.removeprefix("## ") if line.startswith("## ") else title
        groups.setdefault(title, []).extend(_LINK.findall(line))
    return {title: places for title, places in groups.items() if places}


_LINK = re.compile(r"\]\(([\w/]+\.mdl)\)")


def _group(title: str, places: Sequence[str], summaries: Mapping[str, str]) -> str:
    cards = [_card(place, summaries[place]) for place in places]
    return section(title, "::::{container} gallery", *cards, "::::")


def pictures() -> dict[str, Path]:
    """The pictures of examples by their place in the site."""
    return {f"gallery/{path.name}": path for path in sorted((examples_folder() / "pictures").glob("*.png"))}


def _picture(place: str) -> str:
    stem = Path(place).stem
    return f"![Plot of {stem}]({stem}.png)" if f"gallery/{stem}.png" in pictures() else ""


def _card(place: str, summary: str) -> str:
    stem = Path(place).stem
    return page(
        ":::{container} card", f"[**{prose(stem)}**]({stem}.md)", _picture(place), prose(summary), ":::"
    ).rstrip("\n")


def _example(place: str) -> str:
    """The picture, the text, and the commands that make the picture and a page that runs the model."""
    path = examples_folder() / place
    parsed = parse(read_source(path))
    first = comment_text(parsed.comments[0]) if parsed.comments else ""
    text = path.read_text(encoding="utf-8")
    return page(
        ORPHAN,
        f"# {path.stem}",
        "Example of the [gallery](index.md)",
        prose(" ".join(first.split("\n\n", maxsplit=1)[0].split())),
        _picture(place),
        code(
            f"acausal simulate {place} --figure {path.stem}.png\n"
            f"acausal translate {place} --target html -o {path.stem}.html",
            "sh",
        ),
        section("Model", code(text)),
    )
