"""What the features answer, for the text of a small circuit and what is being typed into it."""

from pathlib import Path

import pytest

from acausal.editor.checks.analysis import Analyzer, Snapshot
from acausal.editor.features.completion import complete
from acausal.editor.features.folding import folds
from acausal.editor.features.hints import hints
from acausal.editor.features.hover import hover
from acausal.editor.features.lenses import lenses
from acausal.editor.features.links import links
from acausal.editor.features.navigate import RenameError, definition, highlights, references, rename, type_definition
from acausal.editor.features.problems import checked_problems, syntax_problems
from acausal.editor.features.semantic import TYPES, semantic_tokens
from acausal.editor.features.signature import signature
from acausal.editor.features.symbols import symbols
from acausal.editor.text.findings import Findings, findings_of
from acausal.editor.text.positions import Positions
from acausal.editor.text.project import Project
from tests.collection import ROOT
from tests.editor.cursor import CIRCUIT, opened, typed


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """What a check of the circuit finds."""
    folder = tmp_path_factory.mktemp("circuit")
    path = folder / "a.mdl"
    texts = {str(path.resolve()): CIRCUIT}
    return findings_of(Analyzer().check(Snapshot(str(path), CIRCUIT, texts)), texts)


def circuit(found: Findings) -> Path:
    """The folder of the checked circuit."""
    (path,) = found.texts
    return Path(path).parent


@pytest.mark.parametrize(
    ("typing", "wanted", "unwanted"),
    [
        ("  u = C1.Va\n=>  u = C1.|\n", ["i", "Va"], ["u", "R1", "sin"]),
        ("  u = C1.Va\n=>  u = R1.|", ["R", "i"], ["u"]),  # `local u` of a library class is not visible
        ("  u = C1.Va\n=>  |", ["submodel", "connect", "u", "end"], ["model"]),
        ("(R=R)=>(|", ["R", "ic"], ["C"]),
        ("(ic u=0)=>(ic |", ["u", "i"], ["C"]),
        ("submodel (resistor) R1=>submodel (|", ["resistor", "capacitor", "LowPass"], ["Main", "R1"]),
        ("  connect A - R1 - C1 - g\n=>  connect A - |\n", ["R1", "C1", "g", "A"], ["u", "R"]),
        ("U0:B at=>U0:|", ["A", "B"], ["g"]),
        ("y = twice(filter.R1.Va)=>y = twice(filter.|", ["Va", "R1", "R"], ["u"]),
        ("y = twice(filter.R1.Va)=>y = tw|", ["twice", "sin", "y", "filter"], ["R1"]),
        ("(stop=0.1, plot=[y])=>(|", ["stop", "plot", "tolerance"], ["y"]),
        ('"Ohm"=>"|"', ["Ohm", "V"], ["R"]),
        ("C (unit=>C (|", ["start", "unit", "min"], ["R"]),
        ("@electrical.lib=>@|", ["electrical.lib", "rotational.lib"], ["resistor"]),
        ("{ Low pass: a=>{ Low |", [], ["resistor", "u"]),
        ("model Main\n=>|\n", ["model", "model class", "function"], ["connect"]),
        ("model class LowPass=>model class (|) LowPass", ["resistor", "twopin"], ["Main"]),
    ],
)
def test_completion(typing: str, wanted: list[str], unwanted: list[str], tmp_path: Path) -> None:
    project, document, offset = typed(typing, tmp_path)
    labels = [item.label for item in complete(document, project.names(document), offset).items]
    assert [name for name in wanted if name not in labels] == []
    assert [name for name in unwanted if name in labels] == []
    assert len(labels) == len(set(labels))


def test_completion_of_arguments_says_what_they_are(tmp_path: Path) -> None:
    project, document, offset = typed("filter(R=100)=>filter(R=100, |)", tmp_path)
    (item,) = [i for i in complete(document, project.names(document), offset).items if i.kind == "parameter"]
    assert (item.label, item.text, item.detail) == ("C", "C=", " (F) = 1e-6")


