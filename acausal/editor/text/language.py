"""Words of the language with what editors need of them: forms of statements, attributes, items of `experiment`."""

from typing import Literal

from acausal.base.options import SimulateOptions, help_of
from acausal.codes.words import WORDS
from acausal.elaborate.classes.attributes import KNOWN
from acausal.elaborate.scopes.experiment import NUMBERS

Where = Literal["file", "class", "both"]

SNIPPETS: dict[str, tuple[str, Where]] = {
    "model": ("model ${1:Name}\n  $0\nend", "file"),
    "model class": ("model class ${1:Name}\n  $0\nend", "both"),
    "function": ("function ${1:f}(${2:x}) = ${0:x}", "both"),
    "submodel": ("submodel (${1:Class}) ${2:name}($0)", "class"),
    "parameter": ("parameter ${1:name} = ${0:1}", "class"),
    "constant": ("constant ${1:name} = ${0:1}", "class"),
    "local": ("local ${0:name}", "class"),
    "terminal": ("terminal ${0:name}", "class"),
    "input": ("input ${0:name}", "class"),
    "output": ("output ${0:name}", "class"),
    "discrete": ("discrete ${1:name} (start=${0:0})", "class"),
    "internal": ("internal ${0:name}", "class"),
    "external": ("external ${0:name}", "class"),
    "default": ("default ${1:name} = ${0:0}", "class"),
    "node": ("node ${0:name}", "class"),
    "cut": ("cut ${1:A} (${2:v} / ${0:i})", "class"),
    "main cut": ("main cut ${1:A} (${2:v} / ${0:i})", "class"),
    "path": ("path ${1:p} <${2:A} - ${0:B}>", "class"),
    "main path": ("main path ${1:p} <${2:A} - ${0:B}>", "class"),
    "connect": ("connect ${1:a} to ${0:b}", "class"),
    "close": ("close ${1:X} at ${0:Y}", "class"),
    "experiment": ("experiment (stop=${1:1}, plot=[${0:x}])", "class"),
    "initial": ("initial ${1:x} = ${0:0}", "class"),
    "when": ("when ${1:condition} then\n  $0\nendwhen", "class"),
    "elsewhen": ("elsewhen ${1:condition} then\n  $0", "class"),
    "if": ("if ${1:condition} then\n  $0\nendif", "class"),
    "elseif": ("elseif ${1:condition} then\n  $0", "class"),
    "else": ("else\n  $0", "class"),
    "for": ("for ${1:i} = 1 to ${2:N}\n  $0\nendfor", "class"),
    "assert": ('assert(${1:condition}, "${0:text}")', "class"),
    "terminate": ('terminate(${1:condition}, "${0:text}")', "class"),
    "end": ("end", "class"),
    "endif": ("endif", "class"),
    "endwhen": ("endwhen", "class"),
    "endfor": ("endfor", "class"),
}
"""Statements as a snippet with places to fill in, and where they can stand."""

SMALL_WORDS = ("time", "pi", "true", "false", "if", "then", "else", "and", "or", "not")
"""Words in expressions."""

ATTRIBUTE_WORDS = {name: WORDS[name][0].removeprefix("An attribute: ") for name in KNOWN}

EXPERIMENT_WORDS = {
    name: help_of(SimulateOptions, name)
    if name in ("stop", "interval", "tolerance")
    else "time at which the run starts"
    for name in NUMBERS
} | {"plot": "variables that `acausal simulate --plot` shows by default, as in plot=[r1.q, m.i]"}
EXPERIMENT_WORDS["steady"] = "true: runs start where nothing changes"
"""Items of `experiment` with their meaning."""
