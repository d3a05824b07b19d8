# SPDX-License-Identifier: Apache-2.0
"""Random code blocks of the base ISA: arithmetic, memory, branches, loops, calls, CSRs, traps.

Each block function takes an Emitter, appends assembler lines and adds its expected dynamic length (instructions)
to emitter.cost. Blocks use only FREE registers as operands, so nothing they do can change where the program goes
next, apart from short forward branches: every program terminates.

Reserved: s0, s1, s2, tp = bases of the four data areas; s3 outer loop counter; s4 inner loop counter; s5 AMI
counter; sp stack; ra calls; s6 ... s11, t5, t6 belong to the trap handler of test.h.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

FREE = ["gp", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t3", "t4"]
# Base registers of the data areas: local, far, and the two areas that AMI requests also touch (far, local).
PLAIN_AREAS = ["s0", "s1"]
AMI_AREAS = ["s2", "tp"]
AREA_BYTES = 1 << 16
HOT_BYTES = 256  # at the start of each area: where accesses overlap all the time

REGISTER_OPS = ["add", "sub", "sll", "srl", "sra", "slt", "sltu", "xor", "or", "and", "addw", "subw", "sllw", "srlw", "sraw"]
BITMANIP_OPS = [
    *[f"sh{n}add{suffix}" for n in (1, 2, 3) for suffix in ("", ".uw")],
    *["add.uw", "andn", "orn", "xnor", "min", "minu", "max", "maxu", "rol", "rolw", "ror", "rorw"],
    *["bclr", "bext", "binv", "bset", "czero.eqz", "czero.nez"],
]
BITMANIP_SHIFT_OPS = {"slli.uw": 63, "rori": 63, "roriw": 31, "bclri": 63, "bexti": 63, "binvi": 63, "bseti": 63}
UNARY_OPS = ["clz", "clzw", "ctz", "ctzw", "cpop", "cpopw", "sext.b", "sext.h", "zext.h", "orc.b", "rev8"]
MULDIV_OPS = ["mul", "mulh", "mulhu", "mulhsu", "mulw", "div", "divu", "rem", "remu", "divw", "divuw", "remw", "remuw"]
IMMEDIATE_OPS = ["addi", "slti", "sltiu", "xori", "ori", "andi", "addiw"]
COMPRESSED_OPS = ["c.sub", "c.xor", "c.or", "c.and", "c.subw", "c.addw"]
SHIFT_OPS = {"slli": 63, "srli": 63, "srai": 63, "slliw": 31, "srliw": 31, "sraiw": 31}
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8}
STORES = {"sb": 1, "sh": 2, "sw": 4, "sd": 8}
BRANCHES = ["beq", "bne", "blt", "bge", "bltu", "bgeu"]
AMOS = ["amoswap", "amoadd", "amoxor", "amoand", "amoor", "amomin", "amomax", "amominu", "amomaxu"]
ORDERINGS = ["", ".aq", ".rl", ".aqrl"]
CORNERS = [0, 1, -1, 2, -2, 0x7FFFFFFF, -0x80000000, 0x80000000, 0xFFFFFFFF, (1 << 63) - 1, -(1 << 63)]
READ_CSRS = [
    "cycle",
    "time",
    "instret",
    "mcycle",
    "minstret",
    "mstatus",
    "misa",
    "mtvec",
    "mscratch",
    "mepc",
    "mcause",
    "mtval",
    "mie",
    "mip",
    "mhartid",
    "NHG_CSR_AMUCAP",
    "NHG_CSR_AMUSTAT",
    "NHG_CSR_AMUHITS",
    "NHG_CSR_AMUREUSE",
    "NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT",
]


@dataclass
class Emitter:
    """Collects lines; `cost` is the expected number of executed instructions, `areas` where data may live."""

    rng: random.Random
    functions: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    cost: float = 0.0
    areas: list[str] = field(default_factory=lambda: [*PLAIN_AREAS, *AMI_AREAS])
    in_loop: bool = False
    alias_bit: int | None = None  # set or clear in an address: the same byte
    fenced: bool = False  # each change of a page table has its fence
    labels: int = 0
    prefix: str = "l"

    def emit(self, line: str, instructions: float = 1.0) -> None:
        self.lines.append("  " + line)
        self.cost += instructions

    def label(self) -> str:
        self.labels += 1
        return f"{self.prefix}_{self.labels}"

    def place(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def register(self) -> str:
        return self.rng.choice(FREE)

    def constant(self, register: str, value: int) -> None:
        self.emit(f"li {register}, {value}", 1 if -2048 <= value < 2048 else 4)


def alu(e: Emitter) -> None:
    rng = e.rng
    for _ in range(rng.randint(1, 6)):
        kind = rng.random()
        if kind < 0.5:
            e.emit(f"{rng.choice(REGISTER_OPS)} {e.register()}, {e.register()}, {e.register()}")
        elif kind < 0.75:
            e.emit(f"{rng.choice(IMMEDIATE_OPS)} {e.register()}, {e.register()}, {rng.randint(-2048, 2047)}")
        elif kind < 0.9:
            name = rng.choice(list(SHIFT_OPS))
            e.emit(f"{name} {e.register()}, {e.register()}, {rng.randint(0, SHIFT_OPS[name])}")
        else:
            e.emit(f"{rng.choice(['lui', 'auipc'])} {e.register()}, {rng.randint(0, (1 << 20) - 1):#x}")


def moves(e: Emitter) -> None:
    """Registers that come to hold one value, are written again and are moved in turn, some behind a branch or a late result."""
    rng = e.rng
    some = rng.sample(FREE, 4)
    skip = e.label() if rng.random() < 0.3 else None
    if rng.random() < 0.3:
        e.emit(f"div {some[0]}, {e.register()}, {e.register()}")
    if skip:
        e.emit(f"{rng.choice(BRANCHES)} {some[0]}, {e.register()}, {skip}")
    for _ in range(rng.randint(3, 10)):
        kind, to, source = rng.random(), rng.choice(some), rng.choice(some)
        if kind < 0.5:
            e.emit(f"mv {to}, {source}")
        elif kind < 0.6:
            e.emit(f"add {to}, {rng.choice([f'{source}, x0', f'x0, {source}'])}")
        elif kind < 0.7:
            e.emit(f"mv {to}, x0")
        else:
            e.emit(f"addi {to}, {source}, {rng.randint(-8, 8)}")
    if skip:
        e.place(skip)


def bit_manipulation(e: Emitter) -> None:
    rng = e.rng
    for _ in range(rng.randint(1, 6)):
        kind = rng.random()
        if kind < 0.5:
            e.emit(f"{rng.choice(BITMANIP_OPS)} {e.register()}, {e.register()}, {e.register()}")
        elif kind < 0.7:
            name = rng.choice(list(BITMANIP_SHIFT_OPS))
            e.emit(f"{name} {e.register()}, {e.register()}, {rng.randint(0, BITMANIP_SHIFT_OPS[name])}")
        else:
            e.emit(f"{rng.choice(UNARY_OPS)} {e.register()}, {e.register()}")


def compressed(e: Emitter) -> None:
    """Instructions of two bytes that are rare otherwise: the assembler makes them only of matching registers, HINTs never."""
    rng = e.rng
    low = [f"a{n}" for n in range(6)]  # those of FREE that such instructions can name
    e.lines.append("  .option push\n  .option rvc")
    for _ in range(rng.randint(1, 6)):
        kind = rng.random()
        if kind < 0.6:
            e.emit(f"{rng.choice(COMPRESSED_OPS)} {rng.choice(low)}, {rng.choice(low)}")
        elif kind < 0.8:
            e.emit(f"c.addi4spn {rng.choice(low)}, sp, {rng.randrange(4, 1024, 4)}")
        elif kind < 0.9:
            e.emit(f"{rng.choice(['c.slli', 'c.srli', 'c.srai'])} {rng.choice(low)}, {rng.randint(1, 63)}")
        else:
            e.emit(f"{rng.choice(['c.slli64', 'c.srli64', 'c.srai64'])} {rng.choice(low)}")
    e.lines.append("  .option pop")


def corner_values(e: Emitter) -> None:
    e.constant(e.register(), e.rng.choice([*CORNERS, e.rng.getrandbits(63)]))


def refresh(e: Emitter) -> None:
    """New data from the outer loop's counter: without it, values decay to 0 and -1 and branches settle."""
    register = e.register()
    e.constant(register, e.rng.getrandbits(63) | 1)
    e.emit(f"mul {register}, {register}, s3")
    e.emit(f"xor {e.register()}, {e.register()}, {register}")