def test_completion_keeps_the_word_that_is_written(tmp_path: Path) -> None:
    project, document, offset = typed("  u = C1.Va\n=>  u = C1.va|lue\n", tmp_path)
    made = complete(document, project.names(document), offset)
    assert document.text[made.start : made.end] == "va"


@pytest.mark.parametrize(
    ("marked", "text", "file"),
    [
        ("u = C1.|Va", "Va / i", "electrical.lib"),
        ("u = C|1.Va", "C1(C=C)", "a.mdl"),
        ("submodel (Low|Pass)", "LowPass\n", "a.mdl"),
        ("twi|ce(filter", "twice(x) =", "a.mdl"),
        ("filter(|R=100)", 'R (unit="Ohm") = 1000', "a.mdl"),
        ("(ic |u=0)", "u", "electrical.lib"),
        ("U0:|B at", "B (Vb", "electrical.lib"),
        ("at filter:|A", "A (Va / ia)", "a.mdl"),
        ("plot=[|y]", "y\n", "a.mdl"),
        ("twice(x) = 2*|x", "x) = 2", "a.mdl"),
        ("@elec|trical.lib", "{", "electrical.lib"),
    ],
)
def test_definition(marked: str, text: str, file: str, tmp_path: Path) -> None:
    plain = marked.replace("|", "")
    assert CIRCUIT.count(plain) == 1
    project, document, offset = opened(CIRCUIT.replace(plain, marked), tmp_path)
    place = definition(project, document, offset)
    assert place is not None
    there = project.document(place.path)
    assert there is not None
    assert place.path.name == file
    assert there.text[place.start :].startswith(text)


def test_type_definition(tmp_path: Path) -> None:
    project, document, offset = opened(CIRCUIT.replace("filter.R1.Va", "fil|ter.R1.u"), tmp_path)
    place = type_definition(project, document, offset)
    assert place is not None
    assert document.text[place.start : place.end] == "LowPass"


def test_names_of_local_classes_prefixes_and_class_parameters(tmp_path: Path) -> None:
    text = """@electrical.lib as el
model class Drive <Motor = el.resistor>
  model class Inner
    local z
    z = 1
  end
  submodel (Motor) m
  submodel (Inner) i[2]
  for k = 1 to 2
    assert(i[k].z > k, "z")
  endfor
end
"""
    project, document, _ = opened(text, tmp_path)
    meant = {}
    for mention in document.mentions():
        target = project.target(document, (document.place(mention.span) or (0, 0))[0])
        meant[mention.name, mention.span.start] = None if target is None else target[1].kind
    kinds = {name: kind for (name, _), kind in meant.items()}
    assert kinds["el"] == "prefix"
    assert (kinds["Motor"], kinds["Inner"], kinds["k"], kinds["z"]) == (
        "class parameter",
        "class",
        "local name",
        "variable",
    )
    assert None not in meant.values()


def test_references_and_rename_across_includes(tmp_path: Path) -> None:
    """A class and a parameter of a library, used by two models, one of them not open; strings and comments stay."""
    (tmp_path / "mine.lib").write_text('model class Tank\n  parameter area=1 "area"\n  terminal h\n  h = area\nend\n')
    (tmp_path / "other.mdl").write_text(
        "@mine.lib\nmodel O\n  submodel (Tank) t(area=2)\n  local a\n  a = t.area\nend\n"
    )
    main = "@mine.lib\n{ area }\nmodel M\n  submodel (Tank) t(ar|ea=3)\n  parameter area=5\n"
    main += "  local b\n  b = t.area + area\nend\n"
    project, document, offset = opened(main, tmp_path, "main.mdl")
    project.folders = (tmp_path,)
    found = [
        (use.location.path.name, use.location.start, use.declares) for use in references(project, document, offset)
    ]
    library = (tmp_path / "mine.lib").read_text()
    other = (tmp_path / "other.mdl").read_text()
    assert sorted(found) == sorted(
        [
            ("main.mdl", document.text.index("area=3"), False),
            ("main.mdl", document.text.index("t.area") + 2, False),
            ("mine.lib", library.index("area=1"), True),
            ("mine.lib", library.index("h = area") + 4, False),
            ("other.mdl", other.index("area=2"), False),
            ("other.mdl", other.index("t.area") + 2, False),
        ]
    )
    places = rename(project, document, offset, "surface")
    assert {(p.path.name, p.start) for p in places} == {(name, start) for name, start, _ in found}


