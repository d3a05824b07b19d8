# SPDX-License-Identifier: Apache-2.0
"""Random AMI sequences: requests, aset groups, await and asignal, taken with getfin or bafin.

A sequence issues its requests, runs background code that leaves the AMI areas and the slots alone, and takes every
group before it ends, so it is free of races (rule 6) and its data is the same for any order of completion.
"""

import sys
from pathlib import Path

from blocks import AMI_AREAS, AREA_BYTES, BACKGROUND, FREE, PLAIN_AREAS, Emitter, pick

sys.path.append(str(Path(__file__).resolve().parents[3] / "tools"))
from nhg import platform

MAX_ID = platform.description()["amu"]["max_id"]
SPM_BYTES = platform.description()["regions"]["spm"]["size"]
SLOT_BYTES = 64  # configured by the program's prologue
ERROR_REQUESTS = [
    # (ID, slot offset, log2 size, address offset): one error of rule 9 each
    (0, 0, 3, 0),
    (MAX_ID + 1, 0, 3, 0),
    (5, 0, 3, 4),
    (5, 4, 3, 0),
    (5, 64, 3, 0),
    (5, 0, 13, 0),
    (5, 0, 7, 0),
]


def request(e: Emitter, store: bool, ident: int, slot_offset: int, log2_size: int, area: str, area_offset: int, target: str | None) -> None:
    """One aload or astore; target is a label within reach of target_base (label ami_base)."""
    word, operand = e.rng.sample(FREE, 2)
    e.emit(f"li {word}, {area_offset} | SIZE_FIELD({log2_size})", 5)
    e.emit(f"add {word}, {word}, {area}")
    if target is not None:
        e.emit(f"la {operand}, {target}")
        e.emit(f"sub {operand}, {operand}, s8")
        e.emit(f"slli {operand}, {operand}, 42")
        e.emit(f"srli {operand}, {operand}, 4")
        e.emit(f"add {word}, {word}, {operand}")
    e.emit(f"li {operand}, {slot_offset << 16 | ident}", 2)
    e.emit(f"{'astore' if store else 'aload'} {word}, {operand}")


