"""`fmu "pump.fmu"`: the class that is made of a functional mock-up unit, whose archive is read and not executed."""

import hashlib
import platform
import sys
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, InternalError, Label, LimitError, ModelError
from acausal.base.files.file_dependencies import note_absent, note_content
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.elaborate.error_helpers import mistake
from acausal.imports.fmu.archive import Archive, FmuError, read_archive
from acausal.imports.fmu.layout import WAYS, Layout, excluded, layout_of
from acausal.imports.fmu.platforms import need_binary
from acausal.imports.fmu.read import read_description
from acausal.imports.fmu.write import PREFIX, class_text
from acausal.ir import ast


def fmu_class(reference: ast.ClassReference, limits: Limits) -> ast.Class:
    """The class for a file beside the model, all of it at the place of the reference; F050, L020."""
    from acausal.syntax.parser import parse

    assert reference.file is not None
    path = Path(reference.span.file.name).parent / reference.file
    try:
        archive, layout = _read(path, reference, limits)
    except FmuError as error:
        raise _at(reference.span, error) from None
    text = class_text(layout, str(path), hashlib.sha256(archive.data).hexdigest())
    try:
        parsed = parse(SourceFile(f"{reference.file}", text), replace(limits, file_length=len(text) * 4 + 1))
    except ModelError as error:
        raise InternalError("fmu", str(error)) from error
    (unit,) = parsed.file.units
    assert isinstance(unit, ast.Class)
    placed = _placed(unit, reference.span)
    assert isinstance(placed, ast.Class)
    return replace(placed, excluded=excluded(layout))


def _read(path: Path, reference: ast.ClassReference, limits: Limits) -> tuple[Archive, Layout]:
    """The archive and its layout; what is wrong in its XML is shown there, too."""
    if not path.exists():
        note_absent(path)
    archive = read_archive(path, limits.fmu_size)
    note_content(path, archive.data)
    try:
        description = read_description(archive, path.name, limits)
    except ModelError as error:
        found = error.report.diagnostics[0]
        raise _in_description(reference.span, found, isinstance(error, LimitError)) from None
    layout = layout_of(description, WAYS[reference.names[0]])
    need_binary(archive, layout, sys.platform, platform.machine())
    return archive, layout


def _in_description(span: Span, found: Diagnostic, limit: bool) -> ModelError:
    message = f"the FMU cannot be imported: {found.message}"
    where = (Label(found.primary.span, found.primary.text or "here"),) if found.primary else ()
    made = Diagnostic(found.code, message, Label(span), where, help=found.help or "export the FMU again")
    return LimitError(made) if limit else ModelError(made)


def _at(span: Span, error: FmuError) -> ModelError:
    message = f"the FMU cannot be imported: {error.message}"
    if error.limit:
        hint = error.hint or "raise the limit with --limit fmu_size=NUMBER if you trust the file"
        return LimitError(Diagnostic("L020", message, Label(span), help=hint))
    return mistake("F050", message, span, hint=error.hint or "export the FMU again")


def _placed(node: object, span: Span) -> object:
    """The tree with all its nodes at one place, and names that no text can have; classes are not deep."""
    if isinstance(node, str):
        return f"${node.removeprefix(PREFIX)}" if node.startswith(PREFIX) else node
    if isinstance(node, tuple):
        return tuple([_placed(part, span) for part in node])
    if isinstance(node, Span):
        return span
    if not is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, ast.String):
        return ast.String(span, node.value)
    changes = {f.name: _placed(getattr(node, f.name), span) for f in fields(node) if f.init}
    return type(node)(**changes)
