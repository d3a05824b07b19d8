# SPDX-License-Identifier: Apache-2.0
"""A software model of the core's branch predictors, run on the simulator's commit log (xiangshan/src/main/scala/nhg/frontend).

It predicts and trains with each instruction as it retires. The core trains when an instruction executes, so out of order, late, and on
wrong paths too; what that costs is the difference of the two. Both count retired instructions only. Sizes come from the elaborated
core (build/fir/parameters.json).
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

BRANCH, JUMP, CALL, RETURN, INDIRECT = "branch", "jal", "call", "ret", "jalr"
LINK = (1, 5)
WINDOW_BITS = 5  # of an aligned window of 32 bytes
TAGE_TAG_BITS = 9
BTB_WAYS, BTB_TAG_BITS = 4, 16


@dataclass(frozen=True)
class Retired:
    """A control-flow instruction: where its last halfword lies, where the program went on."""

    kind: str
    last_half: int
    next_pc: int
    taken: bool
    is_direct_call: bool = False


def classify(inst: int) -> tuple[str, bool] | None:
    """Kind of control flow and whether a call names its target; None for anything else. RVC is not expanded in the log."""
    if inst & 3 != 3:
        funct3, quadrant, rs1 = inst >> 13 & 7, inst & 3, inst >> 7 & 31
        if quadrant == 1 and funct3 in (6, 7):
            return BRANCH, False
        if quadrant == 1 and funct3 == 5:
            return JUMP, False
        if quadrant == 2 and funct3 == 4 and not inst >> 2 & 31 and rs1:
            if inst >> 12 & 1:
                return CALL, False
            return (RETURN if rs1 in LINK else INDIRECT), False
        return None
    opcode, rd, rs1 = inst & 0x7F, inst >> 7 & 31, inst >> 15 & 31
    if opcode == 0x63:
        return BRANCH, False
    if opcode == 0x6F:
        return (CALL, True) if rd in LINK else (JUMP, False)
    if opcode == 0x67:
        if rd in LINK:
            return CALL, False
        return (RETURN if rs1 in LINK else INDIRECT), False
    return None


def control_flow(log: Path, region: tuple[int, int] | None) -> Iterator[tuple[Retired, bool]]:
    """Each control-flow instruction of a commit log, and whether it lies in the region of interest: between stores to two addresses."""
    previous: tuple[int, int] | None = None
    inside = region is None
    with log.open() as lines:
        for line in lines:
            words = line.partition(" ; ")[0].split()
            pc, inst = int(words[1][3:], 16), int(words[2][5:], 16)
            if previous and (kind := classify(previous[1])):
                is_rvc = previous[1] & 3 != 3
                last_half = previous[0] if is_rvc else previous[0] + 2
                taken = kind[0] != BRANCH or pc != last_half + 2
                yield Retired(kind[0], last_half, pc, taken, kind[1]), inside
            previous = pc, inst
            if region and words[-1].startswith("device="):
                address = int(words[-1][7:], 16)
                inside = address == region[0] or (inside and address != region[1])


def fold(history: int, length: int, width: int) -> int:
    history &= (1 << length) - 1
    folded = 0
    while history:
        folded ^= history & ((1 << width) - 1)
        history >>= width
    return folded


def tag_of(address: int, history: int, length: int, width: int) -> int:
    return (address ^ fold(history, length, width) ^ fold(history, length, width - 1) << 1) & ((1 << width) - 1)


@dataclass
class Counter:
    tag: int
    value: int  # direction: 0 to 7, taken from 4 on
    useful: int = 0

    def is_new(self) -> bool:
        return self.useful == 0 and self.value in (3, 4)


@dataclass
class Target:
    tag: int
    end: int
    target: int
    confidence: int = 0


def toward(value: int, up: bool, limit: int) -> int:
    return min(limit, value + 1) if up else max(0, value - 1)


@dataclass
class Tage:
    """Direction of conditional branches."""

    base_entries: int
    entries: int
    lengths: list[int]
    base: dict[int, int] = field(default_factory=dict)
    tables: list[dict[int, Counter]] = field(default_factory=list)
    trust_shorter: int = 8

    def __post_init__(self) -> None:
        self.tables = [{} for _ in self.lengths]

    def predict_and_train(self, last_half: int, history: int, taken: bool) -> bool:
        """The prediction; the tables have learnt the direction."""
        bits = self.entries.bit_length() - 1
        address = last_half >> 1
        rows = [((address ^ address >> bits ^ fold(history, n, bits)) & (self.entries - 1), tag_of(address, history, n, TAGE_TAG_BITS)) for n in self.lengths]
        found = [k for k, (index, tag) in enumerate(rows) if (entry := self.tables[k].get(index)) and entry.tag == tag]
        place = address & (self.base_entries - 1)
        counter = self.base.get(place, 1)

        def direction(nth_longest: int) -> bool:
            if len(found) < nth_longest:
                return counter >= 2
            k = found[-nth_longest]
            return self.tables[k][rows[k][0]].value >= 4

        longest, alternative = direction(1), direction(2)
        provider = self.tables[found[-1]][rows[found[-1]][0]] if found else None
        is_new = provider is not None and provider.is_new()
        prediction = alternative if is_new and self.trust_shorter >= 8 else longest
        if is_new and longest != alternative:
            self.trust_shorter = toward(self.trust_shorter, alternative == taken, 15)
        if provider is None:
            self.base[place] = toward(counter, taken, 3)
        else:
            provider.value = toward(provider.value, taken, 7)
            if longest != alternative:
                provider.useful = toward(provider.useful, longest == taken, 3)
        if prediction != taken:
            self.allocate(found[-1] + 1 if found else 0, rows, taken)
        return prediction

    def allocate(self, shortest: int, rows: list[tuple[int, int]], taken: bool) -> None:
        entries = [(k, self.tables[k].get(rows[k][0])) for k in range(shortest, len(rows))]
        for k, entry in entries:
            if entry is None or entry.useful == 0:
                self.tables[k][rows[k][0]] = Counter(rows[k][1], 4 if taken else 3)
                return
        for _, entry in entries:
            entry.useful = toward(entry.useful, False, 3)


@dataclass
class Ittage:
    """Targets of indirect jumps and calls, above the BTB's last one."""

    sizes: list[tuple[int, int]]  # entries, history
    tables: list[dict[int, Target]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tables = [{} for _ in self.sizes]

    def rows(self, window: int, history: int) -> list[tuple[int, int]]:
        out = []
        for entries, length in self.sizes:
            bits = entries.bit_length() - 1
            out.append(((window ^ fold(history, length, bits)) & (entries - 1), tag_of(window ^ window >> bits, history, length, TAGE_TAG_BITS)))
        return out

    def found(self, rows: list[tuple[int, int]]) -> list[tuple[int, Target]]:
        return [(k, entry) for k, (index, tag) in enumerate(rows) if (entry := self.tables[k].get(index)) and entry.tag == tag]

    def predict(self, window: int, end: int, history: int) -> int | None:
        found = self.found(self.rows(window, history))
        return found[-1][1].target if found and found[-1][1].end == end else None

    def train(self, window: int, end: int, history: int, target: int, mispredicted: bool) -> None:
        rows = self.rows(window, history)
        known = [(k, entry) for k, entry in self.found(rows) if entry.end == end]
        if known:
            entry = known[-1][1]
            right = entry.target == target
            if entry.confidence == 0:
                entry.target = target
            entry.confidence = toward(entry.confidence, right, 3)
        if not mispredicted:
            return
        longer = [(k, self.tables[k].get(rows[k][0])) for k in range(known[-1][0] + 1 if known else 0, len(rows))]
        for k, other in longer:
            if other is None or other.confidence == 0:
                self.tables[k][rows[k][0]] = Target(rows[k][1], end, target)
                return
        for _, other in longer:
            other.confidence = toward(other.confidence, False, 3)


@dataclass
class Btb:
    """Which instructions are known as control flow, and where they went last. Replacement goes round, over all sets together."""

    entries: int
    sets: dict[int, list[tuple[tuple[int, int], int] | None]] = field(default_factory=dict)
    victim: int = 0

    def ways(self, last_half: int) -> tuple[list, tuple[int, int]]:
        window = last_half >> WINDOW_BITS
        sets = self.entries // BTB_WAYS
        tag = window // sets & ((1 << BTB_TAG_BITS) - 1)
        return self.sets.setdefault(window % sets, [None] * BTB_WAYS), (tag, last_half & ((1 << WINDOW_BITS) - 1))

    def target(self, last_half: int) -> int | None:
        ways, key = self.ways(last_half)
        return next((way[1] for way in ways if way and way[0] == key), None)

    def train(self, last_half: int, target: int) -> None:
        ways, key = self.ways(last_half)
        for k, way in enumerate(ways):
            if way and way[0] == key:
                ways[k] = key, target
                return
        ways[self.victim] = key, target
        self.victim = (self.victim + 1) % BTB_WAYS


class Frontend:
    """All predictors; `run` counts the mispredictions that the core's counter counts: those the back end finds."""

    def __init__(self, parameters: dict) -> None:
        sizes = parameters["frontend"]
        self.tage = Tage(sizes["phtEntries"], sizes["tageEntries"], sizes["tageHistory"])
        self.ittage = Ittage([tuple(size) for size in sizes["ittage"]])
        self.btb = Btb(sizes["btbEntries"])
        self.stack: list[int] = []
        self.stack_entries = sizes["rasEntries"]
        self.history = 0
        self.history_mask = (1 << sizes["historyBits"]) - 1

    def step(self, it: Retired) -> bool:
        """One instruction: true when it was mispredicted."""
        window, end = it.last_half >> WINDOW_BITS, it.last_half >> 1 & ((1 << (WINDOW_BITS - 1)) - 1)
        wrong = False
        if it.kind == BRANCH:
            known = self.btb.target(it.last_half) is not None
            wrong = (self.tage.predict_and_train(it.last_half, self.history, it.taken) and known) != it.taken
        elif it.kind == RETURN:
            wrong = not self.stack or self.stack.pop() != it.next_pc
        elif it.kind in (INDIRECT, CALL):
            predicted = self.ittage.predict(window, end, self.history) or self.btb.target(it.last_half)
            wrong = not it.is_direct_call and predicted != it.next_pc
            self.ittage.train(window, end, self.history, it.next_pc, wrong)
        if it.kind == CALL:
            self.stack = [*self.stack, it.last_half + 2][-self.stack_entries :]
        if it.taken:
            self.btb.train(it.last_half, it.next_pc)
            mark = (it.last_half >> 1 & 63) ^ ((it.next_pc >> 1 & 7) << 3 | it.next_pc >> 4 & 7)
            self.history = (self.history << 1 ^ mark) & self.history_mask
        return wrong

    def run(self, instructions: Iterable[tuple[Retired, bool]]) -> int:
        return sum(self.step(one) and inside for one, inside in instructions)


def load_parameters(build: Path) -> dict:
    return json.loads((build / "fir/parameters.json").read_text())
