# SPDX-License-Identifier: Apache-2.0
"""Triggers in random code: on data of the plain areas, on loads below local memory, and on instructions that may be left out.

Whatever fires, the handler goes on behind the access. So none may watch stack, code or the AMI areas, whose accesses say where the program goes, nor the
store that ends it.
"""

from blocks import Emitter

EXECUTE, STORE, LOAD = 4, 2, 1
BELOW = 3 << 7
MODES = [1 << 3, 1 << 4, 1 << 6]
COUNT = 4
HANDLER_COST = 20
AREAS = ["NHG_LOCAL_BASE + 0x800000", "NHG_FAR_BASE"]
HOT_BYTES = 256


def watch(e: Emitter) -> None:
    """In M mode: another trigger."""
    rng = e.rng
    kind = rng.random()
    modes = sum(rng.sample(MODES, rng.randint(1, len(MODES))))
    label = e.label()
    if kind < 0.5:
        address, control = f"{rng.choice(AREAS)} + {rng.randrange(HOT_BYTES)}", rng.choice([LOAD, STORE, LOAD | STORE])
    elif kind < 0.6:
        address, control = f"NHG_SPM_BASE + {rng.randrange(4096)}", LOAD | BELOW
    else:
        address, control = "", EXECUTE
    e.emit(f"csrwi tselect, {rng.randrange(COUNT)}")
    e.emit("csrw tdata1, x0")
    if address:
        e.emit(f"li x31, {address}", 4)
    else:
        e.emit(f"la x31, {label}", 2)
        e.emit(f"addi x31, x31, {rng.choice([0, 0, 1, 2])}")
    e.emit("csrw tdata2, x31")
    e.emit(f"li x31, {control | modes:#x}", 2)
    e.emit("csrw tdata1, x31")
    for _ in range(2):
        e.emit(f"add {e.register()}, {e.register()}, {e.register()}")
    if not address:
        e.place(label)
    e.emit(f"xor {e.register()}, {e.register()}, {e.register()}", HANDLER_COST)
    e.emit(f"or {e.register()}, {e.register()}, {e.register()}", HANDLER_COST)
