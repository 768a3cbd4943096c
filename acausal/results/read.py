"""Results read from files."""

import stat
from pathlib import Path

from acausal.base.arguments import as_path
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.results.formats.kinds import KINDS, READERS
from acausal.results.result import Result

FORMS = {".csv": "a header row with the columns time, x, ..., then rows of numbers, all separated by commas"}
"""Contents of a file of each kind."""
LONGEST_REASON = 200
"""Characters of the reason why a file cannot be read."""


def read(path: str | Path) -> Result:
    """The result in a file (.csv, .npz, .mat, .parquet); UsageError F001 where it cannot be read or holds no result."""
    path = as_path("path", path)
    kind = path.suffix.lower()
    if kind not in READERS:
        message = f"unknown file format {kind}" if kind else "a result file without extension"
        raise UsageError(Diagnostic("F001", f"{path}: {message}", help=KINDS))
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError(Diagnostic("F001", f"{path} is not a file", help="name a file, not a folder or device"))
        loaded = READERS[kind](path)
    except OSError as error:
        raise UsageError(Diagnostic("F001", f"{path} cannot be read: {error.strerror or error}")) from None
    except UsageError:
        raise
    except Exception as error:  # the libraries that read these formats raise anything at a damaged file
        why = str(error).partition("\n")[0][:LONGEST_REASON] or type(error).__name__
        raise UsageError(Diagnostic("F001", f"{path} contains no result: {why}", help=FORMS.get(kind))) from None
    return Result(path.stem, loaded.time, loaded.stored, loaded.columns, loaded.parameters, plotted=loaded.plotted)