def muldiv(e: Emitter) -> None:
    rng = e.rng
    a, b = e.register(), e.register()
    if rng.random() < 0.3:
        e.constant(a, rng.choice(CORNERS))
    if rng.random() < 0.3:
        e.constant(b, rng.choice(CORNERS))
    for _ in range(rng.randint(1, 2)):
        e.emit(f"{rng.choice(MULDIV_OPS)} {e.register()}, {a}, {b}")


def address(e: Emitter, size: int, register: str) -> tuple[str, int]:
    """A base register and offset for an aligned access; `register` may be used to compute it."""
    rng = e.rng
    area = rng.choice(e.areas)
    kind = rng.random()
    if kind < 0.45:  # a constant offset into the hot bytes
        return area, rng.randrange(0, HOT_BYTES, size)
    source = e.register()
    if kind < 0.75:  # data-dependent, hot: overlaps that only the executed address shows
        e.emit(f"andi {register}, {source}, {(HOT_BYTES - 1) & ~(size - 1)}")
    elif kind < 0.85:  # behind a division: late addresses, younger accesses overtake
        e.emit(f"ori {register}, {source}, 1")
        e.emit(f"div {register}, {source}, {register}")
        e.emit(f"andi {register}, {register}, {(HOT_BYTES - 1) & ~(size - 1)}")
    elif kind < 0.95:  # anywhere in the area: cache misses
        e.emit(f"slli {register}, {source}, {64 - 16}")
        e.emit(f"srli {register}, {register}, {64 - 16 + 3}")
        e.emit(f"slli {register}, {register}, 3")
    else:  # 16 lines of one cache set
        e.emit(f"andi {register}, {source}, 15")
        e.emit(f"slli {register}, {register}, 12")
    e.emit(f"add {register}, {register}, {area}")
    return register, 0


