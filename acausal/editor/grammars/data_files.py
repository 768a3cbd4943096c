"""Files for editors that are not made but kept, in the folder `data`."""

from pathlib import Path

_FOLDER = Path(__file__).with_name("data")


def vscode_files() -> dict[str, bytes]:
    """The client of the extension, the library that it uses as one file, and the licenses of what is in it."""
    return {path.name: path.read_bytes() for path in sorted((_FOLDER / "vscode").iterdir()) if path.is_file()}
