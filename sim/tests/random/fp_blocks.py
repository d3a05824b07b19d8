# SPDX-License-Identifier: Apache-2.0
"""Random code blocks of F and D: every operation in every rounding mode on operands of every class, memory accesses, fcsr, mstatus.FS.

As the blocks of the base ISA, they use only FREE integer registers; all floating-point registers are operands. mstatus.FS is on before and
after each block, and frm is a rounding mode.
"""

import random

from blocks import FREE, Emitter, address

REGISTERS = [f"f{n}" for n in range(32)]
MODES = ["rne", "rtz", "rdn", "rup", "rmm", "dyn"]
ROUNDED = ["fadd", "fsub", "fmul"]
DIVISIONS = ["fdiv", "fsqrt"]
FUSED = ["fmadd", "fmsub", "fnmsub", "fnmadd"]
SELECTIONS = ["fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"]
RELATIONS = ["fle", "flt", "feq"]
CONVERTED = ["w", "wu", "l", "lu"]
MOVES = {"s": "w", "d": "d"}
BOX = 0xFFFFFFFF << 32
FS_BITS = 3 << 13  # of mstatus; all ones: dirty
RESERVED_MODES = [5, 6, 7]


def register(e: Emitter) -> str:
    """One of a few, mostly, so that operations depend on each other."""
    return e.rng.choice(REGISTERS[:8] if e.rng.random() < 0.7 else REGISTERS)


def special(rng: random.Random) -> int:
    """Bits of a double or of a boxed single of any class, or of a badly boxed one."""
    single = rng.random() < 0.5
    fraction_bits, exponent_bits = (23, 8) if single else (52, 11)
    top = (1 << exponent_bits) - 1
    exponent = rng.choice([0, 0, 1, top >> 1, (top >> 1) + rng.randint(-70, 70), rng.randint(0, top), top - 1, top, top])
    fraction = rng.choice([0, 0, 1, (1 << fraction_bits) - 1, 1 << rng.randrange(fraction_bits), rng.getrandbits(fraction_bits)])
    value = rng.getrandbits(1) << (fraction_bits + exponent_bits) | exponent << fraction_bits | fraction
    boxed = rng.random() < 0.95
    return value | (BOX if single and boxed else 0)


def operands(e: Emitter) -> None:
    """New values: without them everything decays to NaN."""
    for _ in range(e.rng.randint(1, 4)):
        free = e.register()
        e.constant(free, special(e.rng))
        e.emit(f"fmv.d.x {register(e)}, {free}")


def operation(e: Emitter) -> str:
    """One instruction."""
    rng = e.rng
    fmt, mode = rng.choice(["s", "d"]), rng.choice(MODES)
    a, b, c, d = (register(e) for _ in range(4))
    free = e.register()
    kind = rng.random()
    if kind < 0.25:
        return f"{rng.choice(ROUNDED)}.{fmt} {d}, {a}, {b}, {mode}"
    if kind < 0.45:
        return f"{rng.choice(FUSED)}.{fmt} {d}, {a}, {b}, {c}, {mode}"
    if kind < 0.53:
        name = rng.choice(DIVISIONS)
        return f"{name}.{fmt} {d}, {a}, {mode}" if name == "fsqrt" else f"{name}.{fmt} {d}, {a}, {b}, {mode}"
    if kind < 0.63:
        return f"{rng.choice(SELECTIONS)}.{fmt} {d}, {a}, {b}"
    if kind < 0.72:
        return f"{rng.choice(RELATIONS)}.{fmt} {rng.choice([free, free, 'x0'])}, {a}, {b}"
    if kind < 0.80:
        return f"fcvt.{rng.choice(CONVERTED)}.{fmt} {free}, {a}, {mode}"
    if kind < 0.88:
        source = rng.choice(CONVERTED)
        exact = fmt == "d" and source in ("w", "wu")
        return f"fcvt.{fmt}.{source} {d}, {free}" + ("" if exact else f", {mode}")
    if kind < 0.92:
        return rng.choice([f"fcvt.s.d {d}, {a}, {mode}", f"fcvt.d.s {d}, {a}"])
    if kind < 0.94:
        return f"fclass.{fmt} {free}, {a}"
    if kind < 0.97:
        return f"fmv.x.{MOVES[fmt]} {free}, {a}"
    return f"fmv.{MOVES[fmt]}.x {d}, {free}"


def arithmetic(e: Emitter) -> None:
    if e.rng.random() < 0.4:
        operands(e)
    for _ in range(e.rng.randint(2, 8)):
        e.emit(operation(e))