def memory(e: Emitter) -> None:
    rng = e.rng
    for _ in range(rng.randint(1, 4)):
        register = e.register()
        if rng.random() < 0.5:
            name = rng.choice(list(LOADS))
            base, offset = address(e, LOADS[name], register)
            e.emit(f"{name} {e.register()}, {offset}({base})")
        else:
            name = rng.choice(list(STORES))
            base, offset = address(e, STORES[name], register)
            e.emit(f"{name} {e.register()}, {offset}({base})")


def forwarding(e: Emitter) -> None:
    """Stores of mixed sizes into 16 bytes, then loads over them."""
    rng = e.rng
    area, start = rng.choice(e.areas), rng.randrange(0, HOT_BYTES, 16)
    for table in (STORES, STORES, LOADS, STORES, LOADS, LOADS):
        if rng.random() < 0.8:
            name = rng.choice(list(table))
            e.emit(f"{name} {e.register()}, {start + rng.randrange(0, 16, table[name])}({area})")


def stack(e: Emitter) -> None:
    """Compressed stack-pointer accesses."""
    rng = e.rng
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(["sd", "sw", "ld", "lw"])
        e.emit(f"{name} {e.register()}, {rng.randrange(0, 256, 8)}(sp)")


def atomic(e: Emitter) -> None:
    rng = e.rng
    register, width = e.register(), rng.choice(["w", "d"])
    base, offset = address(e, 8, register)
    if base != register or offset:
        e.emit(f"addi {register}, {base}, {offset}")
    order = rng.choice(ORDERINGS)
    if rng.random() < 0.7:
        e.emit(f"{rng.choice(AMOS)}.{width}{order} {e.register()}, {e.register()}, ({register})")
        return
    others = [name for name in FREE if name != register]
    loaded, result = rng.sample(others, 2)
    e.emit(f"lr.{width}{order} {loaded}, ({register})")
    if rng.random() < 0.5:
        e.emit(f"addi {loaded}, {loaded}, {rng.randint(-100, 100)}")
    e.emit(f"sc.{width}{order} {result}, {loaded}, ({register})")


