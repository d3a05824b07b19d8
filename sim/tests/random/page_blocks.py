# SPDX-License-Identifier: Apache-2.0
"""Sv39 in random code: excursions in S and U mode under page tables that change under them (generate.py --modes --pages).

Code, stack, tables and areas are mapped flat by gigapages, by the roots of S mode or by that of U mode, and stay so. What changes are the pages of a window:
4 KiB pages, superpages, gigapages and tables with any flag, with the fence that the change needs, another one or none, and two roots that may have the same
ASID. A page is of code or of data: a PTE lets nobody write to the first or fetch from the second, so whatever a stale one does, code stays as it is.
Requests go to pages of their own, whose changes always have their fence: the ID of one that faults would never come.
"""

import random
from dataclasses import dataclass

import mode_blocks
import pmp_blocks
import trigger_blocks
from ami_blocks import SLOT_BYTES
from blocks import AMOS, BODY, FREE, LOADS, STORES, Emitter, pick
from mode_blocks import HANDLER_COST, MACHINE, SUPERVISOR, USER, Excursion, status_mask, write

V, R, W, X, U, G, A, D = (1 << bit for bit in range(8))
PAGE, MEGAPAGE, GIGAPAGE = 1 << 12, 1 << 21, 1 << 30
ENTRIES = 512
POINTER_SHIFT = 2  # of an address in a PTE
FLAT_GIGAPAGES = 16
ALIAS_BIT = 37  # set in an address: the other one of the same byte
HANDLER_BIT = 36  # set in an address, under the root of U mode: the same byte in a page of S mode, where its handlers run
TABLES = ["root_s", "root_t", "root_u", "middle", "middle_t", "last", "amu_middle", "amu_last"]
ADDRESSES = {name: f"NHG_LOCAL_BASE + {0xC00000 + PAGE * number:#x}" for number, name in enumerate(TABLES)} | {"last_t": "NHG_FAR_BASE + 0x300000"}
CODE, CODE_FRAMES = "NHG_LOCAL_BASE + 0xe00000", 32
DATA = ["NHG_LOCAL_BASE + 0x800000", "NHG_FAR_BASE"]  # the plain areas
AMU_FRAMES = ["NHG_LOCAL_BASE + 0xd00000", "NHG_FAR_BASE + 0x200000"]
WINDOW, GIGA_WINDOW, AMU_WINDOW, UPPER = (index * GIGAPAGE for index in (192, 193, 196, ENTRIES - 1))
MEGAPAGES = [0, 0, 0, 1, 2]  # of the window that are used
PAGES = [0, 1, 2, 3, 4, 5, 16, 17]
ROOTS = {SUPERVISOR: ["root_s", "root_t"], USER: ["root_u"]}
ASIDS = {SUPERVISOR: [1, 2], USER: [3, 0xFFF4]}
AREAS = {"s0": "NHG_LOCAL_BASE + 0x800000", "s1": "NHG_FAR_BASE"}
# Pages of requests: any request may go to the first ones, of S or of U mode; to the others none, or no store.
AMU_PAGES = {SUPERVISOR: [0, 1], USER: [4, 5]}
NO_AMU_PAGE, READ_ONLY_AMU_PAGE = 8, {SUPERVISOR: 9, USER: 10}


@dataclass
class Space:
    """What an excursion is in, and the address that it has used last."""

    mode: int = SUPERVISOR
    asid: int = 0
    address: int = WINDOW


def pte(address: str, flags: int) -> str:
    return f"(({address}) >> {POINTER_SHIFT}) | {flags:#x}"


def put(address: str, index: int, entry: str) -> str:
    return f"  li x31, {address} + {8 * index}\n  li x30, {entry}\n  sd x30, 0(x31)\n"


