"""Translations that are kept: the second time a model is ready at once (`acausal.cache.keeper`)."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_flag, as_mapping
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.file_dependencies import recording
from acausal.base.files.model_text import as_source
from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.base.options import Limits, TranslateOptions
from acausal.cache.keeper import Keeper
from acausal.compiled_model import CompiledModel
from acausal.given_number import given_values
from acausal.sweep.origin import Origin
from acausal.translation import Translation

if TYPE_CHECKING:
    from acausal.stages import Stages

DEFAULT_LIMITS = Limits()


def translate(
    file: str | Path,
    *,
    model: str | None = None,
    known: Iterable[str] = (),
    unknown: Iterable[str] = (),
    outputs: Iterable[str] = (),
    parameters: Mapping[str, float | str] | None = None,
    path: Iterable[str | Path] = (),
    limits: Limits = DEFAULT_LIMITS,
    text: str | None = None,
    cache: bool = True,
) -> Translation:
    """Translate a model of a file or of a text; `ModelError` with a report where it has mistakes.

    A string `file` with a line break is the text of a model, and so is one of a single line that begins with `model`
    and ends with `end`; other strings and every `Path` name a file.
    `known` are variables that become inputs, `unknown` inputs that the equations determine in their place, `outputs`
    the variables to compute (empty: all); `parameters` are values by name, numbers in the declared unit or texts as
    "4.7 kOhm", `path` folders for included files. With `text`, that of the model is given, and `file` is its name in
    messages. With `cache` the translation is kept when its code is made, and taken from there the next time. UsageError
    F014 for a question about a kept translation whose files have changed since.
    """
    place, content = as_source(file, text)
    values = given_values(as_mapping("parameters", parameters))
    options = TranslateOptions.of(model, known, unknown, outputs, values, path, limits, content)
    return TranslationRequest(place, options, as_flag("cache", cache))({})


@dataclass(frozen=True, slots=True)
class TranslationRequest:
    """A file with options, which is translated for other values of parameters."""

    file: Path
    options: TranslateOptions
    cache: bool

    def __call__(self, changed: Mapping[str, float]) -> Translation:
        """The translation for these values."""
        return _translated(self.file, self.options.with_values(changed), self)


def _translated(file: Path, options: TranslateOptions, again: TranslationRequest) -> Translation:
    keeper = Keeper(file, options) if again.cache else None
    ready = keeper.load() if keeper else None

    def stages() -> "Stages":
        from acausal.pipeline import run_stages

        with recording() as reads, gc_paused():
            made = run_stages(file, options)
        if keeper and keeper.reads not in (None, reads):
            raise UsageError(Diagnostic("F014", f"{file} has changed since it was translated"))
        if keeper:
            keeper.reads = reads
        return made

    origin = Origin(file, options, _plain)
    translation = Translation(CompiledModel(stages, keeper=keeper, ready=ready), again, origin)
    if not ready:
        translation.stages  # noqa: B018  # raises its errors now
    return translation


def _plain(file: Path, options: TranslateOptions) -> Translation:
    from acausal.pipeline import translate_with

    return translate_with(file, options)
