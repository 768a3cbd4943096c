"""Programs as text and back."""

from math import inf, nan
from pathlib import Path

import pytest

from acausal.base.files.file_dependencies import recording
from acausal.base.source import SourceFile, Span
from acausal.cache.codec import Codec
from acausal.ir.names import Name
from acausal.ir.origin import How, Origin
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot
from acausal.translation import Translation
from tests.collection import ROOT, Source

EXAMPLES = ("pendulum", "h_bridge", "power_supply")
EVENTS = """model Events
  parameter k=2
  local x (start=1, fixed=true), y, z
  discrete n
  der(x) = -k*x
  y^3 + y = delay(x, 0.1)
  when x < 0.5 then
    new(n) = n + 1
    init(x) = 1
  endwhen
  z = if time > 1 then sin(time) else floor(3*time)
  assert(x < 2, "too far")
  terminate(time > 2, "done")
end
"""


def models() -> list[Source]:
    files = [ROOT / "examples" / f"{name}.mdl" for name in EXAMPLES]
    found = [Source(f.stem, {f.name: f.read_text(encoding="utf-8")}, {}) for f in files]
    return [*found, Source("events", {"events.mdl": EVENTS}, {})]


def through_text(translation: Translation, files: list[SourceFile]) -> Program:
    text = Codec(files).pack(Program, translation.program)
    again: Program = Codec(files).unpack(Program, text)
    assert Codec(files).pack(Program, again) == text
    return again


@pytest.mark.parametrize("model", models(), ids=lambda model: model.name)
def test_a_program_comes_back_as_it_was(model: Source, tmp_path: Path) -> None:
    with recording() as reads:
        translation = model.translate(tmp_path)
    program = translation.program
    file = next(s.origin.span.file for s in program.state_slots if s.origin)
    files = [SourceFile(path, file.text if path == file.name else "") for path in reads.contents]
    again = through_text(translation, files)
    assert repr(again) == repr(program)


def test_numbers_that_json_does_not_know() -> None:
    slots = (VariableSlot((("x", 3, "y"), 1), "constant", value=nan), VariableSlot((("x",), 0), "constant", value=-inf))
    text = Codec([]).pack(tuple[VariableSlot, ...], slots)  # type: ignore[arg-type]  # an annotation
    again = Codec([]).unpack(tuple[VariableSlot, ...], text)  # type: ignore[arg-type]  # an annotation
    assert repr(again) == repr(slots)
    assert [type(s.sign) for s in again] == [float, float]


def test_origins_are_shared_and_may_be_deep() -> None:
    file = SourceFile("m.mdl", "model M\nend\n")
    origin = Origin(Span(file, 0, 5), ("a", 1))
    for _ in range(5_000):
        origin = Origin(origin.span, origin.path, How.ALIAS, (origin, origin))
    text = Codec([file]).pack(Origin, origin)
    again = Codec([file]).unpack(Origin, text)
    depth = 0
    while again.of:
        assert again.of[0] is again.of[1]
        assert (again.how, again.path, again.span) == (How.ALIAS, ("a", 1), origin.span)
        again, depth = again.of[0], depth + 1
    assert depth == 5_000


def test_a_place_in_an_unknown_file_cannot_be_kept() -> None:
    with pytest.raises(KeyError):
        Codec([]).pack(Span, Span(SourceFile("m.mdl", ""), 0, 0))


def test_a_type_without_form_is_told() -> None:
    with pytest.raises(TypeError, match="has no form"):
        Codec([]).pack(set[Name], set())
