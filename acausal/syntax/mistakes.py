from acausal.diagnostics import Diagnostic, Label
from acausal.source import SourceFile, Span
from acausal.syntax.automaton import Stuck
from acausal.syntax.lexer import Tokens


def explain(source: SourceFile, tokens: Tokens, stuck: Stuck) -> Diagnostic:
    at = stuck.position
    return Diagnostic(
        "P001", f"`{tokens.texts[at]}` does not fit here", Label(Span(source, tokens.starts[at], tokens.ends[at]))
    )
