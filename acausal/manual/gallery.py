"""Gallery: the examples of the package with their pictures."""

from pathlib import Path

from acausal.base.paths import examples_folder
from acausal.manual.markdown import ORPHAN, Pages, code, page, prose, section
from acausal.reference.comments import comment_text
from acausal.reference.model_examples import model_examples
from acausal.syntax.parser import parse
from acausal.syntax.read import read_source


def gallery_pages() -> Pages:
    """A page for each example, and all pictures on one page."""
    examples = model_examples()
    pages = {f"gallery/{Path(example.place).stem}.md": _example(example.place) for example in examples}
    cards = [_card(example.place, example.summary) for example in examples]
    pages["gallery/index.md"] = page(
        "# Gallery",
        "`acausal examples --copy DIR` copies all of these models into a folder.",
        '<div class="gallery">',
        *cards,
        "</div>",
    )
    return pages


def pictures() -> dict[str, Path]:
    """The pictures of examples by their place in the site."""
    return {f"gallery/{path.name}": path for path in sorted((examples_folder() / "pictures").glob("*.png"))}


def _picture(place: str) -> str:
    stem = Path(place).stem
    return f"![Plot of {stem}]({stem}.png)" if f"gallery/{stem}.png" in pictures() else ""


def _card(place: str, summary: str) -> str:
    stem = Path(place).stem
    return page(f"## [{stem}]({stem}.md)", _picture(place), prose(summary)).rstrip("\n")


def _example(place: str) -> str:
    """The picture, the text and the command that makes them."""
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
        code(f"acausal simulate {place} --figure {path.stem}.png", "sh"),
        section("Model", code(text)),
    )
