"""The examples that come with the package: what each is about, and copies of them in a folder of the user's."""

from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files import atomic_write
from acausal.base.files.output_folder import cannot_write
from acausal.base.files.paths import examples_folder
from acausal.base.frozen import dataclass
from acausal.reference.comments import first_sentence, opening_comment
from acausal.syntax.parser import parse
from acausal.syntax.read import read_source

SUFFIXES = (".mdl", ".lib", ".inc", ".csv")
"""Files that make an example; pictures and the page about them stay where they are."""


@dataclass(frozen=True, slots=True)
class ModelExample:
    """A file with a model, by its place in the folder of examples."""

    place: str
    summary: str


def model_examples() -> tuple[ModelExample, ...]:
    """All examples with the first sentence of their opening comment."""
    return tuple([_example(path) for path in _files() if path.suffix == ".mdl"])


def _example(path: Path) -> ModelExample:
    parsed = parse(read_source(path))
    place = path.relative_to(examples_folder()).as_posix()
    return ModelExample(place, first_sentence(opening_comment(parsed.file, parsed.comments)))


def _files() -> list[Path]:
    return sorted(path for path in examples_folder().rglob("*") if path.suffix in SUFFIXES)


def copy_examples(target: Path) -> tuple[Path, ...]:
    """Copies of all files below a folder, which is made; UsageError F019 before anything that exists is overwritten."""
    files = {path: target / path.relative_to(examples_folder()) for path in _files()}
    for copy in files.values():
        need_absent(copy)
    try:
        for path, copy in files.items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            atomic_write.write_text(copy, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise cannot_write(target, error) from None
    return tuple(files.values())


def need_absent(path: Path) -> None:
    """F019 for a file that exists."""
    if path.exists() or path.is_symlink():
        raise UsageError(Diagnostic("F019", f"{path} exists already", help="choose another name, or remove the file"))
