"""The only formatter of errors: a `Report` as text for people, editors and build servers."""

from typing import Literal

from acausal.base.diagnostics import Report
from acausal.base.human_text import human
from acausal.render.explain import explain
from acausal.render.machine import as_json, github, json_text, report_data, sarif

__all__ = ["Format", "as_json", "explain", "render", "report_data"]

Format = Literal["human", "json", "sarif", "github"]


def render(report: Report, *, format: Format = "human", color: bool = False) -> str:  # noqa: A002
    """The report in the given format, without newline at its end; `color` matters to people only."""
    match format:
        case "human":
            return human(report, color=color)
        case "json":
            return json_text(report)
        case "sarif":
            return sarif(report)
        case "github":
            return github(report)
