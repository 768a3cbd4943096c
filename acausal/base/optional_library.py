"""Libraries that users install by extras: an import that fails is an error with the command that installs them."""

from collections.abc import Iterator
from contextlib import contextmanager

from acausal.base.diagnostics import Diagnostic, UsageError


@contextmanager
def required(purpose: str, library: str, install: str) -> Iterator[None]:
    """Imports within the block are needed for a purpose: UsageError F007 where the library is not installed."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "acausal":  # a mistake of ours
            raise
        raise missing_library(purpose, library, install) from None


def missing_library(purpose: str, library: str, install: str) -> UsageError:
    """UsageError F007: what requires which library; `install` are the arguments of pip."""
    return UsageError(Diagnostic("F007", f"{purpose} requires {library}", help=f"pip install {install}"))
