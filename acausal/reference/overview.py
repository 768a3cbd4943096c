"""The page of `acausal docs` without a name: how to find what there is."""

from collections.abc import Mapping

from acausal.codes.functions import FUNCTIONS
from acausal.codes.words import WORDS
from acausal.reference.libraries import libraries
from acausal.reference.page import Page, Paragraph, Section, Table

STEPS = (
    ("acausal new NAME", "write a small model as a starting point"),
    ("acausal examples", "list the examples; --copy DIR copies them into a folder"),
    ("acausal simulate FILE", "run a model; --plot x,y plots variables"),
    ("acausal list WORD", "search in the names and descriptions of classes"),
    ("acausal docs NAME", "describe a class, library, word, function, command or code"),
)


def overview(commands: Mapping[str, str]) -> Page:
    """Where to begin, and the names of all pages but those of classes and codes."""
    words = ", ".join(sorted(word for word in WORDS if word not in FUNCTIONS))
    return Page(
        "acausal",
        "overview",
        (
            Section("", (Paragraph("Models written as equations and connections: translated and simulated."),)),
            Section("Where to begin", (Table(STEPS),)),
            Section("Libraries", (Table(tuple([(library.name, library.summary) for library in libraries()])),)),
            Section("Words of the language", (Paragraph(words),)),
            Section("Functions", (Paragraph(", ".join(sorted(FUNCTIONS))),)),
            Section("Commands", (Paragraph(", ".join(sorted(commands))),)),
        ),
    )
