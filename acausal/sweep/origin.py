"""Origin of a translation, so that it can be repeated on another machine."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.base.options import TranslateOptions

if TYPE_CHECKING:
    from acausal.sweep.version import Model


@dataclass(frozen=True, slots=True)
class Origin:
    """The main file, its options, and the function of a module that translates it."""

    file: Path
    options: TranslateOptions
    translate: "Callable[[Path, TranslateOptions], Model]"
