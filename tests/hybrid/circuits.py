"""Parts of a hybrid model that are circuits: ideal diodes in series, in parallel and in a bridge."""

from math import cos, pi, sin

from tests.hybrid.model import STOP, Model


def diodes(m: Model) -> None:
    """A sine, a resistor and ideal diodes in series and in parallel: they change at the zeros of the sine."""
    at, u, r, d, e, g = m.rng.choice(m.common), *[m.name(k) for k in ("U", "R", "D", "E", "G")]
    f, amplitude, resistance = (
        m.rng.choice((1, 2, 3)) / (2 * at),
        m.rng.choice((1.0, 10.0, 325.0)),
        m.rng.choice((1.0, 50.0)),
    )
    joined = m.rng.choice((f"{d} - {e}", f"({d} // {e})", d))
    m.lines += [
        f"submodel (sinevoltage) {u}(amplitude={amplitude!r}, f={f!r})",
        f"submodel (resistor) {r}(R={resistance!r})",
    ]
    m.lines += [f"submodel (idealdiode) {d}(Ron=1e-3, Goff=1e-9)", f"submodel (ground) {g}"]
    if e in joined:
        m.lines.append(f"submodel (idealdiode) {e}(Ron=1e-3, Goff=1e-9)")
    m.lines.append(f"connect {g} - {u} - {r} - {joined} - {g}")
    drop = {f"{d} - {e}": 2e-3, d: 1e-3}.get(joined, 5e-4)
    peak, open_circuit = amplitude / resistance, {f"{d} - {e}": 5e-10, d: 1e-9}.get(joined, 2e-9)

    def current(t: float) -> float:
        voltage = amplitude * sin(2 * pi * f * t)
        return voltage / (resistance + drop) if voltage > 0 else voltage / (resistance + 1 / open_circuit)

    m.curves[f"{r}.i"] = current, peak
    z = m.name("z")
    m.lines += [f"local {z} (start=0, fixed=true)", f"der({z}) = {r}.i"]

    def charge(t: float) -> float:
        whole, rest = divmod(t * f, 1.0)
        halves = [
            (2 * whole + 1 - cos(2 * pi * part)) / (2 * pi * f) for part in (min(rest, 0.5), max(rest - 0.5, 0.0))
        ]
        return amplitude * (halves[0] / (resistance + drop) - halves[1] / (resistance + 1 / open_circuit))

    m.curves[z] = charge, peak * STOP  # the tolerance of the current, integrated over the run


def bridge(m: Model) -> None:
    """Four diodes: all of them change at each zero of the sine."""
    at, u, r, g = m.rng.choice(m.common), *[m.name(k) for k in ("U", "R", "G")]
    four = [m.name("D") for _ in range(4)]
    f, amplitude = m.rng.choice((1, 2, 3)) / (2 * at), m.rng.choice((1.0, 10.0, 325.0))
    load, on, off = m.rng.choice((1.0, 50.0)), 1e-3, 1e-9
    m.lines += [
        f"submodel (sinevoltage) {u}(amplitude={amplitude!r}, f={f!r})",
        f"submodel (resistor) {r}(R={load!r})",
        f"submodel (ground) {g}",
        *[f"submodel (idealdiode) {d}(Ron={on!r}, Goff={off!r})" for d in four],
    ]
    plus, minus = m.name("k"), m.name("k")
    m.lines += [
        f"node {plus}, {minus}",
        f"connect {plus} - {r} - {minus}",
        f"connect {minus} - {four[0]} - {u}:A, {u}:A - {four[1]} - {plus}",
        f"connect {minus} - {four[2]} - {u}:B, {u}:B - {four[3]} - {plus}",
        f"connect {g} at {minus}",
    ]
    share = (1 / on - off) / (2 / load + 1 / on + off)  # by symmetry: v/R = (u - v)/(2*Ron) - (u + v)*Goff/2
    m.curves[f"{r}.i"] = (lambda t: abs(amplitude * sin(2 * pi * f * t)) * share / load), amplitude / load
