"""The classes of included files, kept between the translations of a process.

They depend on the files alone, so they are used again as long as each of these files holds the same bytes, and there is
still none where one was looked for in vain. With them stay the templates of classes for which nothing else counts.
"""

from collections import OrderedDict
from dataclasses import field
from pathlib import Path
from threading import Lock

from acausal.elaborate.files import Files, search_folders
from acausal.elaborate.spaces import Spaces
from acausal.ir import ast
from acausal.ir.classes import ClassUse, Space, Template
from acausal.options import Limits, TranslateOptions
from acausal.reads import note_absent, note_content
from acausal.records import record
from acausal.syntax.parser import Parsed
from acausal.syntax.read import holds_still

KEPT, KEPT_UP_TO = 8, 300_000
"""How many sets of included files are kept, and the bytes of the greatest of them."""

_Key = tuple[tuple[tuple[str, str | None], ...], str, tuple[str, ...], Limits]


@record(frozen=True, slots=True, eq=False)
class Included:
    """What the includes of a main file bring: its classes are looked up in `space`.

    `files` is what was read, `prefixed` the spaces of files with a prefix, by their places.
    """

    space: Space
    files: Files
    prefixed: dict[Path, Space]
    templates: dict[ClassUse, Template] = field(default_factory=dict)

    def holds(self) -> bool:
        """Whether all is still as it was read; if so, it counts as read again."""
        files = self.files
        if not all(holds_still(path, content) for path, content in files.contents.items()):
            return False
        if any(Path(path).is_file() for path in files.absent):
            return False
        for path, content in files.contents.items():
            note_content(path, content)
        for path in files.absent:
            note_absent(path)
        return True


_KEPT: OrderedDict[_Key, Included] = OrderedDict()
_LOCK = Lock()


def included_files(main: Path, parsed: Parsed, options: TranslateOptions) -> Included:
    """What the main file includes, read again only if it has changed; errors F001, F002, P..., N005 and limits."""
    units = tuple([unit for unit in parsed.file.units if isinstance(unit, ast.Include)])
    key = (tuple([(u.file, u.prefix) for u in units]), str(main.parent), search_folders(options), options.limits)
    found = _KEPT.get(key)
    if found is not None and found.holds():
        return found
    spaces = Spaces(Files(options), Space(), {})
    spaces.include_all(units, main)
    made = Included(spaces.top, spaces.files, spaces.prefixed)
    # what leads back to the main file would hold the model itself
    if not spaces.met and sum(map(len, spaces.files.contents.values())) <= KEPT_UP_TO:
        _keep(key, made)
    return made


def _keep(key: _Key, made: Included) -> None:
    with _LOCK:
        _KEPT[key] = made
        _KEPT.move_to_end(key)
        while len(_KEPT) > KEPT:
            _KEPT.popitem(last=False)
