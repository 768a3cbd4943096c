"""What relations are computed from: against sets, and as long as what is near in a chain."""

from random import Random

from acausal.base.source import SourceFile, Span
from acausal.codegen.lower.roots.relation_inputs import with_reads
from acausal.ir.origin import Origin
from acausal.ir.program.instructions import Instruction, Operations, Routine
from acausal.ir.program.slots import FrozenSlot

ORIGIN = Origin(Span(SourceFile("m.mdl", "model M\nend\n"), 0, 5), ())


def slots(count: int) -> tuple[FrozenSlot, ...]:
    return tuple([FrozenSlot(("k", str(i)), "relation", "boolean", ORIGIN, i, "<", crossing=i) for i in range(count)])


def read(slot: FrozenSlot) -> set[int]:
    return {slot.reads_first + k for k in range(slot.reads.bit_length()) if slot.reads >> k & 1}


def test_as_sets() -> None:
    for seed in range(100):
        rng, count = Random(seed), 8
        code: list[Instruction] = []
        sets: list[set[int]] = []
        for _ in range(40):
            op = rng.choice(("input", "state", "const", "mul", "mul"))
            args = tuple(rng.choices(range(len(code)), k=rng.randrange(1, 4))) if op == "mul" and code else ()
            value = rng.randrange(count + 2) if op == "input" else 0
            own = {value} if op == "input" and value < count else {-1} if op == "state" else set()
            sets.append(own.union(*[sets[a] for a in args]))
            code.append(Instruction(op, args, value))
        wanted = [rng.randrange(len(code)) for _ in range(count)]
        code += [Instruction("store", (register,), i) for i, register in enumerate(wanted)]
        for slot, register in zip(with_reads(slots(count), Routine(tuple(code), Operations())), wanted, strict=True):
            assert read(slot) == sets[register] - {-1}
            assert slot.reads_states == (-1 in sets[register])


def test_chains_stay_short() -> None:
    """Relation k of a long chain is computed from values k and k + 1: two bits, not as many as there are relations."""
    count, code = 500, []
    for k in range(count):
        code.append(Instruction("input", (), k))
    for k in range(count):
        code.append(Instruction("mul", (k, min(k + 1, count - 1)), None))
    code += [Instruction("store", (count + k,), k) for k in range(count)]
    found = with_reads(slots(count), Routine(tuple(code), Operations()))
    assert [read(slot) for slot in found[:-1]] == [{k, k + 1} for k in range(count - 1)]
    assert max(slot.reads.bit_length() for slot in found) == 2
