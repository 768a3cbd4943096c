"""Views of a translation for people: statistics, equations of a stage, the way of a variable."""

from dataclasses import asdict
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.causalize.explain import report as texts
from acausal.causalize.explain.provenance import Why
from acausal.causalize.explain.way_text import Link, Way, show_ways
from acausal.codegen.numpy.find_line import find_lines
from acausal.ir.flat import Equation
from acausal.ir.program.program import Program
from acausal.ir.show.flat import show_flat
from acausal.stages import Stages


def statistics(stages: Stages, program: Program) -> dict[str, object]:
    """Sizes of the system before and after each stage, operations of the code, seconds by stage."""
    counts = texts.statistics(stages.dae, stages.selection, stages.plan)
    operations = asdict((program.derivatives if program.state_slots else program.variables).operations)
    return {**counts, "operations": operations, "seconds": dict(stages.seconds)}


def equations_text(stages: Stages, stage: str) -> str:
    """The equations of a stage; UsageError F006 for an unknown one."""
    if stage == "flat":
        return show_flat(stages.flat)
    if stage == "sorted":
        return texts.show_sorted(stages.run, stages.plan.blocks)
    if stage == "solved":
        return texts.show_solved(stages.plan)
    if stage == "aliases":
        return texts.show_aliases(stages.dae)
    if stage == "differentiated":
        return texts.show_differentiated(stages.dae, stages.selection)
    if stage == "latex":
        from acausal.symbolic.sympy_bridge import equations_to_latex

        return equations_to_latex(sorted_equations(stages))
    hint = "the stages are flat, sorted, solved, latex, aliases and differentiated"
    raise UsageError(Diagnostic("F006", f"unknown stage {stage!r}", help=hint))


def graph(stages: Stages, folder: Path | None) -> str:
    """Diagrams of the model as SVG, with links seen from a folder."""
    from acausal.diagrams.page import diagrams

    return diagrams(stages.flat, stages.run, stages.plan, folder)


def sorted_equations(stages: Stages) -> list[Equation]:
    """The equations of the run in the order in which they are solved."""
    return [stages.run.equations[e] for block in stages.run.blocks for e in block.eqs]


def why(stages: Stages, program: Program, code: str, name: str) -> str:
    """The way of a variable as text, to the lines of the `code`; UsageError F005 for an unknown name."""
    found = Why(stages.flat, stages.dae, stages.selection, stages.run, stages.plan)
    ways = []
    for way in found.ways(found.leaf(name)):
        symbol = way.leaf.name, way.leaf.order if way.leaf.op == "variable" else 0
        lines = find_lines(program, code, symbol)
        links = [Link("code", f"line {x.number}{x.routine and f', {x.routine}'}: {x.text}") for x in lines]
        links = links or [Link("code", "none, because it is constant or no output depends on it")]
        ways.append(Way(way.leaf, (*way.links, *links)))
    return show_ways(ways)
