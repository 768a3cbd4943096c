"""Result of an import: a model text and what it leaves out."""

from pathlib import Path

from acausal.base.frozen import dataclass
from acausal.base.report import Report


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """Model text made from a file of another program.

    `text` is formatted and complete: `acausal.translate(text)` translates it. `report` lists with their places what is
    not translated.
    """

    text: str
    report: Report

    def write(self, path: str | Path) -> None:
        """Write the text to a file; UsageError F008 where it cannot be written."""
        from acausal.base.arguments import as_path
        from acausal.base.files.writing import save_text

        save_text(as_path("path", path), self.text)

    def __str__(self) -> str:
        return self.text
