"""Choice of the model of a file to translate."""

from acausal.base.diagnostics import Diagnostic, Label, Severity, UsageError
from acausal.base.near_names import did_you_mean
from acausal.ir import ast
from acausal.ir.model.classes import Definition, Library


def is_library(library: Library) -> bool:
    """True if the file has classes and no model, or is named as a library and only includes others."""
    units = [u for u in library.main.units if not isinstance(u, ast.Include)]
    if not units:
        return bool(library.main.units) and library.main.span.file.name.endswith(".lib")
    return not models_of(library)


def models_of(library: Library) -> list[ast.Class]:
    """The models of the file in order."""
    return [u for u in library.main.units if isinstance(u, ast.Class) and u.kind == "model"]


def chosen_class(library: Library, wanted: str | None) -> tuple[Definition, tuple[Diagnostic, ...]]:
    """The class named, or the only model of the file, or its last (with a note); F006 where there is none."""
    if wanted is not None:
        found = library.space.classes.get(wanted)
        if found is None:
            raise UsageError(
                Diagnostic(
                    "N001",
                    f"unknown model {wanted}",
                    help=did_you_mean(wanted, library.space.classes) or "name a model or class of the file",
                )
            )
        return found, ()
    models = models_of(library)
    if not models:
        raise UsageError(
            Diagnostic(
                "N014",
                f"{library.main.span.file.name} contains no model",
                help="write `model NAME ... end`, or translate a class with --model NAME",
            )
        )
    last = library.space.classes[models[-1].name]
    if len(models) == 1:
        return last, ()
    names = ", ".join(m.name for m in models)
    note = Diagnostic(
        "N015",
        f"the file has several models ({names}): the last one is used",
        Label(models[-1].name_span),
        help="select with --model NAME",
        severity=Severity.NOTE,
    )
    return last, (note,)
