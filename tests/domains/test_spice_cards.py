"""Model cards of SPICE: their form, their mistakes, and that every parameter is one of its class."""

from pathlib import Path

import pytest

import acausal
from acausal.spice_cards import PARAMETERS

CARDS = """* two transistors and a diode, as in the libraries of makers
R1 1 2 3k
.model Q2N2222 NPN(IS=14.34f XTI=3 EG=1.11 VAF=74.03 BF = 255.9 ; fast
* a comment between
+ NE=1.307, ISE=14.34F IKF=.2847 CJC=7.306pF TF=411.1p KF=1e-16)
.MODEL dz d (IS=1E-14 bv=5.1V ibv=5ma CJ0=2MEGF VJ=1mil)
.model mn nmos level=1 vto=-0.7 KP=2.0E-5 LD=0.1u $ end
.end
"""


def test_cards_are_read() -> None:
    cards = acausal.read_model_cards(CARDS)
    assert list(cards) == ["Q2N2222", "dz", "mn"]
    assert [c.class_name for c in cards.values()] == ["npn", "zener", "nmos"]
    assert dict(cards["Q2N2222"].parameters) == pytest.approx(
        {"IS": 14.34e-15, "XTI": 3, "EG": 1.11, "VAF": 74.03, "BF": 255.9, "NE": 1.307, "ISE": 14.34e-15}
        | {"IKF": 0.2847, "CJC": 7.306e-12, "TF": 411.1e-12}
    )
    assert dict(cards["Q2N2222"].others) == {"KF": 1e-16}
    assert dict(cards["dz"].parameters) == pytest.approx(
        {"IS": 1e-14, "BV": 5.1, "IBV": 5e-3, "CJO": 2e6, "VJ": 25.4e-6}
    )
    assert dict(cards["mn"].parameters) == pytest.approx({"VTO": -0.7, "KP": 2e-5, "LD": 1e-7})
    assert cards["mn"].arguments == "VTO=-0.7, KP=2e-05, LD=1e-07"


@pytest.mark.parametrize(
    ("card", "place"),
    [
        (".model x r(1)", "r"),
        (".model x npn(IS=abc)", "abc"),
        (".model x npn(IS=1e-14 BF)", "BF)"),
        (".model x npn(IS=1e-14\n\n* no\n + BF=many)", "many"),
        (".model x nmos(level=3)", "(level=3)"),
        (".model x", ".model x"),
    ],
)
def test_mistakes_have_their_place(card: str, place: str) -> None:
    with pytest.raises(acausal.ModelError) as caught:
        acausal.read_model_cards(f"* title\n  {card}\n", "parts.lib")
    (told,) = caught.value.report.diagnostics
    assert told.code == "F013"
    assert told.primary is not None
    assert told.primary.span.text == place
    assert told.primary.span.file.name == "parts.lib"


@pytest.mark.parametrize("class_name", PARAMETERS)
def test_every_parameter_is_one_of_its_class(class_name: str, tmp_path: Path) -> None:
    """A card with all of them, once as arguments and once for a run."""
    kind = {"diode": "D", "zener": "D"}.get(class_name, class_name)
    names = sorted(PARAMETERS[class_name])
    given = {
        name: {"N": 1.1, "TNOM": 27, "FC": 0.4, "EG": 1.1, "XCJC": 0.9, "BV": 5, "IS": 1e-9}.get(name, 0.3)
        for name in names
    }
    text = f".model A {kind}({' '.join(f'{name}={value}' for name, value in given.items())})"
    card = acausal.read_model_cards(text)["A"]
    assert dict(card.parameters) == given
    pins = "(n, G)" if kind == "D" else "(n, n, G, G)" if class_name in ("nmos", "pmos") else "(n, n, G)"
    model = f"@semiconductors.lib\nmodel M\nsubmodel ({class_name}) A{{}}\nsubmodel (ground) G\nnode n\n"
    model += f"submodel (source) U(V=0)\nconnect U at (G, n), A at {pins}\nend\n"
    file = tmp_path / "m.mdl"
    file.write_text(model.format(f"({card.arguments})"))
    inside = acausal.translate(file)
    assert inside.report.errors == ()
    file.write_text(model.format(""))
    translation = acausal.translate(file)
    known = {".".join(s.name): s for s in translation.program.parameter_slots}
    assert set(card.of("A")) <= set(known)
