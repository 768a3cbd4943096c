"""The error for a part of a model that a target cannot express."""

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.origin import Origin


def unsupported(target: str, part: str, origin: Origin | None = None, hint: str | None = None) -> ModelError:
    """ModelError F040: "the target C does not support `part`", at the line where the part comes from."""
    label = None if origin is None else Label(origin.span)
    return ModelError(Diagnostic("F040", f"the target {target} does not support {part}", label, help=hint))
