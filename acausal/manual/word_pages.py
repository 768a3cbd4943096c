"""Index of the language: every word and function with its origin, and the sections whose examples use it."""

import re
from collections.abc import Iterator, Mapping

from acausal.codes.functions import FUNCTIONS
from acausal.codes.origins import ORIGINS
from acausal.codes.words import WORDS
from acausal.manual.markdown import Pages, code, name, page, prose, section

_HEADING = re.compile(r"^(#{1,3}) ([^\n]+)$|^```(?:mdl|\{code-block\} mdl)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def word_pages(texts: Mapping[str, str]) -> Pages:
    """The index of words and functions; `texts` are the pages that are written by hand."""
    listings = [*_listings(texts)]
    words = [_entry(word, listings) for word in sorted(WORDS) if word not in FUNCTIONS]
    functions = [_entry(word, listings) for word in sorted(FUNCTIONS)]
    return {
        "language/words.md": page(
            "# Words and functions",
            "All keywords, attributes and functions. `acausal docs der` shows an entry in the terminal. "
            "The label states the [origin](index.md#origins) of each.",
            section("Words", *words),
            section("Functions", *functions),
        )
    }


def _entry(word: str, listings: list[tuple[str, str, str]]) -> str:
    meaning, form = WORDS[word]
    used = [(title, place) for title, place, text in listings if re.search(rf"\b{word}\b", text)]
    seen = f"Runnable example: [{used[0][0]}]({used[0][1]})" if used else ""
    return section(name(word), f"*{ORIGINS[word]}* · {prose(meaning)}", code(form), seen, level=3)


def _listings(texts: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Heading, link and text of each model on the pages of the language."""
    for place, text in texts.items():
        if not place.startswith("language/"):
            continue
        title = ""
        for level, heading, listing in _HEADING.findall(text):
            title = heading if level else title
            if listing:
                link = f"{place.removeprefix('language/')}#{anchor(title)}"
                yield title.replace("`", ""), link, _without_comments(listing)


def _without_comments(listing: str) -> str:
    return re.sub(r"\{[^}]*\}", " ", listing)


def anchor(title: str) -> str:
    """The anchor that a heading has in the site."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
