"""Session of a command: common flags, output streams, and the exit code of each failure."""

import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Concatenate, Literal, ParamSpec, TextIO

from typer import Exit, Option

from acausal.base.diagnostics import Diagnostic, InternalError, LimitError, ModelError, Report
from acausal.base.options import TranslateOptions, help_of
from acausal.cli.process.exit_codes import INTERRUPTED
from acausal.cli.process.streams import unread
from acausal.render import Format, as_json, render, report_data

P = ParamSpec("P")
Color = Literal["auto", "always", "never"]
NOTHING = Report()


@dataclass(frozen=True, slots=True)
class Session:
    """The common flags of a command.

    Results go to standard output; diagnostics for people to standard error, those
    for programs to standard output; with `json` all of it is one object on standard output.
    """

    json: Annotated[bool, Option("--json", help="write one JSON object to standard output")] = False
    format: Annotated[Format, Option("--format", help="format of errors and warnings")] = "human"
    path: Annotated[list[Path] | None, Option("--path", metavar="DIR", help=help_of(TranslateOptions, "path"))] = None
    color: Annotated[Color, Option("--color", help="color errors and warnings")] = "auto"
    quiet: Annotated[bool, Option("--quiet", help="write results and errors only")] = False

    def finish(
        self, text: str = "", data: dict[str, object] | None = None, report: Report = NOTHING, code: int = 0
    ) -> None:
        """Write what a command found: `data` with --json, else `text`, and the report; end with the exit code."""
        self._write(report, code, data or {})
        if text and not self.json:
            print(text)
        if code:
            raise Exit(code)

    def say(self, text: str) -> None:
        """Tell a person what was done, on standard error."""
        if self.talks:
            print(text, file=sys.stderr)

    def written(self, *paths: Path | None) -> list[str]:
        """Tell a person which files were written; their names."""
        names = [str(path) for path in paths if path is not None]
        if names:
            self.say(f"written: {', '.join(names)}")
        return names

    @property
    def talks(self) -> bool:
        """True if it may say what it is doing."""
        return not self.quiet and not self.json

    def fail(self, report: Report, code: int, data: dict[str, object] | None = None) -> int:
        """Write the report of a command that failed; its exit code."""
        self._write(report, code, data or {})
        return code

    def _write(self, report: Report, code: int, data: dict[str, object]) -> None:
        report = Report(report.errors) if self.quiet else report
        if self.json:
            print(as_json({"ok": code == 0, "exit_code": code, "diagnostics": report_data(report), **data}))
        elif self.format != "human":
            print(render(report, format=self.format), end="\n" if report.diagnostics or self.format != "github" else "")
        elif report.diagnostics:
            print(render(report, color=self.colored(sys.stderr)), file=sys.stderr)

    def colored(self, stream: TextIO) -> bool:
        """True if a stream gets colors."""
        if self.color == "auto":
            return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return self.color == "always"


def with_session(body: Callable[Concatenate[Session, P], None]) -> Callable[..., None]:
    """A command: `body` with the common flags in place of its session, and every failure as an exit code.

    A parameter whose type is a dataclass stands for the flags that are its fields.
    """
    own = inspect.signature(body)
    common = inspect.signature(Session).parameters
    _, *named = own.parameters.values()
    types = {p.name: p.annotation for p in named if isinstance(p.annotation, type)}
    groups = {name: group for name, group in types.items() if is_dataclass(group)}

    @wraps(body)
    def command(*args: P.args, **flags: P.kwargs) -> None:
        session = Session(**{name: flags.pop(name) for name in common})  # type: ignore[arg-type]  # typer has checked
        for name, group in groups.items():
            flags[name] = group(**{field: flags.pop(field) for field in inspect.signature(group).parameters})
        code = _guarded(session, lambda: body(session, *args, **flags))
        if code:
            raise Exit(code)

    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in common.values()]
    arguments = [q for p in named for q in (_fields(p.annotation) if p.name in groups else [p])]
    command.__signature__ = own.replace(parameters=[*arguments, *keywords])  # type: ignore[attr-defined]  # read by inspect
    command.__annotations__ = {p.name: p.annotation for p in [*arguments, *keywords]}
    return command


def _fields(group: type) -> list[inspect.Parameter]:
    return list(inspect.signature(group).parameters.values())


def _guarded(session: Session, run: Callable[[], None]) -> int:
    """Run a command and report what happened; its exit code."""
    try:
        run()
    except Exit as stop:
        return stop.exit_code
    except ModelError as error:
        return session.fail(error.report, error.exit_code)
    except KeyboardInterrupt:
        session.say("interrupted")
        return session.fail(NOTHING, INTERRUPTED)
    except BrokenPipeError:
        return unread()
    except OSError:
        raise
    except MemoryError:
        hint = "reduce the model, the number of rows (--interval) or what is written (--write)"
        return session.fail(Report((Diagnostic("L015", "not enough memory", help=hint),)), LimitError.exit_code)
    except Exception as error:  # nothing but our own bugs are left
        if os.environ.get("ACAUSAL_DEBUG"):
            raise
        shown = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
        print(f"internal error: {shown}", file=sys.stderr)
        print(
            "This is a bug in acausal: please report it with the model; ACAUSAL_DEBUG=1 shows where.", file=sys.stderr
        )
        return session.fail(NOTHING, InternalError.exit_code)
    return 0