@pytest.mark.parametrize(
    ("marked", "new", "why"),
    [
        ("filter(|R=100)", "C", "already"),
        ("filter(|R=100)", "connect", "reserved"),
        ("filter(|R=100)", "2R", "not a name"),
        ("submodel (res|istor) R1", "r", "standard library"),
        ("U0(|amplitude", "a", "standard library"),
        ("|connect A", "c", "no declared name"),
    ],
)
def test_a_name_that_cannot_be_changed(marked: str, new: str, why: str, tmp_path: Path) -> None:
    plain = marked.replace("|", "")
    project, document, offset = opened(CIRCUIT.replace(plain, marked, 1), tmp_path)
    with pytest.raises(RenameError, match=why):
        rename(project, document, offset, new)


def test_highlights(tmp_path: Path) -> None:
    project, document, offset = opened(CIRCUIT.replace("R1(R=R)", "R1(R=|R)"), tmp_path)
    places = [(u.location.start, u.declares) for u in highlights(project, document, offset)]
    uses = ["R (unit", "R=R)", "R=100"]
    starts = [document.text.index(t) for t in uses]
    starts[1] += 2
    assert sorted(places) == sorted(zip(starts, [True, False, False], strict=True))


def test_an_open_library_goes_before_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.lib").write_text("model class Old\n  local x\n  x = 1\nend\n")
    project, document, _ = opened("@mine.lib\nmodel M\n  submodel (New) n\n  submodel (Old) o\nend\n", tmp_path)
    offsets = document.text.index("New") + 1, document.text.index("Old") + 1
    assert [project.target(document, offset) is None for offset in offsets] == [True, False]
    project.put(tmp_path / "mine.lib", "model class New\n  local x\n  x = 1\nend\n")
    assert [project.target(document, offset) is None for offset in offsets] == [False, True]
    project.put(tmp_path / "mine.lib", "model class New\n  local x\n  x = \nend\n")
    assert project.target(document, offsets[0]) is not None  # the last good tree serves
    project.close(tmp_path / "mine.lib")
    assert [project.target(document, offset) is None for offset in offsets] == [True, False]


def test_outline_folds_links_and_lenses(tmp_path: Path, found: Findings) -> None:
    project, document, _ = opened(CIRCUIT, circuit(found))
    outline = symbols(document)
    assert [(s.name, s.kind) for s in outline] == [("LowPass", "class"), ("twice", "function"), ("Main", "model")]
    assert [s.name for s in outline[0].children] == ["R", "C", "R1", "C1", "g", "A", "u"]
    lines = [(fold.first, fold.last, fold.kind) for fold in folds(document, Positions(document.text))]
    assert lines == [(3, 11, "region"), (16, 23, "region")]
    (link,) = links(document, project.names(document))
    assert (document.text[slice(*link.range)], link.path) == ("electrical.lib", ROOT / "stdlib" / "electrical.lib")
    made = [(lens.kind, lens.text) for lens in lenses(document, [found])]
    assert made[:2] == [("uses", "LowPass"), ("simulate", "Main")]
    assert made[2][0] == "text"
    assert made[2][1].endswith("equations, 1 state")


def test_folds_of_what_is_not_finished(tmp_path: Path) -> None:
    text = "@a.lib\n@b.lib\nmodel M\n  if x then\n    y = 1\n  else\n    y = 2\n  endif\n{ long\n  comment }\n"
    _, document, _ = opened(text, tmp_path)
    lines = [(fold.first, fold.last, fold.kind) for fold in folds(document, Positions(document.text))]
    assert lines == [(0, 1, "imports"), (3, 4, "region"), (5, 6, "region"), (8, 9, "comment")]


