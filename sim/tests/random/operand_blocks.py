# SPDX-License-Identifier: Apache-2.0
"""Random instructions whose operands have every class of value (sim/tests/instruction_coverage.py): 0, 1, -1, extreme, and of floating point zeros,
infinities, NaNs and subnormals.

The values lie in tables that the outer loop's counter walks through, so each turn executes an instruction with others. Where an address has such a value
there is no memory: the access traps, or the jump does. The AMU refuses every request.
"""

from random import Random

from blocks import (
    AMOS,
    BITMANIP_OPS,
    BITMANIP_SHIFT_OPS,
    BRANCHES,
    COMPRESSED_OPS,
    IMMEDIATE_OPS,
    LOADS,
    MULDIV_OPS,
    ORDERINGS,
    PLAIN_AREAS,
    REGISTER_OPS,
    SHIFT_OPS,
    STORES,
    UNARY_OPS,
    Emitter,
)
from fp_blocks import BOX, CONVERTED, FUSED, MOVES, RELATIONS, ROUNDED, SELECTIONS

PERIOD = 16  # entries of a table before it repeats
ENTRY_BYTES = 8
BITS = 64
SIGN = 1 << (BITS - 1)
TRAP_COST = 14
LOW = [f"a{n}" for n in range(6)]  # what compressed instructions can name
FP_LOW = [f"f{n}" for n in range(8, 16)]
FP_FIELDS = {"s": (8, 23), "d": (11, 52)}  # bits of exponent and fraction

# {a}, {b}: registers that have such values, {fa}, {fb}, {fc} of floating point; {d}, {fd}: to be written; {p}: an address of data; {l}: a label.
# Instructions stand behind one another, with a semicolon between them.
INTEGER = [
    *[f"{name} {{d}}, {{a}}, {{b}}" for name in REGISTER_OPS + BITMANIP_OPS + MULDIV_OPS],
    *[f"{name} {{d}}, {{a}}, -7" for name in IMMEDIATE_OPS],
    *[f"{name} {{d}}, {{a}}, 9" for name in [*SHIFT_OPS, *BITMANIP_SHIFT_OPS]],
    *[f"{name} {{d}}, {{a}}" for name in UNARY_OPS],
    *[f"{name} {{a}}, {{b}}, {{l}}; {{l}}:" for name in BRANCHES],
    *[f"{name} {{d}}, mscratch, {{a}}" for name in ("csrrw", "csrrs", "csrrc")],
    *[f"mv {{d}}, {{a}}; {name} {{d}}, {{b}}" for name in [*COMPRESSED_OPS, "c.add", "c.mv"]],
    *[f"mv {{d}}, {{a}}; {name} {{d}}, 9" for name in ("c.addi", "c.addiw", "c.andi", "c.slli", "c.srli", "c.srai")],
    *[f"mv {{d}}, {{a}}; {name} {{d}}" for name in ("c.slli64", "c.srli64", "c.srai64")],
    *[f"{name} {{a}}, {{l}}; {{l}}:" for name in ("c.beqz", "c.bnez")],
    *[f"prefetch.{kind} -32({{a}})" for kind in "irw"],
]
JUMPS = [f"la s6, {{l}}; {jump}; {{l}}:" for jump in ("jalr {d}, 0({a})", "c.jr {a}", "c.jalr {a}")]
MEMORY = [
    *[f"{name} {{d}}, 40({{a}})" for name in [*LOADS, "c.lw", "c.ld"]],
    *[f"{name} {place}" for name in [*STORES, "c.sw", "c.sd"] for place in ("{b}, 40({a})", "{a}, 40({p})")],
    *[f"{name} {place}" for name in ("flw", "fld", "fsw", "fsd", "c.fld", "c.fsd") for place in ("{fa}, 40({a})", "{fb}, 40({p})")],
]
ATOMIC = [
    *[f"{name}.{width}{order} {{d}}, {place}" for name in AMOS for width in "wd" for order in ORDERINGS for place in ("{b}, ({a})", "{a}, ({p})")],
    *[f"lr.{width}{order} {{d}}, ({{a}})" for width in "wd" for order in ORDERINGS],
    *[f"sc.{width}{order} {{d}}, {place}" for width in "wd" for order in ORDERINGS for place in ("{b}, ({a})", "{a}, ({p})")],
]
# The stack pointer has another value meanwhile.
BY_STACK = [
    f"mv {{d}}, sp; mv sp, {{a}}; {instruction}; mv sp, {{d}}"
    for instruction in (
        *("c.lwsp {p}, 8(sp)", "c.ldsp {p}, 8(sp)", "c.swsp {b}, 8(sp)", "c.sdsp {b}, 8(sp)", "c.fldsp {fd}, 8(sp)", "c.fsdsp {fa}, 8(sp)"),
        *("c.addi4spn {p}, sp, 16", "c.addi16sp sp, 32"),
    )
]
FLOATING = {
    fmt: [
        *[f"{name}.{fmt} {{fd}}, {{fa}}, {{fb}}" for name in [*ROUNDED, *SELECTIONS, "fdiv"]],
        *[f"{name}.{fmt} {{fd}}, {{fa}}, {{fb}}, {{fc}}" for name in FUSED],
        *[f"{name}.{fmt} {{d}}, {{fa}}, {{fb}}" for name in RELATIONS],
        *[f"fcvt.{integer}.{fmt} {{d}}, {{fa}}" for integer in CONVERTED],
        *[f"fcvt.{fmt}.{integer} {{fd}}, {{a}}" for integer in CONVERTED],
        *(f"fsqrt.{fmt} {{fd}}, {{fa}}", f"fclass.{fmt} {{d}}, {{fa}}", f"fcvt.{other}.{fmt} {{fd}}, {{fa}}"),
        *(f"fmv.x.{MOVES[fmt]} {{d}}, {{fa}}", f"fmv.{MOVES[fmt]}.x {{fd}}, {{a}}"),
    ]
    for fmt, other in (("s", "d"), ("d", "s"))
}
# Refused by the first operand or the second.
REQUESTS = [
    *[f"li {{d}}, -1; {name} {{a}}, {{d}}" for name in ("aload", "astore", "await", "aset", "aconfig")],
    *[f"li {{d}}, -1; {name} {{d}}, {{a}}" for name in ("aload", "astore", "aset", "aconfig")],
]