def forward_branch(e: Emitter) -> None:
    rng = e.rng
    skip = e.label()
    if rng.random() < 0.3:  # resolved late
        muldiv(e)
    e.emit(f"{rng.choice(BRANCHES)} {e.register()}, {e.register()}, {skip}")
    cost = e.cost
    for _ in range(rng.randint(1, 3)):
        rng.choice([alu, memory, muldiv, forwarding])(e)
    e.cost = cost + (e.cost - cost) / 2
    e.place(skip)


def loop(e: Emitter) -> None:
    if e.in_loop:
        alu(e)
        return
    rng = e.rng
    start, turns = e.label(), rng.randint(2, 12)
    e.emit(f"li s4, {turns}")
    e.place(start)
    cost = e.cost
    e.in_loop = True
    for _ in range(rng.randint(1, 3)):
        rng.choice([alu, memory, forwarding, forward_branch, muldiv, atomic])(e)
    e.in_loop = False
    e.emit("addi s4, s4, -1")
    e.cost = cost + (e.cost - cost + 2) * turns
    # Out of a conditional branch's reach when the body is long: the assembler then inverts and jumps.
    e.emit(f"bnez s4, {start}", 0)


def call(e: Emitter) -> None:
    if not e.functions:
        alu(e)
        return
    target = e.rng.choice(e.functions)
    if e.rng.random() < 0.6:
        e.emit(f"call {target}", 42)
    else:
        register = e.register()
        e.emit(f"la {register}, {target}")
        e.emit(f"jalr {register}", 42)


def jump_table(e: Emitter) -> None:
    rng = e.rng
    entries, end, table = [e.label() for _ in range(4)], e.label(), e.label()
    index, pointer = rng.sample(FREE, 2)
    e.emit(f"andi {index}, {e.register()}, 3")
    e.emit(f"slli {index}, {index}, 3")
    e.emit(f"la {pointer}, {table}")
    e.emit(f"add {pointer}, {pointer}, {index}")
    e.emit(f"ld {pointer}, 0({pointer})")
    e.emit(f"jr {pointer}")
    cost = e.cost
    for entry in entries:
        e.place(entry)
        alu(e)
        e.emit(f"j {end}")
    e.cost = cost + (e.cost - cost) / 4
    e.place(end)
    e.lines.append(f"  .pushsection .rodata\n  .align 3\n{table}: .dword {', '.join(entries)}\n  .popsection")


def csr(e: Emitter) -> None:
    rng = e.rng
    if rng.random() < 0.5:
        e.emit(f"csrr {e.register()}, {rng.choice(READ_CSRS)}")
        return
    name = rng.choice(["csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"])
    operand = rng.randint(0, 31) if name.endswith("i") else e.register()
    e.emit(f"{name} {e.register()}, {rng.choice(['mscratch', 'mtval', 'mcause', 'mepc'])}, {operand}")


def fence(e: Emitter) -> None:
    prefetch = f"prefetch.i {e.rng.randrange(-2048, 2048, 32)}({e.rng.choice(e.areas)})"
    e.emit(e.rng.choice(["fence", "fence", "fence r, rw", "fence rw, w", "fence.i", "wfi", prefetch]))


