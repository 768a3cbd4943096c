"""Whether a mutant counts, and whether its message is good.

It helps if its text has the words that the rule asks for (`rules.Rule.helps`).
It counts if it is rejected (for units: warned of), or if an independent test says that it is ill-posed although
it was accepted. A message is good if within its first three lines stands the changed line, or a component of it
(a variable, where the line has no component), and no more than three components are named there.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from acausal.base.diagnostics import Diagnostic, ModelError, Report, Severity
from acausal.base.human_text import human
from acausal.causalize.arrays.scalarize import scalarize
from acausal.causalize.events.lift_events import hold
from acausal.checking import check
from acausal.ir.walk import variables_of
from acausal.pipeline import translate
from tests.mutation.rules import UNIT, Mutant

MOST_NAMED = 3
KEYWORDS = frozenset("connect to at submodel parameter local unit if then else discrete node for when new".split())


@dataclass(frozen=True, slots=True)
class Verdict:
    """`counts`, `good`, the first lines of the message, and whether it `helps`."""

    counts: bool
    good: bool
    head: str
    helps: bool = False


def judge(mutant: Mutant, folder: Path) -> Verdict:
    """What the checker says of a mutant."""
    file = folder / "mutant.mdl"
    file.write_text(mutant.text, encoding="utf-8")
    report = check(file)
    bad = {Severity.ERROR, Severity.WARNING} if mutant.kind == UNIT else {Severity.ERROR}
    wanted = tuple([d for d in report.diagnostics if d.severity in bad])
    if not wanted:
        return Verdict(is_ill_posed(file), False, "accepted")
    head = "\n".join(human(Report(wanted), color=False).split("\n")[:3])
    return Verdict(True, _is_good(mutant, head), head, _helps(mutant, wanted[0]))


def _helps(mutant: Mutant, told: Diagnostic) -> bool:
    """Whether the first message, without the excerpt of the text, has a word of each group that the rule asks for."""
    labels = [label.text for label in (told.primary, *told.secondary) if label is not None]
    said = "\n".join([told.message, *labels, *told.notes, told.help or ""])
    return all(any(_has(said, word) for word in group) for group in mutant.helps)


def _has(said: str, word: str) -> bool:
    """Whether the word stands there, not inside another one."""
    begin = r"(?<!\w)" if word[:1].isalnum() else ""
    end = r"(?!\w)" if word[-1:].isalnum() else ""
    return bool(word) and re.search(begin + re.escape(word) + end, said) is not None


def _is_good(mutant: Mutant, head: str) -> bool:
    declared = re.findall(r"(?:submodel \(\w+\)|\),|,) (\w+)(?=\(|,|\[|$| \(ic)", _submodels(mutant), re.MULTILINE)
    components = set(declared)
    variables = set(re.findall(r"[A-Za-z]\w*", mutant.was)) - KEYWORDS - components
    words = re.findall(r"[A-Za-z]\w*", head.split("\n", maxsplit=1)[0].split(":", 1)[-1])
    named = components & set(words)
    place = re.search(r"mutant\.mdl:(\d+)", head)
    on_line = place is not None and mutant.line <= int(place[1]) <= mutant.last
    of_line = set(re.findall(r"\w+", mutant.was)) & components
    said = bool(named & of_line) or (not of_line and bool(variables & set(words)))
    return (on_line or said) and len(named) <= MOST_NAMED


def _submodels(mutant: Mutant) -> str:
    """The declarations of components, of the mutant and before."""
    return "\n".join(line for line in [*mutant.text.split("\n"), mutant.was] if re.match(r"\s*submodel", line))


def is_ill_posed(file: Path) -> bool:
    """Whether an accepted model has no unique solution: by count, by SciPy's matching, by a first instant.

    The equations are those as written, before the translator has put anything into another.
    """
    translation = translate(file)
    dae = hold(scalarize(translation.stages.flat, foldable=False))
    if len(dae.equations) != len(dae.variables):
        return True
    number_of = {v.symbol.name: i for i, v in enumerate(dae.variables)}
    places = [
        (row, number_of[leaf.name])
        for row, e in enumerate(dae.equations)
        for leaf in variables_of((e.left, e.right))
        if leaf.name in number_of
    ]
    rows, columns = np.array(places, np.int32).reshape(-1, 2).T
    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(dae.equations), len(dae.variables)))
    if (maximum_bipartite_matching(matrix) < 0).any():
        return True
    try:
        result = translation.simulate(stop=1e-6)
    except (ModelError, ValueError):  # a failure of ours counts as one of the message
        return True
    return not all(np.isfinite(result[v]).all() for v in result.names)
