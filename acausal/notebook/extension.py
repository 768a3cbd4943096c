"""Hooks that `%load_ext acausal` and `%unload_ext acausal` call.

Progress needs no hook: a run displays it where the extension is loaded (`render/progress`). Errors and
representations need no extension at all: IPython finds their methods.
"""

from typing import Any

from acausal.notebook.cell import translate_cell

Shell = Any
"""`IPython.core.interactiveshell.InteractiveShell`."""


def load_ipython_extension(shell: Shell) -> None:
    """Register the cell magic `%%mdl`."""

    def mdl(line: str, cell: str) -> object:
        """Translate a model."""
        name, translation = translate_cell(line, cell)
        shell.push({name: translation})
        return translation

    mdl.__doc__ = translate_cell.__doc__
    shell.register_magic_function(mdl, magic_kind="cell", magic_name="mdl")


def unload_ipython_extension(shell: Shell) -> None:
    """Remove the cell magic."""
    shell.magics_manager.magics["cell"].pop("mdl", None)
