"""Mechanisms that pass dead centers, with their energy by complex numbers: exp(ia) is the direction of a link."""

import numpy as np
from numpy.typing import NDArray

from acausal.results.result import Result

G = 9.81
FOLDING = """@{library}.lib
{{ Folded, all links lie on the line of the two fixed joints: base and cranks are 1 m long, the others 0.5 m. }}
model FoldingFiveBar
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) c1(n3=1) (ic q=1, w=-3), k1(n3=1, r1=1), c2(n3=1, r1=1) (ic q=pi-1, w=3), k2(n3=1, r1=1)
  submodel (Bar) l1(r1=0.5), l2(r1=0.5)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) b1(m=1, r1=0.5, I33=0.1), b2(m=1, r1=0.25, I33=0.02)
  submodel (Body) b3(m=1, r1=0.5, I33=0.1), b4(m=1, r1=0.25, I33=0.02)
  connect i - c1 - k1 - l1, i - c2 - k2 - l2, pin at (l1:B, l2:B), b1 at c1, b2 at k1, b3 at c2, b4 at k2
  experiment (stop=0.5, interval=0.01)
end
"""
IN_LINE = """@{library}.lib
{{ Crank and rod are 0.5 m long: with the crank upright the piston is at the crank's center. }}
model InLine
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.3, w=-4), knee(n3=1, r1=0.5)
  submodel (Prismatic) piston(n1=1, r1=1)
  submodel (Bar) rod(r1=0.5)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) b1(m=1, r1=0.25, I33=0.02), b2(m=1, r1=0.25, I33=0.02), b3(m=1)
  connect i - crank - knee - rod, i - piston, pin at (rod:B, piston:B), b1 at crank, b2 at knee, b3 at piston
  experiment (stop=10, interval=0.01)
end
"""


def parallelograms(count: int, library: str = "mbsdir", stop: float = 10.0) -> str:
    """A chain of parallelograms whose links are all 1 m and 1 kg: the N four-bar mechanism of the IFToMM benchmarks.

    (M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, A benchmarking system for MBS simulation software, Multibody System
    Dynamics 16, 2006, problem A02; the point at the top of the first link starts with 1 m/s.) All links level it has
    count + 1 degrees of freedom, else one.
    """
    lines = [f"@{library}.lib", "model Parallelograms", f"  submodel (Inertial) i(g={G}, ng2=-1)"]
    lines += ["  submodel (Revolute) r0(n3=1) (ic q=0, w=-1)", "  submodel (Bar) l0(r2=1)"]
    lines.append("  submodel (Body) b0(m=1, r2=0.5, I33=1/12)")
    connections = ["i - r0 - l0", "b0 at r0"]
    for k in range(1, count + 1):
        lines += [
            f"  submodel (Revolute) r{k}(n3=1, r1={k}), c{k}(n3=1)",
            f"  submodel (Bar) l{k}(r2=1), x{k}(r1=1)",
            f"  submodel (Body) b{k}(m=1, r2=0.5, I33=1/12), bx{k}(m=1, r1=0.5, I33=1/12)",
            f"  submodel (CutPlanar) e{k}(n3=1)",
        ]
        connections += [f"l{k - 1} - c{k} - x{k}", f"i - r{k} - l{k}", f"e{k} at (x{k}:B, l{k}:B)"]
        connections += [f"b{k} at r{k}", f"bx{k} at c{k}"]
    lines += [f"  connect {', '.join(connections)}", f"  experiment (stop={stop}, interval=0.01)", "end", ""]
    return "\n".join(lines)


def angles_of_parallelograms(r: Result, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Angles of the upright links from upright, and of the level ones from level; each row is one link."""
    upright = np.array([r[f"r{k}.q"] for k in range(count + 1)])
    level = np.array([upright[k - 1] + r[f"c{k}.q"] for k in range(1, count + 1)])
    return upright, level


def energy_of_parallelograms(r: Result, count: int) -> NDArray[np.float64]:
    """Kinetic and potential energy of all links."""
    upright, level = angles_of_parallelograms(r, count)
    w = np.array([r[f"r{k}.w"] for k in range(count + 1)])
    v = np.array([w[k - 1] + r[f"c{k}.w"] for k in range(1, count + 1)])
    energy = np.sum((1 / 12 + 1 / 4) * w**2 / 2 + G * np.cos(upright) / 2, axis=0)
    middle = 1j * np.exp(1j * upright[:-1]) * 1j * w[:-1] + np.exp(1j * level) * 1j * v / 2
    height = np.cos(upright[:-1]) + np.sin(level) / 2
    return energy + np.sum(np.abs(middle) ** 2 / 2 + v**2 / 24 + G * height, axis=0)


def energy_in_line(r: Result) -> NDArray[np.float64]:
    """Kinetic and potential energy of crank, rod and piston."""
    a, w = r["crank.q"], r["crank.w"]
    b, v = a + r["knee.q"], w + r["knee.w"]
    crank, rod = 0.5 * np.exp(1j * a), 0.5 * np.exp(1j * b)
    middle, piston = 1j * (crank * w + rod * v / 2), 1j * (crank * w + rod * v)
    kinetic = (0.25**2 + 0.02) * w**2 / 2 + np.abs(middle) ** 2 / 2 + 0.01 * v**2 + np.abs(piston) ** 2 / 2
    return kinetic + G * (crank / 2 + (crank + rod / 2) + (crank + rod)).imag


def energy_folding(r: Result) -> NDArray[np.float64]:
    """Kinetic and potential energy of the four links."""
    energy = np.zeros(len(r.time))
    for crank, knee in (("c1", "k1"), ("c2", "k2")):
        a, w = r[f"{crank}.q"], r[f"{crank}.w"]
        b, v = a + r[f"{knee}.q"], w + r[f"{knee}.w"]
        middle = 1j * (np.exp(1j * a) * w + np.exp(1j * b) * v / 4)
        energy += (0.25 + 0.1) * w**2 / 2 + np.abs(middle) ** 2 / 2 + 0.01 * v**2
        energy += G * (1.5 * np.sin(a) + np.sin(b) / 4)
    return energy
