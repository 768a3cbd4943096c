"""Build hook of the wheel: makes the parse tables from the grammar and packs them."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TablesHook(BuildHookInterface[Any]):
    """Runs before a wheel, editable or not, is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (hatchling's signature)
        """Write acausal/syntax/automaton/tables.json and name it as part of the wheel."""
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from acausal.syntax.automaton.tables import build_tables

            made = build_tables(root / "grammar")
        finally:
            sys.path.remove(str(root))
        build_data["artifacts"].append(made.relative_to(root).as_posix())
