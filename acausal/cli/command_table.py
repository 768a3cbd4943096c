"""Table of the commands: what `acausal --help` shows, and where each command is."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Entry(NamedTuple):
    """A command: the first line of its help, and the module in `cli/commands` and function that it runs."""

    summary: str
    module: str
    function: str


COMMANDS: Final[Mapping[str, Entry]] = {
    "check": Entry("Check the models and classes of files for errors, without running them.", "check", "check"),
    "translate": Entry(
        "Translate a model; show its equations, statistics or code, or write it in another language.",
        "translate",
        "translate",
    ),
    "simulate": Entry("Simulate a model; write, plot and animate the result.", "simulate", "simulate"),
    "sweep": Entry("Run a model for many values of its parameters and tabulate the results.", "sweep", "sweep"),
    "uncertainty": Entry(
        "Run a model with uncertain parameters: quantiles, bands over time, Sobol indices.",
        "uncertainty",
        "uncertainty",
    ),
    "sensitivity": Entry(
        "Derivatives of variables and event times with respect to parameters, over a run.", "sensitivity", "sensitivity"
    ),
    "trim": Entry("Find an operating point at which variables have given values.", "trim", "trim"),
    "fit": Entry("Find parameters with which a model agrees best with measured data.", "fit", "fit"),
    "optimize": Entry(
        "Find controls over time, or parameters, that minimize an objective under constraints.", "optimize", "optimize"
    ),
    "linearize": Entry(
        "Linearize a model at an operating point: matrices, modes, responses, margins.", "linearize", "linearize"
    ),
    "mechanism": Entry(
        "Show bodies, joints and loops of a mechanism, its degrees of freedom and its reactions.",
        "mechanism",
        "mechanism",
    ),
    "plot": Entry("Plot variables and expressions of one or several result files.", "plot", "plot"),
    "compare": Entry(
        "Compare two result files: every variable of A within a tube; exit code 0 if they agree, 1 if they differ.",
        "result_files",
        "compare",
    ),
    "view": Entry(
        "Write a web page to browse results: the tree of submodels, values of parameters, curves of several runs.",
        "result_files",
        "view",
    ),
    "animate": Entry(
        "Animate the mechanism of one or several result files, which were written with --all.",
        "result_files",
        "animate",
    ),
    "import": Entry("Convert a robot description (URDF), a SPICE netlist or an FMU.", "import_model", "import_"),
    "fmt": Entry("Format model files.", "fmt", "fmt"),
    "repl": Entry("Start an interactive session; commands may be piped in.", "repl", "repl"),
    "explain": Entry("Explain the code of an error or warning, or a word of the language.", "reference", "explain"),
    "doctor": Entry("Check the installation.", "doctor", "doctor"),
    "list": Entry("List libraries and their classes, or search their names and descriptions.", "reference", "list_"),
    "lsp": Entry("Run the language server for editors.", "editor", "lsp"),
    "editor": Entry("Write files for editors: an extension of VS Code, grammars.", "editor", "editor"),
    "docs": Entry(
        "Open the manual, or describe a class, a library, a word of the language, a command or a code.",
        "reference",
        "docs",
    ),
    "new": Entry("Write NAME.mdl with a small model as a starting point.", "reference", "new"),
    "examples": Entry("List the examples, or copy them into a folder.", "reference", "examples"),
}
"""In the order of `acausal --help`. Listing them imports no command; running one imports its module."""
