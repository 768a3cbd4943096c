"""Electrical families: library classes, arrays of submodels, parameters from arrays."""

from math import isqrt
from random import Random

RC = """@electrical.lib
model RC
  constant N={n}
  parameter Rv[N] = [1/k for k = 1 to N], Cv[N] = [1/k^2 for k = 1 to N]
  submodel (sinevoltage) U(amplitude=1, f=10)
  submodel (ground) G
  submodel (resistor) R[N](R=Rv)
  submodel (capacitor) C[N](C=Cv) (ic u=k for k = 1 to N)
  connect G - U - R[1]
  for k = 1 to N-1
    connect R[k] - R[k+1], R[k] - C[k] - G
  endfor
  connect R[N] - C[N] - G
end
"""
LC_LINE = """@electrical.lib
model LCLine
  constant N={n}
  submodel (source) U(V=1)
  submodel (ground) G
  submodel (resistor) Rin(R=1), Rout(R=1)
  submodel (inductor) L[N](L=1/N)
  submodel (capacitor) C[N](C=1/N)
  connect G - U - Rin - L[1]
  for k = 1 to N-1
    connect L[k] - L[k+1], L[k] - C[k] - G
  endfor
  connect L[N] - (C[N] // Rout) - G
end
"""
LC_GRID = """@electrical.lib
model LCGrid
  constant n={n}
  submodel (source) U(V=1)
  submodel (ground) G
  submodel (resistor) R(R=1)
  submodel (inductor) H[n*(n-1)](L=0.01), V[n*(n-1)](L=0.01)
  submodel (capacitor) C[n*n](C=0.01)
  node p[n*n]
  connect G - U - R at p[1]
  for i = 1 to n
    for j = 1 to n-1
      connect H[(i-1)*(n-1)+j] at (p[(i-1)*n+j], p[(i-1)*n+j+1]), V[(i-1)*(n-1)+j] at (p[(j-1)*n+i], p[j*n+i])
    endfor
  endfor
  for k = 1 to n*n
    connect C[k]:A at p[k], C[k]:B at G
  endfor
end
"""
DC_GRID = """@electrical.lib
model DCGrid
  constant N={n}, M={n}
  parameter alpha=2, Rl (unit="Ohm")=100
  submodel (rampvoltage) U(height=600, duration=1)
  submodel (ground) G
  submodel (resistor) primary[N](R=Rl/(M^2*N^2*alpha)), secondary[N*M](R=Rl/(M^2*alpha)), load[N*M](R=Rl)
  connect G - U - primary[1]
  for i = 1 to N-1
    connect primary[i] - primary[i+1]
  endfor
  for i = 1 to N
    connect primary[i] - secondary[(i-1)*M+1]
    for j = 1 to M-1
      connect secondary[(i-1)*M+j] - secondary[(i-1)*M+j+1]
    endfor
    for j = 1 to M
      connect secondary[(i-1)*M+j] - load[(i-1)*M+j] - G
    endfor
  endfor
end
"""
BREAKERS = """@switches.lib
model Breakers
  constant N={n}
  submodel (source) U(V=100)
  submodel (resistor) Rs(R=0.001), R[N](R=10)
  submodel (ground) G
  submodel (idealswitch) S[N]
  submodel (inductor) L[N](L=0.1)
  connect G - U - Rs
  for k = 1 to N
    connect Rs - S[k] - R[k] - L[k] - G
    S[k].on = if k <= 10 and time > 0.01*k then 0 else 1
  endfor
end
"""


def rc(n: int) -> str:
    """The circuit of SciMLBenchmarks (ModelingToolkit/RCCircuit): R_i = 1/i, C_i = 1/i^2, 10 Hz, u_i(0) = i."""
    return RC.format(n=n)


def lc_line(n: int) -> str:
    """A matched line of n sections."""
    return LC_LINE.format(n=n)


def lc_grid(n: int) -> str:
    """A square grid of about n nodes."""
    return LC_GRID.format(n=isqrt(n))


def dc_grid(n: int) -> str:
    """About n loads on secondary lines behind a primary one (DistributionSystemDC of the ScalableTestSuite)."""
    return DC_GRID.format(n=isqrt(n))


def breakers(n: int) -> str:
    """n feeders with breakers on one bus, of which 10 open one after the other."""
    return BREAKERS.format(n=n)


def random_network(n: int, with_diodes: bool = False) -> str:
    """n nodes with capacitors, each joined to nodes before it by two resistors (or a resistor and a diode)."""
    chance = Random(n)
    resistors = [f"{chance.uniform(1, 10):.3f}" for _ in range(n)]
    others = [f"{chance.uniform(1, 10):.3f}" for _ in range(n)]
    lines = ["@semiconductors.lib", "model Network", f"  constant N={n}"]
    lines += ["  submodel (sinevoltage) U(amplitude=5, f=1)"]
    lines += ["  submodel (ground) G", "  submodel (resistor) R[N](R=Rv)", "  submodel (capacitor) C[N](C=1e-2)"]
    lines += ["  submodel (diode) S[N]" if with_diodes else "  submodel (resistor) S[N](R=Sv)", "  node p[N]"]
    lines += [f"  parameter Rv[N] = [{', '.join(resistors)}]"]
    lines += [] if with_diodes else [f"  parameter Sv[N] = [{', '.join(others)}]"]
    lines += ["  connect G - U, R[1] at (U:B, p[1]), S[1] at (U:B, p[1])"]
    for k in range(2, n + 1):
        a, b = (max(1, k - 1 - int(chance.expovariate(0.3))) for _ in range(2))
        lines.append(f"  connect R[{k}] at (p[{a}], p[{k}]), S[{k}] at (p[{b}], p[{k}])")
    lines += ["  for k = 1 to N", "    connect C[k]:A at p[k], C[k]:B at G", "  endfor", "end", ""]
    return "\n".join(lines)


def random_diodes(n: int) -> str:
    """As `random_network`, with a diode for every second resistor."""
    return random_network(n, with_diodes=True)
