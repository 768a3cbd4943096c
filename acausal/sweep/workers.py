"""Workers of a Dask cluster: what they get of a model, and the client that sends it.

Files that the translation reads travel with the work and are put below a folder of their own; workers need acausal in
the same version.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.file_dependencies import recording
from acausal.base.files.paths import stdlib_folder
from acausal.base.frozen import dataclass
from acausal.simulate.inputs.inputs import InputValue
from acausal.sweep.origin import Origin

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
"""As an address: workers on this machine."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Contents of files by path, and how the model is made of the first of them."""

    files: Mapping[str, bytes]
    origin: Origin

    def key(self, task: object) -> str:
        """Key of the translation for a task on a worker."""
        digest = hashlib.sha256(repr((self.origin.file, self.origin.options, task)).encode())
        for path, content in self.files.items():
            digest.update(f"{path} {len(content)}\n".encode())
            digest.update(content)
        return digest.hexdigest()


@contextmanager
def client_at(address: str) -> "Iterator[Client]":
    """The client of a cluster; UsageError F006 where none answers."""
    from distributed import Client

    try:
        client: Any = Client() if address == LOCAL else Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        message = f"no cluster at {address}: {error}"
        raise UsageError(Diagnostic("F006", message, help="as in --cluster tcp://HOST:8786")) from None
    with client:
        yield client


def result_of(future: "Future") -> Any:  # noqa: ANN401 - of any kind
    """Result of a worker; UsageError if the cluster has lost too many workers over it."""
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        hint = "check the memory and the logs of the workers; with a folder the same call resumes the sweep"
        raise UsageError(Diagnostic("F006", f"the cluster failed: {error}", help=hint)) from None


def packed(origin: Origin, tables: Iterable[Path]) -> Sources:
    """Files that the translation reads, found by translating, and tables; the standard library is on the workers."""
    file, options = origin.file.resolve(), origin.options
    more = [folder for folder in os.environ.get("ACAUSAL_PATH", "").split(os.pathsep) if folder]
    folders = tuple([str(Path(folder).resolve()) for folder in (*options.path, *more)])
    asked = replace(options, path=folders)
    with recording() as reads:
        origin.translate(file, asked).program  # noqa: B018 - for what it reads
    library = stdlib_folder().resolve()
    paths = [Path(path).resolve() for path in reads.contents]
    own = dict.fromkeys(
        [*([file] if options.text is None else []), *(path for path in paths if not path.is_relative_to(library))]
    )
    files = {str(path): path.read_bytes() for path in (*own, *tables)}
    return Sources(files, replace(origin, file=file, options=asked))


def absolute(value: InputValue) -> InputValue:
    """The value of an input, of which a file is named from the root."""
    is_file = isinstance(value, Path) or (isinstance(value, str) and value.lower().endswith(".csv"))
    return Path(str(value)).resolve() if is_file else value


def unpacked(sources: Sources) -> "tuple[tempfile.TemporaryDirectory[str], Path, Any]":
    """A folder with the files, its path, and their translation: on a worker."""
    folder = tempfile.TemporaryDirectory(prefix="acausal-")
    root = Path(folder.name)
    for path, content in sources.files.items():
        place = below(root, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    origin = sources.origin
    options = replace(origin.options, path=tuple([str(below(root, folder)) for folder in origin.options.path]))
    return folder, root, origin.translate(below(root, str(origin.file)), options)


def below(root: Path, path: str) -> Path:
    """The place of a file below a folder."""
    return root.joinpath(*Path(path).parts[1:])