def trap(e: Emitter) -> None:
    """One instruction that traps; the handler continues behind it."""
    rng = e.rng
    area, register = rng.choice(e.areas), e.register()
    odd = rng.choice([1, 2, 3, 5, 6, 7])
    choice = rng.randrange(8)
    if choice == 0:
        e.emit("ecall")
    elif choice == 1:
        e.emit("ebreak")
    elif choice == 2:
        e.emit(f".word {rng.choice([0xFFFFFFFF, 0x00007003, 0x120000F3, 0x00200073, 0xC0001073, 0x0200000B])}")
    elif choice == 3:
        e.emit(f"ld {register}, {odd}({area})")
    elif choice == 4:
        e.emit(f"sd {register}, {odd}({area})")
    elif choice == 5:
        e.emit(f"lw {register}, {rng.choice([1, 2, 3])}({area})")
    elif choice == 6:
        e.emit(f"addi {register}, {area}, {odd}")
        e.emit(f"amoadd.d {e.register()}, {register}, ({register})")
    else:
        e.emit(f"ld {register}, {rng.randrange(0, 2048, 8)}(x0)")
    e.cost += 14  # the handler


def nowhere_address(e: Emitter) -> int:
    """One without memory: beside a border of Sv39's halves, of what a program counter holds, of the address space, or any above devices and memory."""
    border = e.rng.choice([1 << 38, 1 << 39, 1 << 63, 1 << 64, (1 << 64) - (1 << 38), (1 << 64) - (1 << 39), e.rng.getrandbits(64) | 1 << 36])
    return (border + 2 * e.rng.randint(-4, 4)) % (1 << 64) & ~1


def nowhere(e: Emitter) -> None:
    """A jump to where nothing is, some behind a late result; the handler continues at s6."""
    rng = e.rng
    back, target, other = e.label(), *rng.sample(FREE, 2)
    offset = rng.choice([0, 0, rng.randint(-2048, 2047)])
    e.emit(f"la s6, {back}", 2)
    e.emit(f"li {target}, {(nowhere_address(e) + rng.randint(0, 1) - offset) % (1 << 64)}", 6)
    if rng.random() < 0.3:
        e.emit(f"div {other}, {other}, {target}")
        e.emit(f"andi {other}, {other}, 0")
        e.emit(f"add {target}, {target}, {other}")
    e.emit(f"jalr {rng.choice(['x0', 'ra', other])}, {offset}({target})", 12)
    e.place(back)


def self_modifying(e: Emitter) -> None:
    """Changes the immediate of an addi, then executes it."""
    rng = e.rng
    code, word, pointer = e.label(), *rng.sample(FREE, 2)
    e.emit(f"la {pointer}, {code}")
    e.emit(f"li {word}, {rng.randint(0, 2047) << 20 | 0x13 | 10 << 7 | 10 << 15}", 3)
    e.emit(f"sw {word}, 0({pointer})")
    e.emit("fence.i")
    e.lines.append("  .option push\n  .option norvc\n  .align 2")
    e.place(code)
    e.emit("addi a0, a0, 1")
    e.lines.append("  .option pop")


Block = Callable[[Emitter], None]
# Relative frequency in a program's body.
BODY: dict[Block, int] = {
    alu: 14,
    moves: 5,
    bit_manipulation: 8,
    compressed: 3,
    corner_values: 3,
    refresh: 6,
    muldiv: 6,
    memory: 22,
    forwarding: 12,
    stack: 4,
    atomic: 6,
    forward_branch: 14,
    loop: 5,
    call: 6,
    jump_table: 3,
    csr: 3,
    fence: 2,
    trap: 4,
    nowhere: 1,
    self_modifying: 1,
}
# What may run while requests own the AMI areas.
BACKGROUND: dict[Block, int] = {alu: 10, memory: 8, muldiv: 3, forwarding: 6, forward_branch: 6, csr: 1, atomic: 2}


def pick(rng: random.Random, table: dict[Block, int]) -> Block:
    return rng.choices(list(table), weights=list(table.values()))[0]
