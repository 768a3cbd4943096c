"""Hover: the declaration behind a name, what its author says of it, and what the translation knows of it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.codes.words import WORDS
from acausal.editor.features.described import class_line, comment_of, cut_line, entry_of, target_line, values_of
from acausal.editor.text.document import Document, Range
from acausal.editor.text.findings import Findings, ModelFacts
from acausal.editor.text.full_names import full_names
from acausal.editor.text.language import ATTRIBUTE_WORDS, EXPERIMENT_WORDS
from acausal.editor.text.mention import Mention
from acausal.editor.text.names import Names
from acausal.editor.text.project import Project
from acausal.editor.text.resolve import Target
from acausal.ir.model.classes import Definition, Submodel, Template, Value
from acausal.reference.comments import paragraphs

MOST = 4
"""Instances whose values are shown."""


@dataclass(frozen=True, slots=True)
class Question:
    """A variable of a model about which the worker can tell more."""

    model: str
    name: str


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown for a range; `question` where more is known of one variable."""

    range: Range
    text: str
    question: Question | None = None

    def with_answer(self, why: str | None, start: float | None, unit: str | None) -> "Hover":
        """With the value at the start of the run, and the way of the variable to its assignment."""
        parts = [self.text]
        if start is not None and self.question is not None:
            parts.append(f"at the start of the run: `{self.question.name}` = {start:.6g}{f' {unit}' if unit else ''}")
        if why is not None:
            parts.append(_code(why.rstrip(), "text"))
        return replace(self, text="\n\n".join(parts))


def hover(project: Project, document: Document, offset: int, findings: Iterable[Findings] = ()) -> Hover | None:
    """Hover of the name or word at an offset."""
    found = project.target(document, offset)
    if found is None:
        return _word(document, offset)
    mention, target = found
    place = document.place(mention.span)
    if place is None:
        return None
    known = list(full_names(mention, document, findings)) if isinstance(target.about, Value) else []
    text = "\n\n".join(_texts(target, mention, project.names(document), known))
    question = Question(known[0][0].name, known[0][1]) if known else None
    return Hover(place, text, question)


def _word(document: Document, offset: int) -> Hover | None:
    """A word of the language."""
    for token in document.tokens_of_statement(offset):
        if token.start <= offset < token.end and token.kind not in ("COMMENT", "STRING"):
            said = _of_word(token.text)
            return None if said is None else Hover((token.start, token.end), said)
    return None


def _of_word(word: str) -> str | None:
    if word not in WORDS:
        return None
    meaning, form = WORDS[word]
    return f"{meaning}\n\n{_code(form)}"


def _texts(target: Target, mention: Mention, names: Names, known: list[tuple[ModelFacts, str]]) -> Iterator[str]:
    if target.kind == "word":
        said = {**EXPERIMENT_WORDS, **ATTRIBUTE_WORDS}.get(target.name) if mention.kind != "function" else None
        yield said or _of_word(target.name) or target.name
        return
    yield _code(target_line(target))
    match target.about:
        case Definition() as definition:
            yield from _class(definition, names)
        case Value() as value if target.owner is not None:
            yield from _value(value, target.owner, known)
        case Submodel() as submodel:
            template = names.template(submodel.class_)
            yield _code(class_line(submodel.class_.definition))
            comment = comment_of(submodel.class_.definition, names.document)
            yield from paragraphs(comment)[:1]
            if template is not None and template.cuts:
                yield _code("\n".join(map(cut_line, template.cuts.values())))


def _class(definition: Definition, names: Names) -> Iterator[str]:
    """The comment of a class as running text and formulas, its parameters and cuts."""
    for part in paragraphs(comment_of(definition, names.document)):
        yield _code(part, "text") if part.startswith(" ") else part
    template = names.template(names.used_definition(definition))
    if template is not None:
        yield from _parameters(template)
        if template.cuts:
            yield _code("\n".join(map(cut_line, template.cuts.values())))


def _parameters(template: Template) -> Iterator[str]:
    rows = [entry for entry in values_of(template).values() if entry.kind == "parameter"]
    if rows:
        head = ["| parameter | unit | default | |", "| --- | --- | --- | --- |"]
        lines = [
            f"| {e.name}{e.dimensions} | {e.unit or ''} | {_cell(e.default or '')} | {_cell(e.description)} |"
            for e in rows
        ]
        yield "\n".join([*head, *lines])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _value(value: Value, owner: Template, known: list[tuple[ModelFacts, str]]) -> Iterator[str]:
    entry = entry_of(value, owner)
    if entry is not None and entry.description:
        yield entry.description
    if entry is not None and entry.home != owner.name:
        yield f"inherited from {entry.home}"
    rows = []
    for model, name in known[:MOST]:
        unit, number = model.values[name]
        said = f" = {number}" if number is not None else ""
        rows.append(f"- `{name}`{said}{f' {unit}' if unit and unit != '1' else ''}")
    if len(known) > MOST:
        rows.append(f"- and {len(known) - MOST} more")
    if rows:
        yield "\n".join(rows)


def _code(text: str, language: str = "mdl") -> str:
    return f"```{language}\n{text}\n```"