def integers(rng: Random) -> list[int]:
    """The classes, all of them twice. What is below 2^32 is below all memory."""
    edges = [0, 1, (1 << BITS) - 1, SIGN, SIGN - 1]
    drawn = [value for _ in range(2) for value in (1 << 62 | rng.getrandbits(62), SIGN | 1 << 40 | rng.getrandbits(62), rng.randint(2, 1024))]
    values = [*edges, *edges, *drawn]
    rng.shuffle(values)
    return values


def floats(rng: Random, fmt: str) -> list[int]:
    """Both signs of each class, and normal numbers."""
    exponent_bits, fraction_bits = FP_FIELDS[fmt]
    top, quiet = (1 << exponent_bits) - 1, 1 << (fraction_bits - 1)
    fraction = rng.randrange(1, quiet)
    kinds = [(0, 0), (0, fraction), (top >> 1, fraction), (top, 0), (top, fraction), (top, quiet | fraction)]
    values = [sign << (exponent_bits + fraction_bits) | exponent << fraction_bits | low for sign in (0, 1) for exponent, low in kinds]
    values += [rng.randrange(1, top) << fraction_bits | rng.getrandbits(fraction_bits) for _ in range(PERIOD - len(values))]
    rng.shuffle(values)
    return [value | (BOX if fmt == "s" else 0) for value in values]


def tables(rng: Random) -> str:
    lines = ["  .pushsection .rodata\n  .align 3\n"]
    for name, values in (("integers", integers(rng)), ("floats_s", floats(rng, "s")), ("floats_d", floats(rng, "d"))):
        lines.append(f"operand_{name}: .dword {', '.join(map(hex, values * 3))}\n")
    return "".join([*lines, "  .popsection\n"])


def load(e: Emitter, table: str, instruction: str, registers: list[str], pointer: str, index: str) -> None:
    """Entries of a table, others in each turn."""
    e.emit(f"la {pointer}, operand_{table} + {ENTRY_BYTES * e.rng.randrange(PERIOD)}", 2)
    e.emit(f"slli {index}, s3, 3")
    e.emit(f"andi {index}, {index}, {ENTRY_BYTES * (PERIOD - 1)}")
    e.emit(f"add {pointer}, {pointer}, {index}")
    for register in registers:
        e.emit(f"{instruction} {register}, {ENTRY_BYTES * e.rng.randrange(PERIOD)}({pointer})")


def block(e: Emitter, ami: bool) -> None:
    rng = e.rng
    a, b, d, p, index = rng.sample(LOW, 5)
    fmt = rng.choice("sd")
    names = dict(zip(("fa", "fb", "fc", "fd"), rng.sample(FP_LOW, 4), strict=True)) | {"a": a, "b": b, "d": d, "p": p}
    e.lines.append("  .option push\n  .option rvc")
    e.emit(f"li {a}, 0")  # should protection forbid to load it
    e.emit(f"li {b}, 0")
    load(e, "integers", "ld", [a, b], p, index)
    load(e, f"floats_{fmt}", "fld", [names["fa"], names["fb"], names["fc"]], p, index)
    e.emit(f"addi {p}, {rng.choice(PLAIN_AREAS)}, {rng.randrange(0, 64, ENTRY_BYTES)}")
    kinds = [(INTEGER, 30, 1), (MEMORY, 8, 8), (ATOMIC, 26, 8), (BY_STACK, 3, 10), (JUMPS, 1, TRAP_COST), (FLOATING[fmt], 20, 1)]
    if ami:
        kinds.append((REQUESTS, 3, TRAP_COST))
    weights = [weight for _, weight, _ in kinds]
    for table, _, cost in rng.choices(kinds, weights=weights, k=rng.randint(6, 14)):
        lines = rng.choice(table).format(**names, l=e.label()).split("; ")
        for line in lines[:-1]:
            e.emit(line)
        e.emit(lines[-1], cost)
    e.lines.append("  .option pop")
