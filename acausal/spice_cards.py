"""Parameters from the `.model` lines of SPICE.

    .model Q2N2222 NPN(IS=1.8E-14 BF=400       ->   ModelCard("Q2N2222", "npn", {"IS": 1.8e-14, "BF": 400.0,
    + CJE=13p TF=640p)  * fast                                                   "CJE": 13e-12, "TF": 640e-12})

Only data are read: no netlist, no expression. Form and scale factors: T. Quarles et al., SPICE3 User's Manual,
sections 2.2 and 2.3. The classes are those of semiconductors.lib.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from acausal.base.diagnostics import Diagnostic, Label, ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.source import SourceFile, Span

_JUNCTIONS = "TNOM EG XTI FC"
_BIPOLAR = """IS BF NF VAF IKF ISE NE BR NR VAR IKR ISC NC RB RBM RE RC CJE VJE MJE TF XTF VTF ITF CJC VJC MJC XCJC TR
XTB"""
_JFET = "VTO BETA LAMBDA RD RS CGS CGD PB IS N"
_MOS = "VTO KP GAMMA PHI LAMBDA RD RS CBD CBS IS PB CGSO CGDO CGBO CJ MJ CJSW MJSW JS TOX LD UO TNOM FC"
_DIODE = f"IS RS N TT CJO VJ M {_JUNCTIONS}"
PARAMETERS: Mapping[str, frozenset[str]] = {
    name: frozenset(names.split())
    for name, names in {
        "diode": _DIODE,
        "zener": f"{_DIODE} BV IBV NBV",
        **dict.fromkeys(("npn", "pnp"), f"{_BIPOLAR} {_JUNCTIONS}"),
        **dict.fromkeys(("njf", "pjf"), f"{_JFET} TNOM EG FC"),
        **dict.fromkeys(("nmos", "pmos"), _MOS),
    }.items()
}
"""The parameters of each class that a card may give."""

CLASS_OF: Mapping[str, str] = {
    "D": "diode",
    "NPN": "npn",
    "PNP": "pnp",
    "NJF": "njf",
    "PJF": "pjf",
    "NMOS": "nmos",
    "PMOS": "pmos",
}
"""The class of each type of card."""
OTHER_NAMES = {"CJ0": "CJO", "CJ": "CJO", "VA": "VAF", "VB": "VAR", "IK": "IKF", "PE": "VJE", "PC": "VJC", "ME": "MJE"}
OTHER_NAMES |= {"MC": "MJC", "T_MEASURED": "TNOM"}
"""Names of parameters besides those of the classes."""
_MIL = 25.4e-6
_EXPONENT = {"T": 12, "G": 9, "MEG": 6, "K": 3, "M": -3, "U": -6, "N": -9, "P": -12, "F": -15}
NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(T|G|MEG|K|MIL|M|U|N|P|F)?[A-Z]*", re.IGNORECASE)
"""A number with its suffix; letters after it are a unit."""
_CARD = re.compile(r"\.model\s+(?P<name>\S+?)\s+(?P<type>[A-Za-z]\w*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ITEM = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>[^\s(),=]+)")
_BETWEEN = re.compile(r"[\s(),]*")


@dataclass(frozen=True, slots=True)
class ModelCard:
    """One card: the class of semiconductors.lib, its parameters, and what the card gives besides.

    `others` are parameters that the class does not have (noise, limits, effects that it does not model),
    with their values; they change nothing unless you use them.
    """

    name: str
    class_name: str
    parameters: Mapping[str, float]
    others: Mapping[str, float]

    @property
    def arguments(self) -> str:
        """For the text of a model: `submodel (npn) Q1(IS=1.8e-14, BF=400.0)` has these between its brackets."""
        return ", ".join([f"{name}={value!r}" for name, value in self.parameters.items()])

    def of(self, submodel: str) -> dict[str, float]:
        """For `simulate(parameters=...)`: {"Q1.IS": 1.8e-14, ...}."""
        return {f"{submodel}.{name}": value for name, value in self.parameters.items()}


def read_model_cards(text: str, name: str = "model cards") -> dict[str, ModelCard]:
    """The cards of a text by name; other lines (a netlist, comments) are passed over.

    A card of a type or level that semiconductors.lib has not, or a value that is no number, is a
    ModelError F013 with its place; `name` is what the text is called there.
    """
    if not isinstance(text, str):
        raise UsageError(
            Diagnostic("F006", f"the cards must be a string, not {type(text).__name__}", help="pass file.read()")
        )
    file = SourceFile(name, text)
    cards = [_card(line) for line in statements(file) if line.text.lower().startswith(".model")]
    return {card.name: card for card in cards}


@dataclass(frozen=True, slots=True)
class Statement:
    """A line with its continuations, comments blanked; `places` holds where each character stands in the file."""

    file: SourceFile
    text: str
    places: tuple[int, ...]
    included: bool = False

    def span(self, start: int, end: int) -> Span:
        """The place of some of its characters."""
        return Span(self.file, self.places[start], self.places[end - 1] + 1)

    def fault(self, message: str, start: int, end: int, help_: str) -> ModelError:
        """F013 at some of its characters."""
        return ModelError(Diagnostic("F013", message, Label(self.span(start, end)), help=help_))


def statements(file: SourceFile) -> Iterator[Statement]:
    """All statements of a text but comments."""
    text: list[str] = []
    places: list[int] = []
    offset = 0
    for line in [*file.text.splitlines(keepends=True), "."]:
        plain = re.split(r";|(?:^|(?<=\s))\$", line.rstrip("\r\n"), maxsplit=1)[0]
        begin = len(plain) - len(plain.lstrip())
        plain = plain.strip()
        if plain.startswith("+"):
            text.append(" " + plain[1:])
            places += range(offset + begin, offset + begin + len(plain))
        elif plain and not plain.startswith("*"):
            if text:
                yield Statement(file, "".join(text), tuple(places))
            text, places = [plain], list(range(offset + begin, offset + begin + len(plain)))
        offset += len(line)


def _card(statement: Statement) -> ModelCard:
    whole = _CARD.fullmatch(statement.text)
    if whole is None:
        message = "this is not .model NAME TYPE(PARAMETER=VALUE ...)"
        raise statement.fault(message, 0, len(statement.text), "as in .model D1N4148 D(IS=2.5n N=1.7)")
    kind = whole["type"].upper()
    if kind not in CLASS_OF:
        known = ", ".join(CLASS_OF)
        message = f"no class exists for models of type {whole['type']}"
        raise statement.fault(message, *whole.span("type"), f"known types: {known}")
    values = dict(_values(statement, whole.start("rest")))
    if values.pop("LEVEL", 1.0) != 1.0:
        start, end = whole.span("rest")
        message = f"{whole['name']} has a level other than 1"
        raise statement.fault(message, start, end, "semiconductors.lib supports level 1 only")
    class_name = "zener" if kind == "D" and "BV" in values else CLASS_OF[kind]
    known_names = PARAMETERS[class_name]
    given: dict[str, float] = {}
    others: dict[str, float] = {}
    for name, value in values.items():
        usual = name if name in known_names else OTHER_NAMES.get(name, name)
        if usual in known_names:
            given[usual] = value
        else:
            others[name] = value
    return ModelCard(whole["name"], class_name, given, others)


def _values(statement: Statement, start: int) -> Iterator[tuple[str, float]]:
    """Names and values up to the end of the card."""
    help_ = "values are numbers, optionally with a suffix T G MEG K M U N P F: CJE=13p"
    position = _end(_BETWEEN, statement.text, start)
    while position < len(statement.text):
        item = _ITEM.match(statement.text, position)
        if item is None:
            rest = re.compile(r"\S+").match(statement.text, position)
            assert rest is not None, "blanks are skipped"
            raise statement.fault(f"{rest[0]} is not PARAMETER=VALUE", *rest.span(), help_)
        number = NUMBER.fullmatch(item["value"])
        if number is None:
            raise statement.fault(f"{item['value']} is not a number", *item.span("value"), help_)
        yield item["name"].upper(), scaled(number)
        position = _end(_BETWEEN, statement.text, item.end())


def scaled(number: re.Match[str]) -> float:
    """The value of a match of NUMBER: that of the decimal number, correctly rounded."""
    suffix = (number[2] or "").upper()
    if suffix == "MIL":
        return float(number[1]) * _MIL
    return float(Decimal(number[1]).scaleb(_EXPONENT.get(suffix, 0)))


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()