def header() -> str:
    """The tables, and the code of the code pages."""
    text = ""
    for root, user in (("root_s", 0), ("root_t", 0), ("root_u", U)):
        for gigapage in range(FLAT_GIGAPAGES):
            for index in (gigapage, gigapage + (1 << ALIAS_BIT) // GIGAPAGE):
                text += put(ADDRESSES[root], index, pte(f"{gigapage * GIGAPAGE:#x}", V | R | W | X | A | D | user))
            if user:
                text += put(ADDRESSES[root], gigapage + (1 << HANDLER_BIT) // GIGAPAGE, pte(f"{gigapage * GIGAPAGE:#x}", V | R | W | X | A | D))
        middle = ADDRESSES["middle_t" if root == "root_t" else "middle"]
        for index in (WINDOW // GIGAPAGE, UPPER // GIGAPAGE):
            text += put(ADDRESSES[root], index, pte(middle, V))
        text += put(ADDRESSES[root], AMU_WINDOW // GIGAPAGE, pte(ADDRESSES["amu_middle"], V))
    text += put(ADDRESSES["middle"], 0, pte(ADDRESSES["last"], V)) + put(ADDRESSES["middle"], 1, pte(ADDRESSES["last_t"], V))
    text += put(ADDRESSES["middle_t"], 0, pte(ADDRESSES["last_t"], V)) + put(ADDRESSES["amu_middle"], 0, pte(ADDRESSES["amu_last"], V))
    for mode, user in ((SUPERVISOR, 0), (USER, U)):
        for number, page in enumerate(AMU_PAGES[mode]):
            text += put(ADDRESSES["amu_last"], page, pte(AMU_FRAMES[number], V | R | W | A | D | user))
        text += put(ADDRESSES["amu_last"], READ_ONLY_AMU_PAGE[mode], pte(AMU_FRAMES[0], V | R | A | user))
    return text + CODE_PAGES


# Of each: at 0 the second half of an instruction that begins in the page before, at 2 and 64 instructions that differ from page to page, at 4092 the way
# over the end.
CODE_PAGES = f"""  li t0, {CODE}
  li t1, {CODE_FRAMES}
1:li t2, 0x0075
  sh t2, 0(t0)
  slli t2, t1, 20
  li t3, 0x50513 // addi a0, a0, number
  or t3, t3, t2
  sh t3, 2(t0)
  srli t3, t3, 16
  sh t3, 4(t0)
  li t3, 0x8082 // ret
  sh t3, 6(t0)
  sh t3, 68(t0)
  li t3, 0x58593 // addi a1, a1, number
  or t3, t3, t2
  sw t3, 64(t0)
  li t2, {PAGE - 4}
  add t2, t2, t0
  li t3, 0x05130505 // c.addi a0, 1; the first half of addi a0, a0, 7
  sw t3, 0(t2)
  li t2, {PAGE}
  add t0, t0, t2
  addi t1, t1, -1
  bnez t1, 1b
  fence.i
"""
ENTRY_POINTS = [0, 2, 64, PAGE - 4, PAGE - 2, PAGE - 2]


def flags(rng: random.Random, mode: int, is_code: bool) -> int:
    value = V | R | A | (X if is_code else W | D) | (U if mode == USER else 0)
    kind = rng.random()
    if kind < 0.3:
        value ^= rng.choice([V, R, W, X, U, A, D])
    elif kind < 0.4:
        value ^= rng.getrandbits(8)
    elif kind < 0.45:
        value |= 1 << rng.randint(54, 63)
    elif kind < 0.5:
        value |= 1 << 51  # beyond physical addresses
    value |= rng.getrandbits(2) << 8 | (G if rng.random() < 0.15 else 0)
    return value & ~(W if is_code else X)


def entry(rng: random.Random, mode: int) -> tuple[str, int, str]:
    """Table, index and new value of some PTE of the window."""
    is_code = rng.random() < 0.3
    leaf = flags(rng, mode, is_code)
    kind = rng.random()
    if kind < 0.75:
        frame = rng.choice(PAGES[:6])
        address = f"{CODE if is_code else rng.choice(DATA)} + {PAGE * frame:#x}"
        return rng.choice(["last", "last", "last_t"]), rng.choice(PAGES), pte(address, leaf)
    if kind < 0.92:
        table, index = rng.choice(["middle", "middle", "middle_t"]), rng.choice(MEGAPAGES)
        if rng.random() < 0.5:
            bad = rng.choice([U, A, D, 1 << 60]) if rng.random() < 0.1 else 0
            return table, index, pte(ADDRESSES[rng.choice(["last", "last_t"])], (V if rng.random() < 0.9 else 0) | bad | (G if rng.random() < 0.1 else 0))
        misaligned = PAGE if rng.random() < 0.1 else 0
        return table, index, pte(f"{CODE if is_code else rng.choice(DATA)} + {misaligned}", leaf)
    root = rng.choice(ROOTS[mode])
    base = "NHG_LOCAL_BASE" if is_code or rng.random() < 0.5 else "NHG_FAR_BASE"
    misaligned = MEGAPAGE if rng.random() < 0.1 else 0
    return root, GIGA_WINDOW // GIGAPAGE, pte(f"{base} + {misaligned}", leaf)


def change(e: Emitter, x: Excursion, space: Space) -> None:
    """Another PTE, and the fence that it needs, or another, or none; some are used right before, and right behind."""
    rng = e.rng
    if e.fenced and not may_fence(x):
        access(e, space)
        return
    table, index, value = entry(rng, space.mode)
    if table.startswith("last"):
        space.address = WINDOW + rng.choice(MEGAPAGES) * MEGAPAGE + index * PAGE
    elif table.startswith("middle"):
        space.address = WINDOW + index * MEGAPAGE + rng.choice(PAGES) * PAGE
    else:
        space.address = GIGA_WINDOW
    for _ in range(rng.choice([0, 1, 2])):
        access(e, space)
    e.emit(f"li x31, {ADDRESSES[table]} + {8 * index}", 3)
    e.emit(f"li x30, {value}", 5)
    e.emit("sd x30, 0(x31)" if rng.random() < 0.9 else f"amoswap.d {e.register()}, x30, (x31)")
    if e.fenced:
        e.emit("sfence.vma")
    elif rng.random() < 0.5:
        fence(e, space)
    for _ in range(rng.choice([0, 1, 3])):
        access(e, space)


def may_fence(x: Excursion) -> bool:
    return x.mode == SUPERVISOR and not x.tvm


def sign_extended(address: int) -> int:
    return address - (1 << 39) if address >> 38 else address


def fence(e: Emitter, space: Space) -> None:
    rng = e.rng
    first, second = rng.choice([("x0", "x0"), ("x31", "x0"), ("x0", "x30"), ("x31", "x30")])
    address = space.address if rng.random() < 0.7 else rng.choice([window_address(e), 0, 1 << 39])
    e.emit(f"li x31, {sign_extended(address)}", 3)
    e.emit(f"li x30, {space.asid if rng.random() < 0.7 else rng.choice([0, 1, 2, 3, 1 << 16 | space.asid])}", 2)
    e.emit(f"sfence.vma {first}, {second}", 1 + HANDLER_COST / 8)


def window_address(e: Emitter) -> int:
    rng = e.rng
    kind = rng.random()
    if kind < 0.15:
        return GIGA_WINDOW
    return (UPPER if kind < 0.25 else WINDOW) + rng.choice(MEGAPAGES) * MEGAPAGE + rng.choice(PAGES) * PAGE


def access(e: Emitter, space: Space, fetches: bool = True) -> None:
    """One access of the window. Where it may not go it traps."""
    rng = e.rng
    address = space.address = space.address if rng.random() < 0.8 else window_address(e)
    kind = rng.random()
    if fetches and kind < 0.25:
        call(e, sign_extended(address + (0xE00000 if address == GIGA_WINDOW else 0)))
        return
    if address == GIGA_WINDOW:
        address += 0x800000
    offset = rng.choice([0, 8, 64, 72, PAGE - 8, 8 * rng.randrange(PAGE // 8)])
    e.emit(f"li x31, {sign_extended(address + offset)}", 4)
    cost = HANDLER_COST
    if kind < 0.55:
        name = rng.choice(list(LOADS))
        e.emit(f"{name} {e.register()}, {rng.choice([0, 0, 0, 1])}(x31)", cost)
    elif kind < 0.8:
        e.emit(f"{rng.choice(list(STORES))} {e.register()}, 0(x31)", cost)
    elif kind < 0.9:
        name = rng.choice([f"{rng.choice(AMOS)}.{rng.choice('wd')}", "sc.d", "sc.w"])
        e.emit(f"{name} {e.register()}, {e.register()}, (x31)", cost)
    elif kind < 0.95:
        e.emit(f"lr.{rng.choice('wd')} {e.register()}, (x31)", cost)
    else:
        e.emit(f"prefetch.{rng.choice('riw')} 64(x31)")


def call(e: Emitter, address: int) -> None:
    """Of a page of code; one that may not be fetched goes on at s6."""
    label = e.label()
    e.emit(f"la s6, {label}", 2)
    e.emit(f"la ra, {label}", 2)
    e.emit(f"li x31, {address + e.rng.choice(ENTRY_POINTS)}", 4)
    e.emit("jr x31", 4 + HANDLER_COST)
    e.place(label)


def amu_word(page: int, offset: int, log2_size: int) -> str:
    return f"{AMU_WINDOW + page * PAGE + offset} | SIZE_FIELD({log2_size})"


def refused(e: Emitter, space: Space) -> None:
    """A request that faults."""
    store = e.rng.random() < 0.5
    page = READ_ONLY_AMU_PAGE[space.mode] if store and e.rng.random() < 0.5 else NO_AMU_PAGE
    e.emit(f"li x31, {amu_word(page, 8 * e.rng.randrange(ENTRIES), 3)}", 5)
    e.emit("li x30, 9")
    e.emit(f"{'astore' if store else 'aload'} x31, x30", HANDLER_COST)


def requests(e: Emitter, space: Space, remaps: bool) -> None:
    """Some in flight, while their page gets another frame; what is stored to the old one behind the fence comes later."""
    rng = e.rng
    number, word, operand, ident = rng.randrange(2), *rng.sample(FREE, 3)
    page, count = AMU_PAGES[space.mode][number], rng.choice([1, 2, 4, 8])
    user = U if space.mode == USER else 0
    frame = AMU_FRAMES[number]
    lines = rng.sample(range(PAGE // SLOT_BYTES), count)
    for index, line in enumerate(lines):
        log2_size = rng.randint(0, 6)
        e.emit(f"li {word}, {amu_word(page, line * SLOT_BYTES, log2_size)}", 5)
        e.emit(f"li {operand}, {index + 1}")
        e.emit(f"{rng.choice(['aload', 'astore'])} {word}, {operand}")
    if remaps:
        e.emit(f"li x31, {ADDRESSES['amu_last']} + {8 * page}", 3)
        e.emit(f"li x30, {pte(f'{frame} + {PAGE:#x}', V | R | W | A | D | user)}", 4)
        e.emit("sd x30, 0(x31)")
        e.emit(f"li x30, {AMU_WINDOW + page * PAGE}", 3)
        e.emit(f"li {operand}, {space.asid}")
        e.emit(f"sfence.vma {rng.choice(['x0', 'x30'])}, {rng.choice(['x0', operand])}")
        e.emit(f"li {word}, {frame}", 3)
        for line in lines:
            e.emit(f"li {operand}, {line * SLOT_BYTES}")
            e.emit(f"add {operand}, {operand}, {word}")
            e.emit(f"sd {e.register()}, {8 * rng.randrange(8)}({operand})")
    again = e.label()
    e.emit(f"li s5, {count}")
    e.place(again)
    e.emit(f"getfin {ident}", count)
    e.emit(f"beqz {ident}, {again}", count)
    e.emit("addi s5, s5, -1", count)
    e.emit(f"bnez s5, {again}", count)
    if remaps:
        e.emit(f"li x30, {pte(frame, V | R | W | A | D | user)}", 4)
        e.emit("sd x30, 0(x31)")
        e.emit("sfence.vma")


def keep_traps(e: Emitter) -> None:
    """Traps of U mode go to M mode."""
    e.emit("csrw medeleg, x0")
    e.emit("csrw mideleg, x0")


def place_handlers(e: Emitter, x: Excursion, mode: int) -> None:
    """Traps of U mode that are delegated find the handlers in pages of S mode, whence they read the instruction. Not where its sret would trap: M mode knows
    that by its address."""
    if mode == USER and x.tsr:
        x.delegated = 0
        keep_traps(e)
    elif mode == USER:
        e.emit(f"li x31, {status_mask('sum'):#x}", 2)
        e.emit("csrs mstatus, x31")
    e.emit(f"la x31, supervisor_vectors + {e.rng.choice([0, 1])}", 2)
    if mode == USER:
        e.emit(f"bseti x31, x31, {HANDLER_BIT}")
    e.emit("csrw stvec, x31")


def translate(e: Emitter, mode: int) -> int:
    """In M mode: some tables of the mode; returns the ASID."""
    asid = e.rng.choice(ASIDS[mode])
    e.emit(f"li x31, (8 << 60) | ({asid:#x} << 44) | (({ADDRESSES[e.rng.choice(ROOTS[mode])]}) >> 12)", 6)
    e.emit("csrw satp, x31")
    return asid


def enter(e: Emitter, x: Excursion, space: Space, mode: int) -> None:
    rng = e.rng
    place_handlers(e, x, mode)
    space.mode, space.asid = mode, translate(e, mode)
    if e.fenced or rng.random() < 0.2:
        e.emit("sfence.vma")
    for register in AREAS:
        if rng.random() < 0.5:
            e.emit(f"li {register}, {WINDOW + rng.choice(MEGAPAGES) * MEGAPAGE}", 3)
    mode_blocks.enter(e, x, mode)


def leave(e: Emitter, x: Excursion) -> None:
    if x.mode != MACHINE:
        mode_blocks.to_machine(e, x)
    for register, address in AREAS.items():
        e.emit(f"li {register}, {address}", 2)


def as_other_mode(e: Emitter, space: Space) -> None:
    """In M mode: an access by MPRV."""
    mode = e.rng.choice([USER, SUPERVISOR])
    e.emit("csrci mstatus, STATUS_MIE")  # an interrupt would lose MPP
    e.emit(f"li x31, {status_mask('mpp', 'mprv'):#x}", 2)
    e.emit("csrc mstatus, x31")
    e.emit(f"li x31, {status_mask('mprv'):#x} | {mode} << 11", 2)
    e.emit("csrs mstatus, x31")
    access(e, space, fetches=False)
    e.emit(f"li x31, {status_mask('mprv'):#x}", 2)
    e.emit("csrc mstatus, x31")


def transition(e: Emitter, x: Excursion, space: Space) -> None:
    rng = e.rng
    if x.mode == SUPERVISOR and not x.tsr and rng.random() < 0.4:
        mode_blocks.supervisor_return(e, x, SUPERVISOR)
    elif x.mode != MACHINE:
        leave(e, x)
    else:
        enter(e, x, space, rng.choice([USER, SUPERVISOR]))


def excursion(e: Emitter, ami: bool) -> None:
    rng = e.rng
    x, space = mode_blocks.begin(e), Space()
    e.emit(f"li x31, {status_mask('mprv'):#x}", 2)
    e.emit("csrc mstatus, x31")
    enter(e, x, space, rng.choice([USER, SUPERVISOR]))
    for _ in range(rng.randint(8, 30)):
        kind = rng.random()
        if kind < 0.2:
            access(e, space) if x.mode != MACHINE else as_other_mode(e, space)
        elif kind < 0.55:
            change(e, x, space) if x.mode != MACHINE else as_other_mode(e, space)
        elif kind < 0.58:
            fence(e, space)
        elif kind < 0.6:
            mode_blocks.access(e, ~status_mask("mprv", "sum"))
        elif kind < 0.62:
            mode_blocks.privileged_instruction(e)
        elif kind < 0.67:
            rng.choice([mode_blocks.interrupt, mode_blocks.external])(e)
        elif kind < 0.73:
            transition(e, x, space)
        elif kind < 0.8:
            if ami and x.amu() and x.mode != MACHINE:
                rng.choice([lambda: refused(e, space), lambda: requests(e, space, may_fence(x)), lambda: mode_blocks.amu(e, x)])()
        elif kind < 0.82 and x.mode == MACHINE:
            rng.choice([lambda: mode_blocks.protect(e, x), lambda: trigger_blocks.watch(e)])()
        elif kind < 0.84:
            pmp_blocks.use_page(e, x.page, False)
        else:
            pick(rng, BODY)(e)
    leave(e, x)
    e.emit("csrw satp, x0")
    write(e, "mstateen0", 1)
    if rng.random() < 0.6:
        e.emit("csrsi mstatus, STATUS_MIE")
