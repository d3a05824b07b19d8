# SPDX-License-Identifier: Apache-2.0
"""Traffic of every kind on a few lines at once, a few instructions apart (generate.py --contended).

A program shares 2 to 8 lines, local and far. Their lower halves get plain accesses, atomics, LR/SC, prefetches, fences and
changed code that is executed; their upper halves get AMI requests: every value is determined (rule 6) although the lines are
fought over, but for the loads that race with a request: two of one word, the address of the elder late, so that lock-step sees whether
the younger goes back. In some programs the lines lie in one set of L1D and L2, and plain lines of that set evict them.

A batch issues its groups in windows. A window prepares its operands in registers first, so that its accesses then follow
each other as closely as the gaps drawn allow. In a program with slots of 4 KiB some batches have a coarse request over whole
lines, which nothing else touches until it is taken but prefetches. The program never traps, so the registers of the trap
handler are free.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from ami_blocks import MAX_ID, SLOT_BYTES, SPM_BYTES
from blocks import AMOS, LOADS, ORDERINGS, STORES, Emitter

LINE_BYTES = 64
HALF_BYTES = LINE_BYTES // 2
BASES = ["s0", "s1", "s2", "tp"]  # local, far, far, local
SET_STRIDE_BYTES = 512 * LINE_BYTES  # lines this far apart share their set in L2 and in L1D
EVICTORS = 6  # per base
COARSE_SLOT_BYTES = 4096
REQUEST_PAIRS = [("a0", "a1"), ("a2", "a3"), ("a4", "a5"), ("a6", "a7")]
POINTERS = ["t3", "t4", "gp", "s4", "s6", "s7"]
EVICTOR_POINTER = "s9"
DATA = ["t0", "t1", "t2"]
DISTURBED = 0.2
GAPS = [0] * 12 + [1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 20, 40]
ADDI_T0, RET = 5 << 15 | 5 << 7 | 0x13, 0x8067


@dataclass(frozen=True)
class Line:
    base: str
    offset: int


@dataclass
class Request:
    store: bool
    ident: int
    log2_size: int
    line: Line
    offset: int  # in the line
    slot_offset: int
    group_size: int = 0  # in the first request of an aset group


@dataclass
class Shared:
    """The lines of a program."""

    lines: list[Line]
    evictors: list[Line]
    slot_bytes: int
    disturb: Callable[[Emitter], None] | None = None  # what may come between two accesses, for whom t5 and t6 are free
    hands_back: bool = True  # the SPM way, for which a program is in M mode

    @property
    def idents(self) -> range:
        return range(1, min(MAX_ID, SPM_BYTES // self.slot_bytes - 1) + 1)

    def without(self, request: Request) -> "Shared":
        """The lines that a coarse request leaves alone."""
        end = request.line.offset + (1 << request.log2_size)
        rest = [line for line in self.lines if line.base != request.line.base or not request.line.offset <= line.offset < end]
        return replace(self, lines=rest)

    @staticmethod
    def draw(rng: random.Random) -> "Shared":
        stride = SET_STRIDE_BYTES if rng.random() < 0.3 else LINE_BYTES
        lines = [Line(rng.choice(BASES), stride * k) for k in rng.sample(range(12), rng.randint(2, 8))]
        wanted = rng.random() < 0.4
        evictors = [Line(base, SET_STRIDE_BYTES * (12 + k)) for base in BASES for k in range(EVICTORS) if wanted]
        return Shared(lines, evictors, COARSE_SLOT_BYTES if rng.random() < 0.25 else SLOT_BYTES)


def point(e: Emitter, register: str, line: Line, offset: int) -> None:
    e.emit(f"li {register}, {line.offset + offset}", 2)
    e.emit(f"add {register}, {register}, {line.base}")
    alias(e, register)


def alias(e: Emitter, register: str) -> None:
    if e.alias_bit and e.rng.random() < 0.5:
        e.emit(f"binvi {register}, {register}, {e.alias_bit}")


def coarse(rng: random.Random, shared: Shared) -> Request:
    """A request over whole lines, one of them shared."""
    log2_size = rng.randint(6, 12)
    line = rng.choice(shared.lines)
    return Request(rng.random() < 0.5, shared.idents[-1], log2_size, Line(line.base, line.offset >> log2_size << log2_size), 0, 0)


def plan(rng: random.Random, shared: Shared) -> list[Request]:
    """The requests of one batch, on disjoint bytes of the upper halves; no two of a group share bytes of its slot."""
    free = [(line, word) for line in shared.lines for word in range(HALF_BYTES // 8)]
    rng.shuffle(free)
    requests = []
    idents = shared.idents[:-1]
    for ident in rng.sample(idents, min(len(idents), rng.choice([1, 1, 2, 3, 4, 6, 8]))):
        in_set = rng.random() < 0.5
        group: list[Request] = []
        slot_words: set[int] = set()
        for _ in range(rng.randint(1, 4) if in_set else 1):
            log2_size = rng.choice([0, 1, 2, 3, 3, 3, 4, 5])
            words = max(1, (1 << log2_size) // 8)
            for line, first in free:
                span = range(first, first + words)
                if first % words == 0 and all((line, word) in free for word in span) and not slot_words & set(span):
                    break
            else:
                break
            slot_words |= set(span)
            free = [place for place in free if place[0] != line or place[1] not in span]
            inside = rng.randrange(0, 8, 1 << log2_size) if log2_size < 3 else 0
            offset = HALF_BYTES + 8 * first + inside
            group.append(Request(rng.random() < 0.5, ident, log2_size, line, offset, offset))
        if in_set and group:
            group[0].group_size = len(group)
        requests += group
    return requests


def prepare(e: Emitter, requests: list[Request], has_target: bool) -> None:
    for request, (word, operand) in zip(requests, REQUEST_PAIRS, strict=False):
        e.emit(f"li {word}, {request.line.offset + request.offset} | SIZE_FIELD({request.log2_size})", 5)
        e.emit(f"add {word}, {word}, {request.line.base}")
        alias(e, word)
        if has_target:
            e.emit(f"add {word}, {word}, s8")
        e.emit(f"li {operand}, {request.slot_offset << 16 | request.ident}", 2)


def issue(e: Emitter, request: Request, registers: tuple[str, str]) -> None:
    if request.group_size:
        e.emit(f"li t5, {request.ident}")
        e.emit(f"li t6, {request.group_size}")
        e.emit("aset t5, t6")
    e.emit(f"{'astore' if request.store else 'aload'} {registers[0]}, {registers[1]}")


def gap(e: Emitter) -> None:
    for _ in range(e.rng.choice(GAPS)):
        e.emit(e.rng.choice(["nop", f"addi {e.rng.choice(DATA)}, {e.rng.choice(DATA)}, 1"]))


def atomic(e: Emitter, pointer: str) -> None:
    rng = e.rng
    width, order, data = rng.choice(["w", "d"]), rng.choice(ORDERINGS), rng.choice(DATA)
    kind = rng.random()
    if kind < 0.65:
        e.emit(f"{rng.choice(AMOS)}.{width}{order} {data}, {rng.choice(DATA)}, ({pointer})")
        return
    e.emit(f"lr.{width}{order} {data}, ({pointer})")
    if kind < 0.85:
        gap(e)
        e.emit(f"sc.{width}{order} {rng.choice(DATA)}, {data}, ({pointer})")


def access(e: Emitter, pointers: dict[str, int]) -> None:
    """One access to the lower half of a line; `pointers` says where in its line each register points."""
    rng = e.rng
    pointer, place = rng.choice(list(pointers.items()))
    kind = rng.random()
    if kind < 0.4 and pointer != EVICTOR_POINTER:
        atomic(e, pointer)
    elif kind < 0.85:
        table = STORES if rng.random() < 0.45 else LOADS
        name = rng.choice(list(table))
        e.emit(f"{name} {rng.choice(DATA)}, {rng.randrange(0, HALF_BYTES, table[name]) - place}({pointer})")
    elif kind < 0.93:
        e.emit(f"{rng.choice(['prefetch.r', 'prefetch.w'])} 0({pointer})")
    else:
        e.emit(rng.choice(["fence", "fence", "fence r, rw", "fence rw, w", "fence.i"]))


def execute(e: Emitter, shared: Shared) -> None:
    """Writes `addi t0, t0, n; ret` into the lower half of a line and calls it: L1I, L1D and the AMU want the line."""
    point(e, "t5", e.rng.choice(shared.lines), 0)
    e.emit(f"li t6, {e.rng.randint(0, 2047) << 20 | ADDI_T0}", 2)
    e.emit("sw t6, 0(t5)")
    e.emit(f"li t6, {RET:#x}", 2)
    e.emit("sw t6, 4(t5)")
    e.emit("fence.i")
    e.emit("jalr t5", 3)


def race(e: Emitter, shared: Shared, request: Request) -> None:
    """Two loads of a word that a request writes, under way or not, the address of the first late; behind it perhaps what orders loads."""
    rng = e.rng
    word = 8 * rng.randrange(max(1, (1 << request.log2_size) // 8))
    if request.store:
        point(e, "t5", request.line, (request.offset & -8) + word)
    else:
        e.emit(f"li t5, NHG_SPM_BASE + {request.ident * shared.slot_bytes + (request.slot_offset & -8) + word}", 2)
    e.emit("sub t6, s5, s5")  # both depend on the groups taken so far
    e.emit("add t5, t5, t6")
    for _ in range(rng.choice([0, 1, 3, 6, 10, 15, 25, 40])):
        e.emit("mul t6, t6, t6")
    e.emit("add t6, t6, t5")

    def load(pointer: str) -> None:
        name = rng.choice(list(LOADS))
        e.emit(f"{name} {rng.choice(DATA)}, {rng.randrange(0, 8, LOADS[name])}({pointer})")

    if request.store and rng.random() < 0.3:
        e.emit(f"lr.d{rng.choice(ORDERINGS)} {rng.choice(DATA)}, (t6)")
    else:
        load("t6")
    kind = rng.random()
    if kind < 0.2:
        e.emit("fence")
    elif kind < 0.4:
        point(e, "t6", rng.choice(shared.lines), 0)
        e.emit(rng.choice(["lr.d.aq t0, (t6)", "amoadd.d.aq t0, t1, (t6)", "amoswap.w.aqrl t0, t1, (t6)"]))
    load("t5")


def take(e: Emitter) -> None:
    """Takes a group if one has finished; s5 counts those still to be taken."""
    e.emit("getfin t5")
    e.emit("snez t5, t5")
    e.emit("sub s5, s5, t5")


def hand_back(e: Emitter, pointers: dict[str, int]) -> None:
    """The SPM way goes back to L2 under the requests that are on their way, and is taken again: what the slots held is zero then."""
    e.emit("give_spm_way_back")
    for _ in range(e.rng.randint(0, 6)):
        access(e, pointers)
        gap(e)
    e.emit("take_spm_way")


def window(e: Emitter, shared: Shared, requests: list[Request], has_target: bool) -> None:
    """Up to four requests among accesses to the same lines."""
    rng = e.rng
    prepare(e, requests, has_target)
    pointers = {}
    for register, line in zip(POINTERS, rng.sample(shared.lines, min(len(shared.lines), len(POINTERS))), strict=False):
        pointers[register] = rng.randrange(0, HALF_BYTES, 8)
        point(e, register, line, pointers[register])
    if requests and requests[0].log2_size > 5 and rng.random() < 0.5:
        point(e, "t5", requests[0].line, 0)
        e.emit(f"{rng.choice(['prefetch.r', 'prefetch.w'])} 0(t5)")
    if shared.evictors:
        pointers[EVICTOR_POINTER] = 0
        point(e, EVICTOR_POINTER, rng.choice(shared.evictors), 0)
    waiting = list(zip(requests, REQUEST_PAIRS, strict=False))
    for _ in range(len(waiting) + rng.randint(2, 14)):
        kind = rng.random()
        if waiting and kind < 0.35:
            issue(e, *waiting[0])
            if rng.random() < 0.3:
                race(e, shared, waiting[0][0])
            waiting.pop(0)
        elif kind < 0.4 and not has_target:
            take(e)
        elif kind < 0.43:
            execute(e, shared)
        elif kind < 0.45:
            if shared.hands_back:
                hand_back(e, pointers)
        elif kind < 0.49 and requests:
            race(e, shared, rng.choice(requests))
        else:
            access(e, pointers)
        disturb(e, shared)
        gap(e)
    for request, registers in waiting:
        issue(e, request, registers)


def disturb(e: Emitter, shared: Shared) -> None:
    if shared.disturb and e.rng.random() < DISTURBED:
        shared.disturb(e)


def collect(e: Emitter, shared: Shared, has_target: bool, resume: str) -> None:
    """Takes the groups that are left, atomics and loads between the polls."""
    rng = e.rng
    again, done = e.label(), e.label()
    cost, turns = e.cost, 6
    e.place(again)
    e.emit(f"beqz s5, {done}")
    disturb(e, shared)
    if has_target:
        e.emit("bafin t5")
    else:
        take(e)
    if rng.random() < 0.7:  # between polls that find nothing
        access(e, dict.fromkeys(POINTERS[:2], 0))
    e.emit(f"j {again}")
    if has_target:
        e.place(resume)
        e.emit("addi s5, s5, -1")
        e.emit(f"j {again}")
    e.cost = cost + (e.cost - cost) * turns
    e.place(done)


def batch(e: Emitter, shared: Shared) -> None:
    """Some groups on the shared lines, taken by its end; then their bytes are read back and changed."""
    rng = e.rng
    everything, requests = shared, []
    if shared.slot_bytes == COARSE_SLOT_BYTES and rng.random() < 0.5:
        request = coarse(rng, shared)
        if shared.without(request).lines:
            shared, requests = shared.without(request), [request]
    requests += plan(rng, shared)
    groups = len({request.ident for request in requests})
    has_target, resume = rng.random() < 0.4, e.label()
    e.emit(f"li s5, {groups}")
    if has_target:
        e.emit(f"la s8, {resume}", 2)
        e.emit("la s9, ami_base", 2)
        e.emit("sub s8, s8, s9")
        e.emit("slli s8, s8, 42")
        e.emit("srli s8, s8, 4")
    while requests:
        count = rng.randint(1, len(REQUEST_PAIRS))
        window(e, shared, requests[:count], has_target)
        requests = requests[count:]
    for register in POINTERS[:2]:
        point(e, register, rng.choice(shared.lines), 0)
    collect(e, shared, has_target, resume)
    e.emit("fence")
    for line in rng.sample(everything.lines, min(len(everything.lines), 3)):
        point(e, "t5", line, 0)
        word = rng.randrange(HALF_BYTES, LINE_BYTES, 8)
        e.emit(f"ld {rng.choice(DATA)}, {word}(t5)")
        if rng.random() < 0.5:
            e.emit(f"sd {rng.choice(DATA)}, {rng.randrange(HALF_BYTES, LINE_BYTES, 8)}(t5)")
