"""acausal: an object-oriented, acausal modeling language and its translator.

t = acausal.translate("robot.mdl")        a translation: t.simulate(...), t.equations("sorted"), t.statistics
t = acausal.translate(text)               the same of a model in a string
r = t.simulate(stop=2)                    a result: r["r1.q"], r.time, r.at(0.5), r.plot("r1.q"), r.write("r.csv")
acausal.check("robot.mdl")                a report of mistakes
acausal.read("r.csv")                     a result from a file
acausal.import_model("arm.urdf")          a model of a robot (URDF) or netlist: .text, .report, .write("arm.lib")
acausal.read_model_cards(text)            the .model lines of SPICE as parameters of semiconductors.lib
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.base.diagnostics import LimitError, ModelError, Report, SimulationError, UsageError
    from acausal.base.report import Diagnostic
    from acausal.cached import translate
    from acausal.checking import check
    from acausal.imports.import_model import import_model
    from acausal.imports.imported_model import ImportedModel
    from acausal.results.read import read
    from acausal.results.result import Result
    from acausal.runs import RunError, RunInterrupted
    from acausal.spice_cards import ModelCard, read_model_cards
    from acausal.sweep.result import SweepResult
    from acausal.translation import Translation
    from acausal.version import __version__

__all__ = [
    "Diagnostic",
    "ImportedModel",
    "LimitError",
    "ModelCard",
    "ModelError",
    "Report",
    "Result",
    "RunError",
    "RunInterrupted",
    "SimulationError",
    "SweepResult",
    "Translation",
    "UsageError",
    "__version__",
    "check",
    "import_model",
    "read",
    "read_model_cards",
    "translate",
]

_MODULES = {"check": "checking", "read": "results.read", "Result": "results.result", "Translation": "translation"}
_MODULES |= {"translate": "cached", "ModelCard": "spice_cards", "read_model_cards": "spice_cards"}
_MODULES |= {"import_model": "imports.import_model", "ImportedModel": "imports.imported_model"}
_MODULES |= {"RunError": "runs", "RunInterrupted": "runs", "SweepResult": "sweep.result"}
_MODULES |= {"Diagnostic": "base.report", "__version__": "version"}
_MODULES |= dict.fromkeys(("load_ipython_extension", "unload_ipython_extension"), "notebook")
_MODULES |= dict.fromkeys(("LimitError", "ModelError", "Report", "SimulationError", "UsageError"), "base.diagnostics")


def __getattr__(name: str) -> object:
    """Public names, imported on first use: `import acausal` loads nothing slow."""
    if name not in _MODULES:
        raise AttributeError(f"module 'acausal' has no attribute {name!r}")
    return getattr(import_module(f"acausal.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
