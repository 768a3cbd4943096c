"""Build hook of the wheel: makes the parse tables from the grammar, the manual and the object code of kernels."""

import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackageHook(BuildHookInterface[Any]):
    """Runs before a wheel, editable or not, is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write acausal/syntax/automaton/tables.json and name it as part of the wheel; add the site of the manual."""
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from acausal.syntax.automaton.tables import build_tables

            made = build_tables(root / "grammar")
            if version == "standard":
                self.folder = TemporaryDirectory()
                self._add_manual(build_data)
                self._add_kernels(build_data)
        finally:
            sys.path.remove(str(root))
        build_data["artifacts"].append(made.relative_to(root).as_posix())

    def _add_manual(self, build_data: dict[str, Any]) -> None:
        """The site in a temporary folder; an editable install builds it when `acausal docs` is first called."""
        if find_spec("sphinx") is None:
            self.app.display_warning("Sphinx is not installed: the wheel will not contain the manual")
            return
        from acausal.cli.app import root_context
        from acausal.cli.site.command_help import all_commands
        from acausal.manual.site import build_site

        site = Path(self.folder.name, "site")
        build_site(site, all_commands(root_context()))
        build_data["force_include"][str(site)] = "acausal/manual/site"

    def _add_kernels(self, build_data: dict[str, Any]) -> None:
        """Object code of kernels for this platform; on others they are compiled when they are first needed."""
        if find_spec("llvmlite") is None:
            self.app.display_warning("llvmlite is not installed: the wheel will not contain compiled kernels")
            return
        from acausal.codegen.native.ship_kernels import ship_kernels

        kernels = Path(self.folder.name, "kernels")
        kernels.mkdir()
        ship_kernels(kernels)
        build_data["force_include"][str(kernels)] = "acausal/kernels"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary folder."""
        if hasattr(self, "folder"):
            self.folder.cleanup()
