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
        """Write the text to a file."""
        from acausal.base.arguments import as_path
        from acausal.base.files.atomic_write import write_text
        from acausal.base.files.output_folder import cannot_write

        place = as_path("path", path)
        try:
            write_text(place, self.text)
        except OSError as error:
            raise cannot_write(place, error) from None

    def __str__(self) -> str:
        return self.text
