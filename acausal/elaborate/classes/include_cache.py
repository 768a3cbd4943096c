"""The classes of included files, kept between the translations of a process.

They depend on the files alone, so they are used again as long as each of these files holds the same bytes, and there is
still none where none was found. Where nothing was found beside the main file, they serve main files in
other folders, too. With them stay the templates of classes for which nothing else counts.
"""

from collections import OrderedDict
from dataclasses import field
from os.path import isfile
from pathlib import Path

from acausal.base.caches import LOCK, register
from acausal.base.files.file_dependencies import note_absent, note_content
from acausal.base.frozen import record
from acausal.base.options import Limits, TranslateOptions
from acausal.elaborate.classes.files import Files, search_folders
from acausal.elaborate.classes.namespaces import NamespaceBuilder
from acausal.ir import ast
from acausal.ir.model.classes import ClassUse, Namespace, Template
from acausal.syntax.parser import Parsed
from acausal.syntax.read import holds_still

KEPT, KEPT_UP_TO = 8, 300_000
"""Number of cached sets of included files, and the bytes of the greatest of them."""

_Key = tuple[str, tuple[tuple[str, str | None], ...], tuple[str, ...], Limits]
"""The folder of the main file, empty where it does not count; what it includes; folders and limits of the options."""


@record(frozen=True, slots=True, eq=False)
class Included:
    """Included files of a main file: its classes are looked up in `space`.

    `files` is what was read, `prefixed` the spaces of files with a prefix, by their places; `folder` is that of the
    main file, `beside` are the places there where files were searched for.
    """

    space: Namespace
    files: Files
    prefixed: dict[Path, Namespace]
    folder: Path
    beside: tuple[str, ...]
    templates: dict[ClassUse, Template] = field(default_factory=dict)

    def is_of_any_folder(self) -> bool:
        """True if no file was found beside the main file, in a folder that counts for no other reason."""
        files = self.files
        return str(self.folder) not in files.folders and all(place in files.absent for place in self.beside)

    def holds(self, main: Path, units: tuple[ast.Include, ...]) -> bool:
        """True if all is still as it was read, for this main file; if so, it counts as read again."""
        files = self.files
        absent = [*files.absent]
        if main.parent != self.folder:
            absent = [place for place in absent if place not in self.beside] + _beside(main, units)
        if any(map(isfile, absent)):
            return False
        for path, content in files.contents.items():
            # what leads to the main file may be what leads back to it
            if path.endswith(main.name) or not holds_still(path, content):
                return False
        for path, content in files.contents.items():
            note_content(path, content)
        for place in absent:
            note_absent(place)
        return True


def _beside(main: Path, units: tuple[ast.Include, ...]) -> list[str]:
    """Folder searched first for included files."""
    return [str(main.parent / unit.file) for unit in units]


_KEPT: OrderedDict[_Key, Included] = OrderedDict()
register(_KEPT)


def included_files(main: Path, parsed: Parsed, options: TranslateOptions) -> Included:
    """Included files of the main file, read again only if they have changed.

    Errors F001, F002, P..., N005 and limits.
    """
    units = tuple([unit for unit in parsed.file.units if isinstance(unit, ast.Include)])
    about = tuple([(u.file, u.prefix) for u in units]), search_folders(options), options.limits
    for folder in ("", str(main.parent)):
        found = _KEPT.get((folder, *about))
        if found is not None and found.holds(main, units):
            return found
    spaces = NamespaceBuilder(Files(options), Namespace(), {})
    spaces.include_all(units, main)
    made = Included(spaces.top, spaces.files, spaces.prefixed, main.parent, tuple(_beside(main, units)))
    # what leads back to the main file would hold the model itself
    if not spaces.met and sum(map(len, spaces.files.contents.values())) <= KEPT_UP_TO:
        _keep(("" if made.is_of_any_folder() else str(main.parent), *about), made)
    return made


def _keep(key: _Key, made: Included) -> None:
    with LOCK:
        _KEPT[key] = made
        _KEPT.move_to_end(key)
        while len(_KEPT) > KEPT:
            _KEPT.popitem(last=False)
