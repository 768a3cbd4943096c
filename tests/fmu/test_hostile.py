"""Archives that are damaged or made to do harm: each is rejected at the line that names it, and nothing is unpacked."""

import io
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import acausal
import acausal.imports.fmu.archive as archive_module
from acausal.base.diagnostics import LimitError, ModelError
from acausal.base.options import Limits
from tests.fmu.archives import archive, binary_place, description

XML = "modelDescription.xml"
GOOD = {XML: description(2), binary_place(2): b"\x7fELF"}


def with_description(text: "str | bytes") -> bytes:
    """The ball with another model description."""
    return archive({**GOOD, XML: text})


def replaced(old: str, new: str, version: int = 2) -> bytes:
    """The ball with another part of its model description."""
    text = description(version)
    assert old in text
    return archive({XML: text.replace(old, new, 1), binary_place(version): b"\x7fELF"})


def with_entry(name: str, content: bytes = b"", mode: int = 0) -> bytes:
    """The ball with one more entry, whose name is written as it is."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        for other, text in GOOD.items():
            opened.writestr(other, text)
        about = zipfile.ZipInfo("X" * len(name))
        about.external_attr = mode << 16
        opened.writestr(about, content, zipfile.ZIP_DEFLATED)
    return target.getvalue().replace(b"X" * len(name), name.encode())


def twice(name: str) -> bytes:
    """The ball with two entries of one name."""
    return with_entry(name, b"other")


def packed_twice() -> bytes:
    """The ball with the same file twice."""
    return with_entry(XML, description(2).encode())


def with_wrong_checksum() -> bytes:
    """The model description is not what its checksum says."""
    data = bytearray(archive(GOOD))
    place = data.index(b"PK\x01\x02")
    data[place + 16 : place + 20] = struct.pack("<I", 12345)
    return bytes(data)


def encrypted() -> bytes:
    """The model description is marked as encrypted."""
    data = bytearray(archive(GOOD))
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1
    return bytes(data)


def bomb() -> bytes:
    """Zeros, a thousand times as long as in the archive."""
    return archive({**GOOD, "resources/zeros": bytes(2_000_000)})


def without_interfaces() -> bytes:
    """Neither Model Exchange nor Co-Simulation."""
    return with_description(description(2).replace("ModelExchange", "A").replace("CoSimulation", "B"))


def scheduled() -> bytes:
    """Another interface alone."""
    return with_description(description(2).replace("ModelExchange", "ScheduledExecution").replace("CoSimulation", "B"))


LAUGHS = '<!DOCTYPE lol [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x SYSTEM "file:///etc/passwd">'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

REJECTED: dict[str, tuple[Callable[[], bytes], str]] = {
    "compression bomb": (bomb, "compressed more than 200 times"),
    "path outside": (lambda: with_entry("resources/../../../evil.txt"), "leads outside"),
    "absolute path": (lambda: with_entry("/etc/cron.d/evil"), "absolute path"),
    "drive": (lambda: with_entry("C:/evil.txt"), "absolute path"),
    "backslashes": (lambda: with_entry("..\\evil.txt"), "invalid name"),
    "NUL in a name": (lambda: with_entry("resources/a\0b"), "invalid name"),
    "control character in a name": (lambda: with_entry("resources/a\x1b[2J"), "invalid name"),
    "symbolic link": (lambda: with_entry("resources/passwd", b"/etc/passwd", stat.S_IFLNK | 0o777), "link or a device"),
    "device": (lambda: with_entry("resources/zero", b"", stat.S_IFCHR | 0o666), "link or a device"),
    "two entries": (lambda: twice(XML), "two entries"),
    "two entries on some computers": (lambda: with_entry("MODELDESCRIPTION.xml"), "two entries"),
    "file and folder": (lambda: with_entry(f"{XML}/x"), "a file and a folder"),
    "many entries": (lambda: archive({**GOOD, **{f"r/{i}": "" for i in range(100)}}), "102 entries"),
    "truncated": (lambda: archive(GOOD)[:-40], "not a ZIP archive"),
    "empty file": (lambda: b"", "not a ZIP archive"),
    "wrong checksum": (with_wrong_checksum, "damaged"),
    "encrypted": (encrypted, "encrypted"),
    "no model description": (lambda: archive({binary_place(2): b""}), f"contains no {XML}"),
    "empty model description": (lambda: with_description(""), "no element found"),
    "not well-formed": (lambda: with_description(description(2)[:-40]), "invalid XML"),
    "not UTF-8": (
        lambda: with_description(b"<?xml version='1.0'?><fmiModelDescription modelName='\xff'/>"),
        "not UTF-8",
    ),
    "NUL in XML": (lambda: replaced("acausal's", "a\0b"), "NUL"),
    "billion laughs": (lambda: replaced(HEAD, HEAD + LAUGHS), "document type declarations"),
    "external entity": (lambda: replaced(HEAD, HEAD + OUTSIDE), "document type declarations"),
    "deep XML": (lambda: with_description("<a>" * 5000 + "</a>" * 5000), "nested more than"),
    "huge XML": (lambda: with_description(" " * 3_000_000), "compressed more than"),
    "other root": (lambda: with_description("<html/>"), "not <fmiModelDescription>"),
    "FMI 1": (lambda: replaced('fmiVersion="2.0"', 'fmiVersion="1.0"'), "is not supported"),
    "Scheduled Execution": (scheduled, "Scheduled Execution alone, which is not supported"),
    "no interface": (without_interfaces, "no Model Exchange and no Co-Simulation"),
    "other computers only": (
        lambda: archive({XML: description(2), "binaries/win64/ball.dll": b""}),
        "no binary for this",
    ),
    "path in the name of the binary": (lambda: replaced('"ball"', '"../ball"'), "is not a name"),
    "names that collide": (lambda: replaced('name="kick"', 'name="e."'), "cannot both be called e"),
    "variable declared twice": (lambda: replaced('name="kick"', 'name="fault"'), "declared twice"),
    "derivative of itself": (lambda: replaced('derivative="1"', 'derivative="2"'), "derivative of itself"),
    "derivative of nothing": (lambda: replaced('derivative="3"', 'derivative="99"'), "not the derivative"),
    "unknown dependency": (lambda: replaced('dependencies="3"', 'dependencies="3 77"'), "unknown variable"),
    "unknown output": (lambda: replaced('index="9"', 'index="900"'), "not a variable of the FMU"),
    "unit of nonsense": (lambda: replaced('m="1" s="-1"', 'm="1e999" s="-1"'), "not an exponent"),
    "factor 0": (lambda: replaced('factor="0.277777777777777778"', 'factor="0"'), "is 0"),
    "start value of no number": (lambda: replaced('start="0.7"', 'start="1e"'), "not a start value"),
    "start value too large": (lambda: replaced('start="0.7"', 'start="1e999"'), "not a start value"),
    "integer of 0.5": (lambda: replaced('<Integer start="0"/>', '<Integer start="0.5"/>'), "not a start value"),
    "huge value reference": (
        lambda: replaced('valueReference="12"', 'valueReference="99999999999"'),
        "not a number from 0",
    ),
    "huge array": (
        lambda: replaced('start="0.7"/>', 'start="0.7"><Dimension start="1000000000"/></Float64>', 3),
        "elements",
    ),
    "unknown type": (lambda: replaced("<Integer />", "<Quaternion />"), "is not a type"),
    "unknown causality": (lambda: replaced('causality="input"', 'causality="door"'), "is not valid"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected_where_it_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, message = REJECTED[name]
    (tmp_path / "hostile.fmu").write_bytes(make())
    monkeypatch.setattr(archive_module, "MOST_ENTRIES", 100)
    before = sorted(tmp_path.parent.iterdir())
    with pytest.raises(ModelError) as found:
        acausal.translate(
            tmp_path / "m.mdl", text='model M\n  submodel (fmu "hostile.fmu") x\n  x.f = 0\nend', cache=False
        )
    (told,) = found.value.report.diagnostics
    assert told.code in ("F050", "L020", "L002")
    assert isinstance(found.value, LimitError) == (told.code != "F050")
    assert told.primary is not None and told.primary.span.text == 'fmu "hostile.fmu"'
    assert told.help
    assert message in told.message, told.message
    assert sorted(tmp_path.parent.iterdir()) == before
    assert [p.name for p in tmp_path.iterdir()] == ["hostile.fmu"]


def test_unpacked_size_is_limited(tmp_path: Path) -> None:
    (tmp_path / "big.fmu").write_bytes(archive(GOOD))
    with pytest.raises(LimitError, match="fmu_size"):
        acausal.translate(
            tmp_path / "m.mdl",
            text='model M\n  submodel (fmu "big.fmu") x\nend',
            limits=Limits(fmu_size=2000),
            cache=False,
        )


@pytest.mark.parametrize("name", ["", ".", "..", "nothing.fmu", "/dev/zero", "\0"])
def test_what_is_no_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as found:
        acausal.translate(tmp_path / "m.mdl", text=f'model M\n  submodel (fmu "{name}") x\nend', cache=False)
    assert found.value.report.diagnostics[0].code in ("F050", "P005", "F002", "P001", "P003")


def test_a_file_that_is_packed_twice_is_one_file() -> None:
    """As in FMUs that CMake packs (Reference-FMUs, Roberts)."""
    assert archive_module.checked_archive(packed_twice(), 10_000_000).files.count(XML) == 1