def memory(e: Emitter) -> None:
    """Loads and stores, beside integer ones of the same bytes."""
    rng = e.rng
    for _ in range(rng.randint(1, 4)):
        pointer, size = e.register(), rng.choice([4, 8])
        if rng.random() < 0.2:
            name = rng.choice(["fld", "fsd"])
            e.emit(f"{name} {register(e)}, {rng.randrange(0, 256, 8)}(sp)")
            continue
        base, offset = address(e, size, pointer)
        letter = "w" if size == 4 else "d"
        e.emit(f"{rng.choice(['fl', 'fs'])}{letter} {register(e)}, {offset}({base})")
        if rng.random() < 0.2:
            e.emit(f"l{letter} {e.register()}, {offset}({base})")


def branch(e: Emitter) -> None:
    """A branch on a comparison, some behind a division; flags and results of the wrong path must not show."""
    rng = e.rng
    skip, free = e.label(), e.register()
    if rng.random() < 0.4:
        e.emit(f"fdiv.{rng.choice(['s', 'd'])} f1, {register(e)}, {register(e)}")
    fmt = rng.choice(["s", "d"])
    e.emit(f"{rng.choice(RELATIONS)}.{fmt} {free}, {rng.choice(['f1', register(e)])}, {register(e)}")
    e.emit(f"{rng.choice(['beqz', 'bnez'])} {free}, {skip}")
    cost = e.cost
    for _ in range(rng.randint(1, 2)):
        rng.choice([arithmetic, memory, control])(e)
    e.cost = cost + (e.cost - cost) / 2
    e.place(skip)


def control(e: Emitter) -> None:
    """fcsr and its parts: flags read and cleared, another rounding mode."""
    rng = e.rng
    free = e.register()
    kind = rng.random()
    if kind < 0.35:
        e.emit(f"csrr {free}, {rng.choice(['fcsr', 'fflags', 'frm', 'mstatus'])}")
    elif kind < 0.6:
        e.emit(f"csrrw {free}, fflags, x0")
    elif kind < 0.75:
        e.emit(f"csrrwi {rng.choice([free, 'x0'])}, frm, {rng.randint(0, 4)}")
    elif kind < 0.85:
        e.emit(f"{rng.choice(['csrrsi', 'csrrci'])} {free}, fflags, {rng.randint(0, 31)}")
    else:
        e.emit(f"li {free}, {rng.randint(0, 4) << 5 | rng.randint(0, 31)}")
        e.emit(f"csrrw {free}, fcsr, {free}")


def status(e: Emitter) -> None:
    """FS off, where every instruction traps; or initial or clean, until something makes it dirty. Reserved rounding modes."""
    rng = e.rng
    free, other = rng.sample(FREE, 2)
    kind = rng.random()
    if kind < 0.4:
        e.emit(f"li {free}, {FS_BITS}", 2)
        e.emit(f"csrc mstatus, {free}")
        for _ in range(rng.randint(1, 2)):
            name = rng.choice(["fadd.d f0, f1, f2", "fld f3, 0(s0)", "fsw f4, 0(s0)", "fmv.x.w x0, f5", f"csrr {other}, fcsr", "fsqrt.s f6, f7"])
            e.emit(name, 12)
        e.emit(f"csrs mstatus, {free}")
    elif kind < 0.7:
        e.emit(f"li {free}, {FS_BITS}", 2)
        e.emit(f"li {other}, {rng.choice([1, 2]) << 13}", 2)
        e.emit(f"csrc mstatus, {free}")
        e.emit(f"csrs mstatus, {other}")
        for _ in range(rng.randint(0, 2)):
            e.emit(operation(e))
        e.emit(f"csrr {free}, mstatus")
    elif kind < 0.85:
        mode, place = rng.choice(RESERVED_MODES), rng.choice([0x02208053, 0x6A208043, 0xD2200053])
        e.emit(f"csrwi frm, {rng.choice(RESERVED_MODES)}")
        e.emit(f".word {place | mode << 12:#x}", 12)  # fadd.d, fmadd.d, fcvt.d.l: the mode is reserved
        e.emit(f"csrwi frm, {rng.randint(0, 4)}")
    else:
        e.emit(f".word {0x02208053 | rng.choice([5, 6]) << 12:#x}", 12)


BODY = {operands: 4, arithmetic: 12, memory: 8, branch: 5, control: 3, status: 1}


def block(e: Emitter) -> None:
    e.rng.choices(list(BODY), weights=list(BODY.values()))[0](e)


def prologue(e: Emitter) -> None:
    """Turns floating point on and gives every register a value."""
    e.emit(f"li {FREE[0]}, {1 << 13}", 2)
    e.emit(f"csrs mstatus, {FREE[0]}")
    e.emit("csrwi fcsr, 0")
    for name in REGISTERS:
        e.constant(FREE[0], special(e.rng))
        e.emit(f"fmv.d.x {name}, {FREE[0]}")
