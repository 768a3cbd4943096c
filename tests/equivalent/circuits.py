"""Random circuits: branches of resistors, capacitors, inductors and sources, and the same circuit in other words."""

from dataclasses import dataclass, replace
from random import Random

from tests.equivalent.pair import Pair, Terms
from tests.equivalent.words import Numbers, new_name, shuffled

CLASS = {"R": "resistor", "C": "capacitor", "L": "inductor", "V": "source", "W": "sinevoltage", "N": "varistor"}
VALUE = {"R": "R", "C": "C", "L": "L", "V": "V", "W": "amplitude", "N": "g"}
START = {"C": "u", "L": "i"}
VARISTOR = "model class (twopin) varistor\n  parameter g\n  i = g*(u + 0.05*u^3)\nend\n"
STOP = 0.02


@dataclass(frozen=True, slots=True)
class Element:
    """A component; `turned` if the branch goes through it from B to A."""

    id: str
    kind: str
    value: float
    start: float = 0.0
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """Elements in series from node a to node b."""

    a: int
    b: int
    elements: tuple[Element, ...]


Circuit = tuple[Branch, ...]
Same = dict[str, list[tuple[float, str]]]


def random_circuit(rng: Random) -> Circuit:
    """Nodes joined by a tree of resistors, and further branches that begin with a resistor: no dependent states."""
    nodes = rng.randint(2, 5)
    branches = [Branch(rng.randrange(n), n, (_element(rng, "R", f"R{n}"),)) for n in range(1, nodes)]
    for k in range(rng.randint(1, 5)):
        a, b = rng.sample(range(nodes), 2)
        kinds = ["R", *rng.sample("CLVWRN", rng.randint(1, 3))]
        rng.shuffle(kinds)
        branches.append(Branch(a, b, tuple([_element(rng, kind, f"{kind}{k}_{i}") for i, kind in enumerate(kinds)])))
    if not any(e.kind in "VW" for branch in branches for e in branch.elements):
        branches.append(Branch(0, nodes - 1, (_element(rng, "R", "Ri"), _element(rng, "V", "V"))))
    return tuple(branches)


def _element(rng: Random, kind: str, name: str) -> Element:
    low, high = {"R": (5, 500), "C": (1e-6, 1e-4), "L": (1e-3, 0.1), "V": (1, 20), "W": (1, 20), "N": (1e-3, 0.1)}[kind]
    value = float(f"{low * (high / low) ** rng.random():.4g}")
    start = (
        round(rng.uniform(-5, 5) * (0.01 if kind == "L" else 1.0), 4) if kind in START and rng.random() < 0.8 else 0.0
    )
    return Element(name, kind, value, start, rng.random() < 0.3)


# ------------------------------------------------------------------ the same circuit with other elements


def changed(rng: Random, circuit: Circuit) -> tuple[Circuit, Same]:
    """Series elements swapped, elements turned round, resistors split; each old quantity in terms of new ones."""
    same: Same = {f"{e.id}.{x}": [(1.0, f"{e.id}.{x}")] for b in circuit for e in b.elements for x in "ui"}
    made = []
    for branch in circuit:
        elements: list[Element] = []
        for element in branch.elements:
            elements += _instead(rng, element, same)
        if rng.random() < 0.6:
            rng.shuffle(elements)
        if rng.random() < 0.3:
            branch = Branch(branch.b, branch.a, tuple([replace(e, turned=not e.turned) for e in reversed(elements)]))
            made.append(branch)
        else:
            made.append(replace(branch, elements=tuple(elements)))
    return tuple(made), same


def _instead(rng: Random, element: Element, same: Same) -> list[Element]:
    """What stands in place of an element, in a row."""
    wish = rng.random()
    if wish < 0.2:
        for x in "ui":
            same[f"{element.id}.{x}"] = [(-1.0, f"{element.id}.{x}")]
        value = -element.value if element.kind in "VW" else element.value
        return [replace(element, turned=not element.turned, value=value, start=-element.start)]
    if wish < 0.5 and element.kind in "RV":
        share = rng.uniform(0.1, 0.9)
        parts = [
            replace(element, id=f"{element.id}{x}", value=element.value * s)
            for x, s in (("p", share), ("q", 1 - share))
        ]
        same[f"{element.id}.u"] = [(1.0, f"{p.id}.u") for p in parts]
        same[f"{element.id}.i"] = [(1.0, f"{parts[0].id}.i")]
        return parts
    return [element]


# ------------------------------------------------------------------ text


@dataclass(frozen=True, slots=True)
class Style:
    """How it is written."""

    renamed: bool = False
    shuffled: bool = False
    parameters: float = 0.0
    paths: float = 1.0
    """The share of branches that are written as paths, not element by element."""
    classes: float = 0.0
    """The share of branches that are submodels."""
    inherited: bool = False


PLAIN = Style()


