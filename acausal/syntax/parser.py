"""Text -> syntax tree: the one entry to the language.

`model A` newline `x = 1` newline `end` becomes `File((Class("model", "A", ..., (Equation(...),)),))`.
"""

import sys
from itertools import pairwise
from typing import cast

from acausal.base.diagnostics import Diagnostic, InternalError, Label, LimitError, ModelError, Severity
from acausal.base.frozen import dataclass
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.ir import ast
from acausal.syntax.automaton.automaton import Stuck, TooDeep, run
from acausal.syntax.automaton.lexer import STRAY, Tokens, tokenize
from acausal.syntax.automaton.tables import load_tables
from acausal.syntax.tree.build import Builder

_DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's tree, with the warnings and the places of the comments, which are not in the tree."""

    file: ast.File
    warnings: tuple[Diagnostic, ...]
    comments: tuple[Span, ...]


def parse(source: SourceFile, limits: Limits = _DEFAULT_LIMITS) -> Parsed:
    """The tree of a whole file.

    Raises ModelError with one diagnostic for the first syntax error, LimitError
    where the file is too long or nested too deep.
    """
    tokens = _tokens(source, limits)
    tree = cast(ast.File, _run(source, tokens, "file", limits))
    comments = tuple(Span(source, start, end) for start, end in tokens.comments)
    return Parsed(tree, _brace_warnings(comments), comments)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A file parsed for an editor: all its tokens, its mistakes, and the tree without the faulty statements.

    `file` is None where more than statements is wrong.
    """

    file: ast.File | None
    mistakes: tuple[Diagnostic, ...]
    tokens: Tokens


def attempt(source: SourceFile, limits: Limits = _DEFAULT_LIMITS) -> Attempt:
    """The file as far as it can be parsed; raises nothing for what the text says."""
    try:
        tokens = _tokens(source, limits)
    except LimitError as error:
        return Attempt(None, error.report.diagnostics, tokenize(SourceFile(source.name, ""), load_tables()))
    left = Tokens([*tokens.kinds], [*tokens.texts], [*tokens.starts], [*tokens.ends], tokens.comments)
    try:
        tree, mistakes = _recover(source, left, "file", limits)
    except LimitError as error:
        return Attempt(None, error.report.diagnostics, tokens)
    return Attempt(cast("ast.File | None", tree), tuple(mistakes), tokens)


def parse_item(source: SourceFile, limits: Limits = _DEFAULT_LIMITS) -> ast.Item:
    """The tree of one declaration, equation or statement, as inside a class; errors as `parse`."""
    return cast(ast.Item, _run(source, _tokens(source, limits), "statement", limits))


def parse_expression(source: SourceFile, limits: Limits = _DEFAULT_LIMITS) -> ast.Expression:
    """The tree of one expression; errors as `parse`.

    Without connections around it, `at` before a bracket is the name of a function.
    """
    tokens = _tokens(source, limits)
    name = load_tables().symbols.index("NAME")
    for place, (text, following) in enumerate(pairwise(tokens.texts)):
        if text == "at" and following == "(":
            tokens.kinds[place] = name
    return cast(ast.Expression, _run(source, tokens, "lone_expression", limits))


def _tokens(source: SourceFile, limits: Limits) -> Tokens:
    if len(source.text) > limits.file_length:
        raise LimitError(
            Diagnostic(
                "L001",
                f"{source.name} has {len(source.text)} characters, more than the limit of {limits.file_length}",
                Label(Span(source, limits.file_length, limits.file_length + 1), "the limit is reached here"),
                help="raise it with --limit file_length=NUMBER",
            )
        )
    return tokenize(source, load_tables())


def _run(source: SourceFile, tokens: Tokens, start: str, limits: Limits) -> object:
    """The tree of the tokens; ModelError with all mistakes that are found."""
    tree, mistakes = _recover(source, tokens, start, limits)
    if mistakes:
        raise ModelError(*mistakes)
    return tree


def _recover(source: SourceFile, tokens: Tokens, start: str, limits: Limits) -> tuple[object, list[Diagnostic]]:
    """The tree without the statements that are wrong, and the mistakes; None where it cannot go on behind one.

    After a mistake inside a class the rest of the text is examined as well.
    """
    tables, builder = load_tables(), Builder(source)
    mistakes: list[Diagnostic] = []
    while True:
        try:
            tree = run(tables, start, tokens, builder, limits.nesting)
        except TooDeep as deep:
            raise _too_deep(source, tokens, deep.position, limits) from None
        except Stuck as stuck:
            # loaded only for a text with mistakes
            from acausal.syntax.errors.mistakes import explain
            from acausal.syntax.errors.recover import leave_out_statement
            from acausal.syntax.errors.situation import situation

            here = situation(source, tables, tokens, _before_reductions(start, tokens, stuck, builder))
            mistakes.append(explain(here))
            if not leave_out_statement(here, mistakes[-1].code, len(mistakes)):
                return None, mistakes
            continue
        return tree, mistakes


def _before_reductions(start: str, tokens: Tokens, stuck: Stuck, builder: Builder) -> Stuck:
    """The stack as the last good token left it.

    Where the parser got stuck it may already have reduced what that token asked for, and so
    forgotten what else would have fitted; a token that asks for nothing stops it before.
    """
    kind, tokens.kinds[stuck.position] = tokens.kinds[stuck.position], STRAY
    try:
        run(load_tables(), start, tokens, builder, sys.maxsize)
    except Stuck as earlier:
        return earlier
    finally:
        tokens.kinds[stuck.position] = kind
    raise InternalError("parse", "a stray token was accepted")


def _too_deep(source: SourceFile, tokens: Tokens, position: int, limits: Limits) -> LimitError:
    return LimitError(
        Diagnostic(
            "L002",
            f"brackets, signs, ifs or classes are nested more than {limits.nesting} levels deep",
            Label(Span(source, tokens.starts[position], tokens.ends[position]), "this level exceeds the limit"),
            help="raise the limit with --limit nesting=NUMBER, or name a part of it with a `local`",
        )
    )


def _brace_warnings(comments: tuple[Span, ...]) -> tuple[Diagnostic, ...]:
    """A `{` inside a comment is probably the sign of a `}` forgotten before it."""
    warnings = []
    for comment in comments:
        inner = comment.file.text.find("{", comment.start + 1, comment.end)
        if inner >= 0:
            warnings.append(
                Diagnostic(
                    "P018",
                    "a `{` inside a comment: comments are not nested",
                    Label(Span(comment.file, inner, inner + 1), "this brace has no effect"),
                    (Label(Span(comment.file, comment.start, comment.start + 1), "the comment begins here"),),
                    help="is a `}` missing before it?",
                    severity=Severity.WARNING,
                )
            )
    return tuple(warnings)
