# SPDX-License-Identifier: Apache-2.0
"""Memory protection in random code: regions in the plain data areas that come, go and get locked, and one page whose rights are known.

Regions 1 to 6 lie in the local area (s0), 7 to 14 in the far one (s1), so that a range that ends in one of them begins there, too; 15 allows all else.
AMI sequences, which poll until something comes, use areas that no region denies. Region 0 has the page of `LOCATION`, whose first instruction returns.
"""

from blocks import Emitter

LOCATION = "NHG_LOCAL_BASE + 0xb00000"
READ, WRITE, EXECUTE = 1, 2, 4
RIGHTS = [0, READ, READ | WRITE, EXECUTE, READ | EXECUTE, READ | WRITE | EXECUTE]
OFF, TOP_OF_RANGE, NAPOT, LOCKED = 0, 1 << 3, 3 << 3, 1 << 7
AREA_OF = {**dict.fromkeys(range(1, 7), "NHG_LOCAL_BASE + 0x800000"), **dict.fromkeys(range(7, 15), "NHG_FAR_BASE")}
HEADER = f"""  li x30, {LOCATION}
  li x31, 0x8082 // ret
  sw x31, 0(x30)
  fence.i
  region 15, NAPOT_ALL, PMP_NAPOT | PMP_RWX
  region 0, NAPOT_ADDRESS({LOCATION}, 4096), PMP_NAPOT
"""
HEADER += "".join(f"  region {index}, ({area}) >> 2, 0\n" for index, area in AREA_OF.items())
FIRST_OF_FAR = 7
LANES = 8
LOCK_SHARE = 0.01
PAGE_SHIFT, AREA_SHIFT = 12, 16
HANDLER_COST = 20


def configure(e: Emitter, rights: int, lock: bool = False) -> None:
    """In M mode: kind and rights of every region, those of the page as given; `lock`: for good."""
    rng = e.rng
    for register in (0, 2):
        value = 0
        for lane in range(LANES):
            index = register // 2 * LANES + lane
            if index == 0:
                config = NAPOT | rights
            elif index == 15:
                config = NAPOT | READ | WRITE | EXECUTE
            else:
                kinds = [OFF, NAPOT] if index == FIRST_OF_FAR else [OFF, OFF, TOP_OF_RANGE, NAPOT]
                config = rng.choice(kinds) | rng.choice([0, READ, READ | WRITE, WRITE, EXECUTE])
                config |= LOCKED if rng.random() < LOCK_SHARE else 0
            value |= (config | LOCKED if lock else config) << lane * 8
        e.emit(f"li x31, {value:#x}", 6)
        e.emit(f"csrrw {e.register()}, pmpcfg{register}, x31")


def move(e: Emitter) -> None:
    """In M mode: one region begins or ends elsewhere in its area."""
    rng = e.rng
    index = rng.choice(list(AREA_OF))
    low = (1 << rng.randint(PAGE_SHIFT - 3, AREA_SHIFT - 3)) - 1  # size, if the region is NAPOT
    offset = rng.getrandbits(AREA_SHIFT - PAGE_SHIFT) << PAGE_SHIFT
    e.emit(f"li x31, ({AREA_OF[index]} + {offset:#x}) >> 2 | {low:#x}", 5)
    e.emit(f"csrw pmpaddr{index}, x31")


def use_page(e: Emitter, rights: int, may_request: bool) -> None:
    """One access to the page of known rights; requests only if they are refused."""
    rng = e.rng
    kinds = ["call", "load", "store", "atomic", "prefetch"] + (["aload", "astore"] if may_request and not rights & WRITE else [])
    kind = rng.choice(kinds)
    e.emit(f"li x31, {LOCATION}", 3)
    if kind == "call":
        label = e.label()
        e.emit(f"la s6, {label}", 2)
        e.emit(f"la ra, {label}", 2)
        e.emit("jr x31", HANDLER_COST)
        e.place(label)
    elif kind == "load":
        e.emit(f"ld {e.register()}, {rng.randrange(64, 2048, 8)}(x31)", HANDLER_COST)
    elif kind == "store":
        e.emit(f"sd {e.register()}, {rng.randrange(64, 2048, 8)}(x31)", HANDLER_COST)
    elif kind == "atomic":
        e.emit(f"addi x31, x31, {rng.randrange(64, 2048, 8)}")
        name = rng.choice(["lr.w", "lr.d", "amoadd.d", "amoswap.w", "sc.d"])
        operand = "" if name.startswith("lr") else f" {e.register()},"
        e.emit(f"{name} {e.register()},{operand} (x31)", HANDLER_COST)
    elif kind == "prefetch":
        e.emit(f"prefetch.{rng.choice('riw')} 64(x31)")
    elif kind == "astore" or not rights & READ:
        e.emit("li x30, 9")
        e.emit(f"{kind} x31, x30", HANDLER_COST)