def text(rng: Random, circuit: Circuit, style: Style) -> tuple[str, dict[str, str]]:
    """The model, and the names of its elements by their ids."""
    used = {"G", "M", "u", "i", "Va", "Vb"}
    names: dict[str, str] = {}
    numbers = Numbers(rng, used, style.parameters)
    heads, declared, connects = [VARISTOR], [], ["connect G at n0"]
    kinds = {kind: CLASS[kind] for kind in CLASS}
    if style.inherited:
        kinds["R"] = new_name(rng, used)
        heads.append(f"model class (resistor) {kinds['R']}\nend\n")
    nodes = sorted({n for b in circuit for n in (b.a, b.b)} | {0})
    own = {n: new_name(rng, used) if style.renamed and n else f"n{n}" for n in nodes}
    for number, branch in enumerate(circuit):
        local = {e.id: new_name(rng, used) if style.renamed else e.id for e in branch.elements}
        row = [f"\\{local[e.id]}" if e.turned else local[e.id] for e in branch.elements]
        if rng.random() < style.classes:
            kind, name = new_name(rng, used), new_name(rng, used)
            heads.append(_class(kind, branch, local, row, kinds))
            declared.append(f"submodel ({kind}) {name}")
            names |= {id_: f"{name}.{x}" for id_, x in local.items()}
            connects.append(f"connect {own[branch.a]} - {name} - {own[branch.b]}")
            continue
        names |= local
        declared += [_declaration(e, local[e.id], numbers, kinds) for e in branch.elements]
        if rng.random() < style.paths:
            connects.append(f"connect {' - '.join([own[branch.a], *row, own[branch.b]])}")
        else:
            inner = [own[branch.a], *[f"k{number}_{k}" for k in range(len(row) - 1)], own[branch.b]]
            declared += [f"node {x}" for x in inner[1:-1]]
            for element, a, b in zip(branch.elements, inner, inner[1:], strict=False):
                a, b = (b, a) if element.turned else (a, b)
                form = rng.choice(("{x} from {a} to {b}", "{x} at ({a}, {b})", "{x}:A at {a}, {x}:B at {b}"))
                connects.append("connect " + form.format(x=local[element.id], a=a, b=b))
    declared += [f"node {name}" for name in own.values()] + ["submodel (ground) G"]
    lines = shuffled(rng, declared, style.shuffled) + shuffled(rng, connects, style.shuffled)
    lines = shuffled(rng, numbers.lines, style.shuffled) + (rng.sample(lines, len(lines)) if style.shuffled else lines)
    body = "".join(f"  {line}\n" for line in lines)
    return f"@electrical.lib\n{''.join(shuffled(rng, heads, style.shuffled))}model M\n{body}end\n", names


def _class(kind: str, branch: Branch, local: dict[str, str], row: list[str], kinds: dict[str, str]) -> str:
    """A class with the elements of a branch and its two ends."""
    plain = Numbers(Random(0), set(), 0.0)
    first, last = branch.elements[0], branch.elements[-1]
    ends = (
        f"cut A = {local[first.id]}:{'B' if first.turned else 'A'}, B = {local[last.id]}:{'A' if last.turned else 'B'}",
        "main path p <A - B>",
    )
    lines = [_declaration(e, local[e.id], plain, kinds) for e in branch.elements]
    lines += [f"connect {' - '.join(row)}"] if len(row) > 1 else []
    return f"model class {kind}\n" + "".join(f"  {line}\n" for line in (*lines, *ends)) + "end\n"


def _declaration(element: Element, name: str, numbers: Numbers, kinds: dict[str, str]) -> str:
    more = ", f=60" if element.kind == "W" else ""
    start = f" (ic {START[element.kind]}={numbers.text(element.start)})" if element.kind in START else ""
    return f"submodel ({kinds[element.kind]}) {name}({VALUE[element.kind]}={numbers.text(element.value)}{more}){start}"


def a_circuit(rng: Random) -> Pair:
    """A circuit in plain words, and the same one changed and in other words."""
    circuit = random_circuit(rng)
    other, same = changed(rng, circuit)
    style = Style(
        rng.random() < 0.7,
        rng.random() < 0.7,
        rng.choice((0.0, 0.3, 1.0)),
        rng.choice((0.0, 0.5, 1.0)),
        rng.choice((0.0, 0.3)),
        rng.random() < 0.3,
    )
    first, ours = text(rng, circuit, PLAIN)
    second, theirs = text(rng, other, style)
    terms: dict[str, Terms] = {}
    for quantity, parts in same.items():
        id_, x = quantity.rsplit(".", 1)
        terms[f"{ours[id_]}.{x}"] = tuple(
            [(f, f"{theirs[n.rsplit('.', 1)[0]]}.{n.rsplit('.', 1)[1]}") for f, n in parts]
        )
    return Pair(first, second, terms, STOP)