@pytest.mark.parametrize(
    ("typing", "label", "active"),
    [
        ("filter(R=100)=>filter(|", "LowPass(R=1000, C=1e-6)", "R=1000"),
        ("filter(R=100)=>filter(R=1, |", "LowPass(R=1000, C=1e-6)", "C=1e-6"),
        ("filter(R=100)=>filter(C=1e-9, R=|", "LowPass(R=1000, C=1e-6)", "R=1000"),
        ("twice(filter.R1.Va)=>twice(fil|", "twice(x)", "x"),
    ],
)
def test_signatures(typing: str, label: str, active: str, tmp_path: Path) -> None:
    project, document, offset = typed(typing, tmp_path)
    made = signature(document, project.names(document), offset)
    assert made is not None
    assert made.label == label
    assert made.active is not None
    start, end, _ = made.parameters[made.active]
    assert made.label[start:end] == active


def test_signature_of_a_function_of_the_language(tmp_path: Path) -> None:
    project, document, offset = typed("twice(filter.R1.Va)=>atan2(|", tmp_path)
    made = signature(document, project.names(document), offset)
    assert made is not None
    assert made.label == "phi = atan2(y, x)"


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        ("submodel (Low|Pass)", ["model class LowPass", "Low pass: a resistor", "| R | Ohm | 1000 | resistance |"]),
        ("submodel (res|istor) R1", ["model class (twopin) resistor", "| R | Ohm |"]),
        ("submodel (capacitor) C|1", ["submodel (capacitor) C1", "model class (twopin) capacitor", "cut A (Va / i)"]),
        ("filter(|R=100)", ['parameter R (unit="Ohm") = 1000', "resistance", "`filter.R` = 100 Ohm"]),
        ("  local |u", ["local u", "`filter.u` V"]),
        ("u = C1.|Va", ["variable of a cut Va", "inherited from twopin", "`filter.C1.Va` V"]),
        ("twi|ce(filter", ["function twice(x) = 2*x"]),
        ("|connect A", ["Connects submodels"]),
        ("exp|eriment", ["Defaults of a run"]),
        ("(|stop=0.1", ["end of the run"]),
        ("|unit=\"Ohm\"", ["the unit, checked"]),
    ],
)  # fmt: skip
def test_hover(marked: str, parts: list[str], found: Findings) -> None:
    plain = marked.replace("|", "", 1)
    project, document, offset = opened(CIRCUIT.replace(plain, marked, 1), circuit(found))
    made = hover(project, document, offset, [found])
    assert made is not None
    for part in parts:
        assert part in made.text


def test_hints(found: Findings) -> None:
    """Units of arguments as declared, of variables as the equations give them, and what equations are solved for."""
    project, document, _ = opened(CIRCUIT, circuit(found))
    made = hints(document, project.names(document), [found], (0, len(CIRCUIT)))
    shown = [(CIRCUIT[CIRCUIT.rfind("\n", 0, h.offset) + 1 : h.offset].strip(), h.label) for h in made]
    assert ("submodel (resistor) R1(R=R", " Ohm") in shown
    assert ("submodel (sinevoltage) U0(amplitude=1", " V") in shown
    assert ("submodel (LowPass) filter(R=100", " Ohm") in shown
    assert ("local u", " [V]") in shown
    assert ("y = twice(filter.R1.Va)", "  → y") in shown
    only = hints(document, project.names(document), [found], (CIRCUIT.index("model Main"), len(CIRCUIT)))
    assert [h for h in made if h.offset >= CIRCUIT.index("model Main")] == only


def test_what_equations_are_solved_for(tmp_path: Path) -> None:
    """x^2 + y^2 = L^2 is differentiated twice: known from the pendulum of Pantelides (1988)."""
    path = ROOT / "examples" / "pendulum.mdl"
    text = path.read_text(encoding="utf-8")
    texts = {str(path): text}
    known = findings_of(Analyzer().check(Snapshot(str(path), text, texts)), texts)
    project = Project()
    document = project.put(path, text)
    made = {
        text[text.rfind("\n", 0, h.offset) + 1 : h.offset].strip(): h
        for h in hints(document, project.names(document), [known], (0, len(text)))
    }
    assert made["x^2 + y^2 = L^2"].tooltip.count("solved for") == 3
    assert "differentiated 2 times" in made["x^2 + y^2 = L^2"].tooltip