def groups(e: Emitter, target: str | None) -> int:
    """Issues random groups on distinct IDs and disjoint bytes; returns their number."""
    rng = e.rng
    count = rng.choice([1, 1, 2, 3, 5, 8, 16])
    idents = rng.sample(range(1, MAX_ID + 1), count)
    lines = rng.sample(range(AREA_BYTES // SLOT_BYTES), count)  # one line of an area per group
    for ident, line in zip(idents, lines, strict=True):
        area = rng.choice(AMI_AREAS)
        kind = rng.random()
        if kind < 0.1:
            signal(e, ident, target)
            continue
        if rng.random() < 0.5:  # a dirty line in the cache
            offset, register = line * SLOT_BYTES + rng.randrange(0, SLOT_BYTES, 8), e.register()
            e.emit(f"li {register}, {offset}", 2)
            e.emit(f"add {register}, {register}, {area}")
            e.emit(f"sd {e.register()}, 0({register})")
        pieces = 1 if kind < 0.7 else rng.choice([1, 2, 4])
        log2_size = rng.randint(0, 6) if pieces == 1 else 3 if pieces == 4 else rng.randint(3, 5)
        size = 1 << log2_size
        if pieces > 1 or kind >= 0.7:
            register, number = rng.sample(FREE, 2)
            e.emit(f"li {register}, {ident}")
            e.emit(f"li {number}, {pieces}")
            e.emit(f"aset {register}, {number}")
        start = rng.randrange(0, SLOT_BYTES - pieces * size + 1, size)
        for piece in range(pieces):
            offset = start + piece * size
            request(e, rng.random() < 0.4, ident, offset, log2_size, area, line * SLOT_BYTES + offset, target)
    return count


def signal(e: Emitter, ident: int, target: str | None) -> None:
    """await and asignal of one ID, in either order."""
    word, operand = e.rng.sample(FREE, 2)
    e.emit(f"li {operand}, {ident}")
    if target is None:
        e.emit(f"li {word}, 0")
    else:
        e.emit(f"la {word}, {target}")
        e.emit(f"sub {word}, {word}, s8")
        e.emit(f"slli {word}, {word}, 42")
        e.emit(f"srli {word}, {word}, 4")
    both = [f"await {word}, {operand}", f"asignal {operand}"]
    e.rng.shuffle(both)
    for line in both:
        e.emit(line)


def read_out(e: Emitter) -> None:
    """The state of some ID that is not free; then none is selected, as a checkpoint wants it."""
    register = e.register()
    e.emit(f"li {register}, {e.rng.randint(0, MAX_ID)}")
    e.emit(f"csrw NHG_CSR_AMUID, {register}")
    e.emit(f"csrr {register}, NHG_CSR_AMUID")
    e.emit(f"csrr {register}, NHG_CSR_AMUSTATE")
    e.emit(f"li {register}, -1")
    e.emit(f"csrw NHG_CSR_AMUID, {register}")


def background(e: Emitter) -> None:
    e.areas = [*PLAIN_AREAS]
    if e.rng.random() < 0.2:
        read_out(e)
    for _ in range(e.rng.randint(0, 6)):
        pick(e.rng, BACKGROUND)(e)
    e.areas = [*PLAIN_AREAS, *AMI_AREAS]


def getfin_sequence(e: Emitter) -> None:
    rng = e.rng
    count = groups(e, None)
    background(e)
    again, ident, data = e.label(), *rng.sample(FREE, 2)
    e.emit(f"li s5, {count}")
    e.place(again)
    e.emit(f"getfin {ident}", count)
    e.emit(f"beqz {ident}, {again}", count)
    # The slot's first doubleword, through an address that depends on the ID.
    e.emit(f"slli {ident}, {ident}, 6", count)
    e.emit(f"li {data}, NHG_SPM_BASE", count)
    e.emit(f"add {ident}, {ident}, {data}", count)
    e.emit(f"ld {data}, {rng.randrange(0, SLOT_BYTES, 8)}({ident})", count)
    e.emit("addi s5, s5, -1", count)
    e.emit(f"bnez s5, {again}", count)
    if rng.random() < 0.7:
        e.emit("fence")


def bafin_sequence(e: Emitter) -> None:
    rng = e.rng
    resume, schedule, done = e.label(), e.label(), e.label()
    task, data = rng.sample(FREE, 2)
    e.emit("la s8, ami_base")
    count = groups(e, resume)
    background(e)
    e.emit(f"li s5, {count}")
    e.place(schedule)
    e.emit(f"bafin {task}", count)
    e.emit(f"j {schedule}", 0)
    e.place(resume)
    e.emit(f"srli {task}, {task}, 39", count)
    e.emit(f"li {data}, NHG_SPM_BASE", count)
    e.emit(f"add {task}, {task}, {data}", count)
    e.emit(f"{rng.choice(['ld', 'lw', 'lhu', 'lb'])} {data}, {rng.randrange(0, SLOT_BYTES, 8)}({task})", count)
    if rng.random() < 0.5:
        e.emit(f"sd {e.register()}, {rng.randrange(0, SLOT_BYTES, 8)}({task})", count)
    e.emit("addi s5, s5, -1", count)
    e.emit(f"bnez s5, {schedule}", count)
    e.place(done)
    if rng.random() < 0.7:
        e.emit("fence")


def error(e: Emitter) -> None:
    """One request that breaks rule 9 and traps, or a bad aset or aconfig."""
    rng = e.rng
    if rng.random() < 0.7:
        ident, slot_offset, log2_size, offset = rng.choice(ERROR_REQUESTS)
        request(e, rng.random() < 0.5, ident, slot_offset, log2_size, rng.choice(AMI_AREAS), offset, None)
    else:
        register, number = rng.sample(FREE, 2)
        e.emit(f"li {register}, 9")
        e.emit(f"li {number}, {rng.choice([0, 64, 1000])}")
        e.emit(f"{rng.choice(['aset', 'aconfig'])} {register}, {number}" if rng.random() < 0.5 else f"aset x0, {number}")
    e.cost += 14
