"""The files of the Python target."""

from typing import TYPE_CHECKING

from acausal.codegen.numpy.to_numpy import numpy_text
from acausal.targets.target_options import TargetOptions

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_table import Files


def python_files(model: "CompiledModel", name: str, options: TargetOptions) -> "Files":  # noqa: ARG001 - of all targets
    """The module."""
    return {".py": numpy_text(model.program)}