def test_hints_move_with_the_text(found: Findings) -> None:
    project, document, _ = opened(CIRCUIT, circuit(found))
    later = project.put(document.path, f"{{ a new comment }}\n{CIRCUIT}")
    made = hints(later, project.names(later), [found], (0, len(later.text)))
    solved = [h for h in made if "y" in h.label and "→" in h.label]
    assert [later.text[: h.offset].endswith("y = twice(filter.R1.Va)") for h in solved] == [True]


def test_problems_have_places_and_corrections(tmp_path: Path) -> None:
    text = CIRCUIT.replace("y = twice(", "y = twize(")
    path = tmp_path / "a.mdl"
    texts = {str(path.resolve()): text}
    known = findings_of(Analyzer().check(Snapshot(str(path), text, texts)), texts)
    project = Project()
    document = project.put(path, f"\n\n{text}")
    (problem,) = [p for p in checked_problems(known, document, project) if p.severity == "error"]
    assert problem.code == "T004"
    assert document.text[problem.location.start : problem.location.end].startswith("twize(")
    broken = project.put(path, CIRCUIT.replace("u = C1.Va", "u == C1.u"))
    (wrong,) = syntax_problems(broken)
    assert broken.text[wrong.location.start : wrong.location.end] == "=="
    assert wrong.correction is not None
    assert [(broken.text[place.start : place.end], new) for place, new in wrong.correction.edits] == [("==", "=")]


def test_semantic_tokens(tmp_path: Path) -> None:
    """Decoded, they name each token; those of other pieces stay after a change."""
    project, document, _ = opened(CIRCUIT, tmp_path)

    def decoded(of: str, numbers: list[int]) -> dict[str, list[str]]:
        rows = of.split("\n")
        line = column = 0
        kinds: dict[str, list[str]] = {}
        for down, right, length, kind, _ in zip(*[iter(numbers)] * 5, strict=True):
            line, column = line + down, right if down else column + right
            kinds.setdefault(rows[line][column : column + length], []).append(TYPES[kind])
        return kinds

    kinds = decoded(document.text, semantic_tokens(document, project.names(document), "utf-16"))
    assert set(kinds["resistor"]) == {"class"}
    assert set(kinds["R"]) == {"parameter"}
    assert set(kinds["R1"]) == {"variable"}
    assert set(kinds["A"]) == {"property"}
    assert set(kinds["twice"]) == {"function"}
    assert (kinds["1e-6"], kinds["stop"], set(kinds["model"])) == (["number"], ["macro"], {"keyword"})
    later = project.put(document.path, CIRCUIT.replace("function twice", "\nfunction twice"))
    again = decoded(later.text, semantic_tokens(later, project.names(later), "utf-16"))
    assert again == kinds


def test_comprehensions_and_values_with_units(tmp_path: Path) -> None:
    """The variable of a comprehension is declared behind `for`; a value with a unit needs no hint."""
    text = "@electrical.lib\nmodel M\n  parameter N=2\n  local y[2]=[k*N for k = 1 to 2]\n"
    text += "  submodel (resistor) R[2](R=1 kOhm/k for k = 1 to 2), S(R=5 Ohm), T(R=5)\nend\n"
    project, document, _ = opened(text, tmp_path)
    uses = [[u.location.start for u in highlights(project, document, text.index(t) + 1)] for t in ("[k*N", "/k for")]
    first, second = text.index("[k*N"), text.index("/k for")
    assert uses == [[first + 1, text.index("k = 1")], [second + 1, text.index("k = 1", second)]]
    found = project.target(document, first + 3)
    assert found is not None
    assert found[1].kind == "parameter"
    made = hints(document, project.names(document), [], (0, len(text)))
    assert [text[: h.offset].rpartition("(")[2] for h in made] == ["R=1 kOhm/k for k = 1 to 2", "R=5"]
