"""The model that `acausal new NAME` writes."""

from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.source import SourceFile
from acausal.reference.libraries import classes
from acausal.syntax.parser import parse

TEMPLATE = """{ NAME: a mass between a wall and a force, with a spring and a damper.

  Simulate it:                acausal simulate NAME.mdl --plot m.s,push.force
  Change a parameter:         acausal simulate NAME.mdl --set c.c=200 --plot m.s
  Describe a class:           acausal docs linearspring
  Search for other classes:   acausal list spring }

@translational.lib

model NAME
  submodel (support) wall
  submodel (linearspring) c(c=50)
  submodel (lineardamper) d(d=2)
  submodel (mass) m(m=2) (ic s=0, v=0)
  submodel (stepforce) push(height=10, t0=1)
  connect wall - (c // d) - m - push

  local E (unit="J") "energy of mass and spring"
  E = m.m*m.v^2/2 + c.c*m.s^2/2

  experiment (stop=10, plot=[m.s, E])
end
"""


def new_model(name: str) -> str:
    """The text of the model under a name; UsageError F006 if a model cannot have it."""
    if name in classes():
        message = f"{name} is a class of {classes()[name].library}"
        raise UsageError(Diagnostic("F006", message, help=f"choose another name, for example {name}_model"))
    if not _is_name(name):
        hint = (
            "a name consists of letters, digits and _, does not begin with a digit, and is not a word of the language"
        )
        raise UsageError(Diagnostic("F006", f"a model cannot be called `{name}`", help=hint))
    return TEMPLATE.replace("NAME", name)


def _is_name(name: str) -> bool:
    """True if the parser takes it for the name of a model."""
    if not (name.isascii() and name.isidentifier()):
        return False
    try:
        parse(SourceFile(name, f"model {name}\nend\n"))
    except ModelError:
        return False
    return True
