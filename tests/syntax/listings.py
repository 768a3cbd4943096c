"""Texts of the language page, spelled out, and drafts of libraries in the same language.

CAPACITOR, ROBOT, R3MBS and MOTOR are the listings of section 10 (Otter, Elmqvist, Cellier 1993,
scan errors mended there), with the lines that it leaves out written in full.
"""

CAPACITOR = """\
model class capacitor
  parameter C
  cut A (Va / i), B (Vb / -i)
  main cut cAB [A, B]
  main path pAB <A - B>
  local u
  Va - Vb = u
  C*der(u) = i
end
"""

ROBOT = """\
@R3robot.lib
model R3robot
  submodel (R3control) c1, c2, c3, c4, c5, c6
  submodel (R3motor) m1(J=0.0013), m2(J=0.0013), m3(J=0.0013), m4(J=0.0016), m5(J=0.0016), m6(J=0.0043)
  submodel (R3gearA) g1(c=43, d=0.005, p=p1), g2(c=8, d=0.01, p=p2), g3(c=58, d=0.04, p=p3)
  submodel (R3gearB) g4(p=p4), g5(p=p5), g6(p=p6)
  submodel (R3mbs) robot                             {multibody system}
  constant p1=-105, p2=210, p3=60, p4=-99, p5=79.2, p6=-99
  input q1d, q2d, q3d, q4d, q5d, q6d                 {desired arm angles}
  input w1d, w2d, w3d, w4d, w5d, w6d                 {desired arm angular velocities}
  connect c1 to m1 to g1 to robot:j1
  connect c2 to m2 to g2 to robot:j2
  connect c6 to m6 to g6 to robot:j6
  c1.qd = p1*q1d                                     {controller input = gear ratio * model input}
  c6.wd = p6*w6d
end
"""

R3MBS = """\
model class R3mbs
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r1(n3=1), r2(n1=1), r3(n1=1, r3=0.5), r4(n3=1), r5(n1=1, r3=0.73), r6(n3=1)
  submodel (Body) b1(I33=1.16)
  submodel (Body) b2(m=56.5, r1=0.172, r3=0.205, I11=2.58, I22=2.73, I33=0.64, I31=-0.46)
  submodel (Body) load(m=0, r1=0, r3=0, I11=0, I22=0, I33=0, I31=0)
  cut j1 (q1, qd1, qdd1 / t1)                        {angle, angular velocity, angular acceleration / torque in joint}
  connect i to r1 to r2 to r3 to r4 to r5 to r6,
          b1 at r1, b2 at r2, load at r6,
          j1 at r1:Axis
end
"""

MOTOR = """\
model class R3motor
  submodel (resistor) Rd1(R=100), Rd2(R=100), Rd3(R=100), Rd4(R=100), Ri(R=10), Rp1(R=200), Rp2(R=50), Ra(R=250)
  submodel (capacitor) Ci(C=0.004*D/w)
  submodel (inductor) La(L=250/(2*D*w))
  submodel (emf) emf(k=k)                            {electro-motoric force}
  submodel (hall) hall(k=1)                          {hall sensor: places current in, current out, voltage out}
  submodel (OpAmp) diff, PI                          {operational amplifiers: places +, -, output}
  submodel (OpAmpP) power
  submodel (inertia) rotor(J=J)
  submodel (ground) g
  parameter k=1.1616, w=4590, D=0.6, J=0.0013
  cut elec (Vd / id), mech (rq, rv), control (mech, elec)     {connection to controller}
  cut gear (rq, rv, ra / t)                                   {connection to gear}
  main cut c [control, gear]
  main path p <control - gear>
  node n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12
  connect Rd2 at (n1, n2), Rd1 at (n2, n3), diff at (n5, n2, n3), Rd3 at (n4, n5), Rd4 at (n5, n0),
          Ri at (n3, n6), Ci at (n6, n7), PI at (n0, n6, n7), power at (n7, n8, n9), Rp1 at (n8, n9), Rp2 at (n8, n0),
          Ra at (n9, n10), La at (n10, n11), emf at (n11, n12), hall at (n12, n0, n4),
          rotor at emf:mech, gear at emf:mech, elec at n1, g at n0
end
"""

BOOK = """\
model Book
  submodel (Common) Common
  connect Common - U0 - ((R1 - (C // R2)) // L) - Common
end
"""

JOINTS = """\
{ Multibody classes in the manner of mbsinv.lib: matrices, inheritance, ladders, closing classes. }
model class World
  parameter g=9.81
  main cut B (T[3,3], r[3], v[6], a[6] / f[6]) closing Loop root
  T = identity(3); r = zeros(3)
  v = zeros(6)
  a = [0, 0, 0, 0, 0, -g]
end
model class Moving
  parameter integer n=1, boolean lockable=false
  cut A (Tr[3,3], rr[3], vr[6] / -fr[6]) closing Loop
  main cut B (T[3,3], r[3], v[6] / f[6]) closing Loop
  main path <A - B>
  local Tri[3,3], rri[3], Phi[6,n], C[6,6]
  C = [transpose(Tri), zeros(3,3); -transpose(Tri)*skew(rri), transpose(Tri)]
  T = Tr*Tri
  r = rr + Tr*rri
  fr = transpose(C)*f
end
model class (Moving(n=1)) Hinge
  parameter n1=0, n2=0, n3=1
  constant e[3]=[n1, n2, n3]
  cut Axis (q, w = der(q), der(q, 2) / t)
  Tri = outer(e, e) + cos(q)*(identity(3) - outer(e, e)) + sin(q)*skew(e)
  Phi = [e; zeros(3)]
  Phi[:, 1] .* v[1:6] = zeros(6)
end
model class Loop
  cut A (Ta[3,3], ra[3], va[6] / -fa[6]), B (Tb[3,3], rb[3], vb[6] / fb[6])
  transpose(Ta)*(rb - ra) = zeros(3)  derivative vb[4:6] = va[4:6]  derivative der(vb[4:6]) = der(va[4:6]) "position"
  fa = fb
end
"""

EVENTS = """\
@control.lib as ct
function saturate(x, top) = if x > top then top elseif x < -top then -top else x "symmetric"
model class Ball <Surface = Floor>
  parameter e=0.7, string material="steel"
  local h (start=1, fixed=true, unit="m", state="prefer") "height", v
  discrete k, integer mode (start=0), boolean resting
  terminal fn
  default fn=0
  internal g0
  submodel (ct.PI<Slow>) pi[2](K=2) (ic I=0)
  submodel (Surface) floor
  der(h) = v
  when v < 0 and h < 0 then
    init(v) = -e*v
    new(k) = k + 1
  elsewhen sample(0, 0.01) then
    new(resting) = noevent(abs(v)) < 1e-3
  endwhen
  new(mode) = if v > 0 then 1 elseif v < 0 then -1 else mode
  for i = 1 to 2
    pi[i].r = saturate(h, 1)
    connect pi[i]:out at n[i]
  endfor
  node n[2]
  if e > 0 then
    der(v) = -g0
  else
    der(v) = -g0 - fn
  endif
  initial v = 0
  assert(h > -1, "the ball fell through")
  terminate(k > 100, "enough")
  experiment (stop=10, interval=0.01, plot=[h, pi.r])
  connect loop (a - b), join (a, b, c), branch (a, b), \\a - reversed (b // c), x from n1 to n2
  close pi:A at floor:B
end Ball
"""

LISTINGS = {
    "capacitor": CAPACITOR,
    "robot": ROBOT,
    "r3mbs": R3MBS,
    "motor": MOTOR,
    "book": BOOK,
    "joints": JOINTS,
    "events": EVENTS,
}
