"""Texts with `|` where the cursor is."""

from pathlib import Path

from acausal.editor.text.document import Document
from acausal.editor.text.project import Project

CIRCUIT = """@electrical.lib

{ Low pass: a resistor and a capacitor. }
model class LowPass
  parameter R (unit="Ohm") = 1000 "resistance", C (unit="F") = 1e-6
  submodel (resistor) R1(R=R)
  submodel (capacitor) C1(C=C) (ic u=0)
  submodel (ground) g
  cut A (Va / ia)
  local u
  connect A - R1 - C1 - g
  u = C1.Va
end

function twice(x) = 2*x

model Main
  submodel (sinevoltage) U0(amplitude=1, f=50)
  submodel (LowPass) filter(R=100)
  submodel (ground) g
  local y
  connect g - U0, U0:B at filter:A
  y = twice(filter.R1.Va)
  experiment (stop=0.1, plot=[y])
end
"""


def opened(marked: str, folder: Path, name: str = "a.mdl") -> tuple[Project, Document, int]:
    """A project with the text as its only document, and the offset of the mark."""
    project = Project()
    document = project.put(folder / name, marked.replace("|", "", 1))
    return project, document, max(marked.find("|"), 0)


def typed(marked: str, folder: Path) -> tuple[Project, Document, int]:
    """The text typed at the mark of the whole circuit: `marked` is `OLD=>NEW|`, where OLD stands once."""
    old, new = marked.split("=>")
    assert CIRCUIT.count(old) == 1
    project = Project()
    project.put(folder / "a.mdl", CIRCUIT)
    text = CIRCUIT.replace(old, new)
    offset = text.index("|")
    return project, project.put(folder / "a.mdl", text.replace("|", "")), offset
