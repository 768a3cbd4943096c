"""Commands that choose and list a model: `load`, `enter model`, `@FILE`, `check`, `list`, `undo`, `replay`."""

import re
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.model_text import MODEL_FILES
from acausal.base.files.regular_files import is_file
from acausal.ir.names import show_derivative
from acausal.render import render
from acausal.repl.command import need_nothing
from acausal.repl.model import Model
from acausal.repl.state import Source, misunderstood

ENTERED = Path("input")
"""Name of a text that was entered, in messages."""
LISTS = ("parameters", "variables", "states", "inputs", "values")
_QUOTED = re.compile(r"""["'](.+)["'](?:\s+(\w+))?""")
_MODEL_FILE = re.compile(r"(.+?\.(?:mdl|lib))(?:\s+(\w+))?", re.IGNORECASE)
_WORDS = re.compile(r"(\S+)(?:\s+(\S+))?")


def load(model: Model, rest: str) -> str:
    """`load FILE [MODEL]`."""
    file, name = _file_and_model(rest.strip())
    return _loaded(model, Source(file, None, name))


def enter_text(model: Model, text: str) -> str:
    """The model whose text was entered."""
    return _loaded(model, Source(ENTERED, text))


def _loaded(model: Model, source: Source) -> str:
    translation = model.load(source)
    return f"{translation.name} loaded\n{render(translation.report)}"


def _file_and_model(text: str) -> tuple[Path, str | None]:
    """Argument of `load`: a file, whose name may have blanks or be in quotation marks, and a model in it."""
    found = _QUOTED.fullmatch(text)
    if found is None and text and not is_file(text):
        found = _MODEL_FILE.fullmatch(text) or _WORDS.fullmatch(text)
        if found is None:
            raise misunderstood("load needs a file name", 'load FILE, load FILE MODEL, load "FILE"')
    if not text:
        raise misunderstood("load needs a file name", "load FILE, or load FILE MODEL")
    return (Path(text), None) if found is None else (Path(found[1]), found[2])


def enter(model: Model, rest: str) -> str:
    """`enter model`: the text follows."""
    if rest.strip() != "model":
        raise misunderstood("enter needs the word model", "enter model; the lines of the model follow")
    model.entering = True
    return ""


def at_file(model: Model, rest: str) -> str:
    """`@FILE`: a model, or the commands of a file."""
    if rest.strip().endswith(MODEL_FILES):
        return load(model, rest)
    return run_file(model, rest)


def run_file(model: Model, rest: str) -> str:
    """`replay FILE`: the commands of a file or transcript."""
    if not rest.strip():
        raise misunderstood("replay needs a file name", "replay FILE")
    return model.run_file(Path(rest.strip().strip("\"'")))


def check(model: Model, rest: str) -> str:
    """`check`: the file may have changed."""
    need_nothing("check", rest)
    model.retranslate()
    report = model.translation.report
    source = model.state.source
    return render(report) if report.diagnostics else f"{source.file if source else ''}: no errors found"


def list_(model: Model, rest: str) -> str:
    """`list`: the text of the model, names of it, or classes of the libraries."""
    what = rest.strip()
    if not what:
        return _text(model)
    if what in LISTS:
        lines = _lines(model, what)
        return "\n".join(lines) if lines else f"no {what}"
    from acausal.reference.library_page import list_page
    from acausal.reference.page import plain

    page = list_page(None if what == "classes" else what)
    if page is None:
        hint = f"list, list {', list '.join(LISTS)}, list classes, or list WORD to search the libraries"
        raise UsageError(Diagnostic("F018", f"no library or class contains {what}", help=hint))
    return plain([page])


def _text(model: Model) -> str:
    source = model.state.source
    if source is None:
        raise misunderstood("no model is loaded", "load FILE, or enter model; list classes lists the libraries")
    if source.text is not None:
        return source.text
    from acausal.syntax.read import read_source

    return read_source(source.file).text


def _lines(model: Model, what: str) -> list[str]:
    rows: list[tuple[str, ...]]
    if what == "parameters":
        rows = [
            (name, f"{model.parameter_value(name):g}", slot.unit or "", slot.description or "")
            for name, slot in model.parameters().items()
        ]
    elif what == "values":
        rows = [(name, str(stored.value)) for name, stored in model.state.values.items() if not stored.value.ndim]
        rows += [(name, "over time") for name, stored in model.state.values.items() if stored.value.ndim]
    elif what == "variables":
        slots = model.translation.program.variable_slots
        rows = [(show_derivative(*s.symbol), s.unit or "", s.description or "") for s in slots]
    elif what == "states":
        rows = [(show_derivative(*slot.symbol),) for slot in model.translation.program.state_slots]
    else:
        rows = [(name, model.state.inputs.get(name, "")) for name in model.input_names()]
    return aligned(rows)


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows as lines, their cells below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([cell.ljust(w) for cell, w in zip(row, widths, strict=True)]).rstrip() for row in rows]


def undo(model: Model, rest: str) -> str:
    """`undo`: the last change."""
    need_nothing("undo", rest)
    return f"undone: {model.undo()}"
