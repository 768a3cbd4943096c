"""Netlist -> lines of model text."""

from acausal.imports.spice.classes import Classes, body_lines, functions, write_circuits
from acausal.imports.spice.netlist import Netlist
from acausal.imports.spice.scope import GROUND, Scope
from acausal.imports.spice.tokens import Token
from acausal.imports.spice.values import plain_value
from acausal.imports.text.identifiers import Identifiers
from acausal.imports.text.lines import plain, wrapped
from acausal.imports.text.remarks import Remarks

_DEVICES = ("(diode", "(zener", "(npn", "(pnp", "(njf", "(pjf", "(nmos", "(pmos")


def write_netlist(netlist: Netlist, source: str, name: str, remarks: Remarks) -> list[str]:
    """All lines of the file."""
    from acausal.codes.functions import FUNCTIONS
    from acausal.reference.libraries import classes as library_classes
    from acausal.reference.libraries import libraries

    known = [function.name for library in libraries() for function in library.functions]
    classes = Classes(netlist, remarks, Identifiers([*library_classes(), *known, *FUNCTIONS]))
    own_functions = functions(classes)
    scope = write_circuits(classes)
    body = [*body_lines(scope), *_initial(scope), *_experiment(scope)]
    model = classes.names.unique(name, "_circuit")
    lines = [*own_functions, *classes.lines, "", f"model {model}", *[f"  {line}" for line in body], "end"]
    return [*_header(netlist, source, remarks), *_includes(lines), *lines]


def _header(netlist: Netlist, source: str, remarks: Remarks) -> list[str]:
    lines = [
        f"{{ {plain(netlist.title) or 'Circuit'}",
        "",
        f"  Made from {plain(source)} by acausal import. A voltage source stands between minus and plus pole: its",
        "  current counts from minus to plus through it, against that of SPICE. Devices are those of",
        "  semiconductors.lib, at 27 degC unless the netlist says otherwise.",
    ]
    left_out = remarks.lines()
    if left_out:
        lines += ["", "  Not translated:", *[f"    {line}" for line in left_out]]
    lines[-1] += " }"
    return [*lines, ""]


def _includes(lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    found = []
    if any(part in text for part in _DEVICES):
        found.append("@semiconductors.lib")
    if "(idealswitch)" in text:
        found.append("@switches.lib")
    return [*(found or ["@electrical.lib"]), ""]


def _initial(scope: Scope) -> list[str]:
    """`.ic` as equations of the first instant; with UIC capacitors have their initial values."""
    netlist = scope.netlist
    if netlist.transient is not None and netlist.transient.uic:
        return []
    return [
        f"initial {scope.potential(low, node)} = {plain_value(value, scope)}"
        for low, (node, value) in netlist.initial.items()
        if low not in GROUND
    ]


def _experiment(scope: Scope) -> list[str]:
    """`.tran` as defaults of a run; without UIC it begins in the operating point."""
    transient = scope.netlist.transient
    items = []
    if transient is not None:
        items += [f"stop={scope.value(transient.stop)}", f"interval={scope.value(transient.step)}"]
    if transient is None or not transient.uic:
        items.append("steady=true")
    plotted = _plotted(scope)
    if plotted:
        items.append(f"plot=[{', '.join(plotted)}]")
    return wrapped(f"experiment ({', '.join(items)})")


def _plotted(scope: Scope) -> list[str]:
    """Variables of `.print`, `.plot`, `.probe` and `.save`: V(node) and I(element)."""
    found: dict[str, None] = {}
    tokens = [token for token in scope.netlist.plotted if token.text != ","]
    for k, token in enumerate(tokens[:-3]):
        if token.low in ("v", "i") and tokens[k + 1].text == "(" and tokens[k + 3].text == ")":
            found |= dict.fromkeys(_variable(scope, token.low, tokens[k + 2]))
    return list(found)


def _variable(scope: Scope, kind: str, token: Token) -> list[str]:
    if kind == "v":
        return [] if token.low in GROUND or token.low not in scope.potentials else [scope.potentials[token.low]]
    return [scope.currents[token.low].lstrip("-")] if token.low in scope.currents else []
