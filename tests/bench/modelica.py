"""The same models in Modelica, for rumoca."""

PENDULUM = """model Pendulum
  parameter Real L = 1, m = 1, g = 9.81;
  Real x(start = 0.8660254037844386, fixed = true), y(start = -0.5);
  Real vx(start = 0, fixed = true), vy, F;
equation
  x^2 + y^2 = L^2;
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
end Pendulum;
"""

CIRCUIT = """model Circuit
  parameter Real R = 1, C = 0.1;
  Real u(start = 0, fixed = true), i, v;
equation
  v = sin(10*time);
  R*i = v - u;
  C*der(u) = i;
end Circuit;
"""

DOUBLE = """model Double "two boxes on hinges; the forces in the hinges are unknowns"
  parameter Real m = 7700*0.5*0.06*0.06, J = m/12*(0.5^2 + 0.06^2), c = 0.25, L = 0.5, g = 9.80665, d = 0.1;
  Real q1(start = 0, fixed = true), q2(start = 0, fixed = true);
  Real w1(start = 0, fixed = true), w2(start = 0, fixed = true);
  Real p2, o2, z1, z2, ax1, ay1, ax2, ay2, hx, hy, fx1, fy1, fx2, fy2;
equation
  der(q1) = w1;
  der(q2) = w2;
  z1 = der(w1);
  z2 = z1 + der(w2);
  p2 = q1 + q2;
  o2 = w1 + w2;
  ax1 = -c*sin(q1)*z1 - c*cos(q1)*w1^2;
  ay1 = c*cos(q1)*z1 - c*sin(q1)*w1^2;
  hx = 2*ax1;
  hy = 2*ay1;
  ax2 = hx - c*sin(p2)*z2 - c*cos(p2)*o2^2;
  ay2 = hy + c*cos(p2)*z2 - c*sin(p2)*o2^2;
  m*ax1 = fx1 - fx2;
  m*ay1 = fy1 - fy2 - m*g;
  m*ax2 = fx2;
  m*ay2 = fy2 - m*g;
  J*z1 = c*sin(q1)*(fx1 + fx2) - c*cos(q1)*(fy1 + fy2) - d*w1;
  J*z2 = c*sin(p2)*fx2 - c*cos(p2)*fy2;
end Double;
"""

_PARTS = """connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;
model Capacitor
  Pin p, n;
  parameter Real C = 1;
  Real u(start = 0, fixed = true);
equation
  u = p.v - n.v;
  C*der(u) = p.i;
  p.i + n.i = 0;
end Capacitor;
model Source
  Pin p, n;
  parameter Real V = 1;
equation
  p.v - n.v = V;
  p.i + n.i = 0;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
"""


def ladder(cells: int) -> str:
    """A source and sections of resistor and capacitor, connected."""
    return f"""{_PARTS}model Ladder
  Source U;
  Ground G;
  Resistor R[{cells}];
  Capacitor C[{cells}];
equation
  connect(G.p, U.n);
  connect(U.p, R[1].p);
  for k in 1:{cells} loop
    connect(R[k].n, C[k].p);
    connect(C[k].n, G.p);
  end for;
  for k in 1:{cells - 1} loop
    connect(R[k].n, R[k + 1].p);
  end for;
end Ladder;
"""


def ladder_equations(cells: int) -> str:
    """The equations of the ladder, already written down as arrays."""
    return f"""model Ladder
  parameter Real R = 1, C = 1;
  Real u[{cells}](each start = 0, each fixed = true), i[{cells}];
equation
  R*i[1] = 1 - u[1];
  for k in 2:{cells} loop
    R*i[k] = u[k - 1] - u[k];
  end for;
  for k in 1:{cells - 1} loop
    C*der(u[k]) = i[k] - i[k + 1];
  end for;
  C*der(u[{cells}]) = i[{cells}];
end Ladder;
"""
