"""Code blocks of the manual's texts."""

import re
from dataclasses import dataclass

from acausal.manual.sources import written_pages

_BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?:\{code-block\} )?(?P<kind>[\w]*)\n(?::caption: (?P<caption>\S+)\n)?(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)

_DIRECTIVE = re.compile(r"^```\{(?!code-block)\w+\}.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page: `file` is the name under which it is to be saved."""

    page: str
    kind: str
    file: str | None
    text: str

    @property
    def models(self) -> list[str]:
        """The names of the models and classes in it."""
        return re.findall(r"^model (?:class |type )?(?:\(.*?\)+ )?(\w+)", self.text, re.MULTILINE)


def blocks(page: str, text: str) -> list[Block]:
    """The blocks of a page."""
    return [Block(page, m["kind"], m["caption"], m["text"]) for m in _BLOCK.finditer(_DIRECTIVE.sub("", text))]


PAGES = written_pages()
BLOCKS = [block for page, text in PAGES.items() for block in blocks(page, text)]
LISTINGS = [block for block in BLOCKS if block.kind == "mdl"]


def files_of(page: str) -> dict[str, str]:
    """Files that a page names."""
    return {block.file: block.text for block in BLOCKS if block.page == page and block.file is not None}
