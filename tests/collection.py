"""Every correct model that the repository has, for tests that hold for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from acausal.pipeline import translate
from acausal.translation import Translation
from tests.bench.ladder import ladder_text
from tests.case import expectations, read_case
from tests.cases_adapter import keywords
from tests.models.network import Network

ROOT = Path(__file__).parents[1]
EXAMPLES = tuple(sorted((ROOT / "examples").glob("*.mdl")))
WITH_LIBRARY = (
    *EXAMPLES,
    ROOT / "examples" / "robot" / "robot.mdl",
    *sorted((ROOT / "stdlib" / "examples").glob("*.mdl")),
)
"""The examples, the robot, and the examples of the libraries: what long campaigns run."""
DEFECTS = ROOT / "tests" / "defects"
"""Reproducers of former defects, many of which contain a mistake."""


@dataclass(frozen=True, slots=True)
class Source:
    """A model: its files by name, the first of which is translated, and options as `translate` takes them."""

    name: str
    files: Mapping[str, str]
    options: Mapping[str, str | tuple[str, ...]]

    def translate(self, folder: Path) -> Translation:
        """The translation, from files written into the folder."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        return translate(folder / next(iter(self.files)), **self.options)  # type: ignore[arg-type]  # names as in options


def correct_models() -> list[Source]:
    """The examples, the models in files beside the tests, those that tests make, and the cases without a mistake."""
    files = [*EXAMPLES, *[f for f in sorted((ROOT / "tests").rglob("*.mdl")) if DEFECTS not in f.parents]]
    found = [Source(str(f.relative_to(ROOT)), {f.name: f.read_text(encoding="utf-8")}, {}) for f in files]
    found.append(Source("ladder of 10", {"ladder.mdl": ladder_text(10)}, {}))
    found += [Source(f"network {seed}", {"network.mdl": Network(seed).text(12)}, {}) for seed in range(5)]
    for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
        case = read_case(path)
        if not expectations(case):
            found.append(Source(str(path.relative_to(ROOT)), case.files, keywords(case.options)))
    return found
