"""Families of other domains: heat, blocks, mechanics, events."""

from tests.bench.events import BALL

EXCHANGER = """@thermal.lib
model class Cell
  parameter C=1, G=1, m=2
  terminal Tin, T, Q
  cut W (T / Q)
  C*der(T) = m*(Tin - T) + Q
end
model Exchanger
  constant N={n}
  submodel (Cell) hot[N](C=1/N), cold[N](C=1/N)
  submodel (heatcapacitor) wall[N](C=0.5/N)
  submodel (thermalconductor) Gh[N](G=10/N), Gc[N](G=10/N)
  hot[1].Tin = 400
  cold[N].Tin = 300
  for k = 1 to N-1
    hot[k+1].Tin = hot[k].T
    cold[k].Tin = cold[k+1].T
  endfor
  for k = 1 to N
    connect hot[k]:W to Gh[k] to wall[k]:M to Gc[k] to cold[k]:W
  endfor
end
"""
CASCADE = """@blocks.lib
model Cascade
  constant N={n}
  submodel (firstorder) B[N](T=1/N)
  B[1].u = 1
  for k = 2 to N
    B[k].u = B[k-1].y
  endfor
end
"""
OSCILLATORS = """@translational.lib
model Oscillators
  constant N={n}
  submodel (mass) m[N](m=1)
  submodel (linearspring) c[N+1](c=10)
  submodel (support) left, right
  connect left to c[1] to m[1]
  for k = 1 to N-1
    connect m[k] to c[k+1] to m[k+1]
  endfor
  connect m[N] to c[N+1] to right
  initial m[1].s = 0.1
end
"""
STRING = """model String
  constant N={n}
  parameter c=1
  local u[N], v[N]
  for k = 1 to N
    der(u[k]) = v[k]
    initial u[k] = sin(pi*k/(N + 1))
    initial v[k] = 0
  endfor
  der(v[1]) = c^2*(N + 1)^2*(u[2] - 2*u[1])
  for k = 2 to N-1
    der(v[k]) = c^2*(N + 1)^2*(u[k+1] - 2*u[k] + u[k-1])
  endfor
  der(v[N]) = c^2*(N + 1)^2*(u[N-1] - 2*u[N])
end
"""
EVENTS = """model Events
  constant N={n}
  local x[N]
  discrete k[N]
  for i = 1 to N
    der(x[i]) = 1 + i/N
    initial x[i] = 0
    when x[i] > k[i] + 1 then
      new(k[i]) = k[i] + 1
    endwhen
  endfor
end
"""
BALLS = """
model Balls
  constant N={n}
  submodel (Ball) B[N]
  for k = 1 to N
    initial B[k].h = 1 + k/N
  endfor
end
"""


def exchanger(n: int) -> str:
    """Counterflow of n cells, with capacities of the wall."""
    return EXCHANGER.format(n=n)


def cascade(n: int) -> str:
    """n first orders in a row (CascadedFirstOrder of the ScalableTestSuite)."""
    return CASCADE.format(n=n)


def oscillators(n: int) -> str:
    """A chain of n masses between two walls."""
    return OSCILLATORS.format(n=n)


def string(n: int) -> str:
    """The wave equation by central differences."""
    return STRING.format(n=n)


def events(n: int) -> str:
    """n integrators, each with a `when` of its own (ManyEvents of the ScalableTestSuite)."""
    return EVENTS.format(n=n)


def balls(n: int) -> str:
    """n bouncing balls."""
    return BALL.replace("model Ball", "model class Ball").replace("local h", "terminal h") + BALLS.format(n=n)


def chain(n: int) -> str:
    """n hinged bodies; the accelerations for no torque."""
    from tests.bench import multibody

    return multibody.text(multibody.chain(n), "mbsdir.lib", 1)
