# SPDX-License-Identifier: Apache-2.0
"""Random code in M, S and U mode: excursions from M mode with random delegation, grants, status bits and interrupts, on the handlers of modes.h and
any_interrupt.h.

Which mode runs is known when the program is written: an excursion is straight, and what it calls returns in its mode. So AMI sequences, which poll
until something comes, run only where they are granted. CSRs and their fields come from tools/platform/csrs.toml.
"""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

import ami_blocks
import fp_blocks
import pmp_blocks
import trigger_blocks
from blocks import BODY, Emitter, nowhere_address, pick

PLATFORM = Path(__file__).resolve().parents[3] / "tools/platform"
sys.path.append(str(PLATFORM))
import csrs  # noqa: E402
import description  # noqa: E402

TABLE = description.load(PLATFORM / "platform.toml")["csrs"]
REGISTERS = {register.name: register for register in csrs.registers(TABLE)}
VIEWS = {view.name: view for view in csrs.views(TABLE)}
USER, SUPERVISOR, MACHINE = 0, 1, 3
CALL_FROM_USER, CALL_FROM_SUPERVISOR, ILLEGAL = 8, 9, 2
HANDLER_COST = 20
# Written with any value at any time: they say neither where a trap goes nor what may be used. The rest is written where an excursion begins.
FREE_CSRS = ["mscratch", "mepc", "mcause", "mtval", "sscratch", "sepc", "scause", "stval", "mcounteren", "scounteren"]
ZERO_CSRS = [number for first, last in csrs.zero_ranges(TABLE).values() for number in (first, last)]
# Not the bits of floating point, which off is a trap for each of its instructions, nor those that an excursion keeps as they are.
MTIE = 1 << 7  # stays set: the timer of M mode ends each wfi
STCE = 1 << 63
KEPT_STATUS = ["fs", "tsr", "tvm", "tw"]
FP_STATES = [1, 2, 3]  # initial, clean, dirty


@dataclass
class Excursion:
    mode: int
    delegated: int  # medeleg
    tsr: bool
    supervisor_amu: bool
    user_amu: bool
    page: int  # rights of S and U for the page of pmp_blocks.py
    supervisor_grants: bool  # sstateen0 is there in S mode
    tvm: bool = False

    def amu(self) -> bool:
        return self.mode == MACHINE or (self.supervisor_amu and (self.mode == SUPERVISOR or self.user_amu))

    def delegates(self, cause: int) -> bool:
        return bool(self.delegated >> cause & 1)


def free_status_bits(view: str | None) -> int:
    names = VIEWS[view].fields if view else [field.name for field in REGISTERS["mstatus"].fields]
    return sum(field.mask for field in REGISTERS["mstatus"].fields if field.name in names and field.name not in KEPT_STATUS)


def status_mask(*names: str) -> int:
    return sum(field.mask for field in REGISTERS["mstatus"].fields if field.name in names)


def write(e: Emitter, csr: str, value: int) -> None:
    e.emit(f"li x31, {value:#x}", 3)
    e.emit(f"csrw {csr}, x31")


def enter(e: Emitter, x: Excursion, mode: int) -> None:
    if e.rng.random() < 0.8:
        e.emit(f"enter {mode}", 9)
    else:  # by a fault where nothing is
        label = e.label()
        e.emit("csrci mstatus, STATUS_MIE")
        e.emit(f"li x31, {status_mask('mpp'):#x}")
        e.emit("csrc mstatus, x31")
        e.emit(f"li x31, {mode} << 11")
        e.emit("csrs mstatus, x31")
        return_to(e, "mepc", label)
        e.emit("mret", HANDLER_COST)
        e.place(label)
    x.mode = mode


def return_to(e: Emitter, csr: str, label: str) -> None:
    """Sets where the next return goes: to where nothing is, and by the handler of the fault to `label`."""
    e.emit(f"la s6, {label}", 2)
    write(e, csr, nowhere_address(e))


def to_machine(e: Emitter, x: Excursion) -> None:
    e.emit("to_machine", HANDLER_COST)
    x.mode = MACHINE


def begin(e: Emitter) -> Excursion:
    """In M mode: delegation, status, counters and grants, any of them."""
    rng = e.rng
    tsr = rng.random() < 0.2
    never = 1 << CALL_FROM_SUPERVISOR | (1 << ILLEGAL if tsr else 0)  # how S asks for M, and how its handler's sret gets done
    x = Excursion(MACHINE, REGISTERS["medeleg"].write_mask & rng.getrandbits(32) & ~never, tsr, rng.random() < 0.7, rng.random() < 0.7, 0, rng.random() < 0.7)
    protect(e, x)
    if rng.random() < 0.3:
        trigger_blocks.watch(e)
    write(e, "medeleg", x.delegated | rng.getrandbits(64) & ~REGISTERS["medeleg"].write_mask)
    write(e, "mideleg", 0 if tsr else rng.getrandbits(64))
    write(e, "mie", rng.getrandbits(64) | MTIE)
    if rng.random() < 0.3:
        write(e, "mip", rng.getrandbits(12) & REGISTERS["mip"].write_mask)
    write(e, "menvcfg", STCE if rng.random() < 0.5 else 0)
    for csr in ("mcounteren", "scounteren"):
        if rng.random() < 0.5:
            write(e, csr, rng.getrandbits(64))
    write(e, "mstateen0", 1)
    write(e, "sstateen0", rng.getrandbits(63) << 1 | x.user_amu)
    write(e, "mstateen0", x.supervisor_grants << 63 | rng.getrandbits(62) << 1 | x.supervisor_amu)
    for vector, handler in (("mtvec", "machine_vectors"), ("stvec", "supervisor_vectors")):
        e.emit(f"la x31, {handler} + {rng.choice([0, 1])}", 2)
        e.emit(f"csrw {vector}, x31")
    chosen = rng.getrandbits(64) & (free_status_bits(None) | status_mask("tvm", "tw")) | (status_mask("tsr") if tsr else 0)
    x.tvm = bool(chosen & status_mask("tvm"))
    chosen |= rng.choice(FP_STATES) * (status_mask("fs") // 3)
    e.emit(f"li x31, {status_mask('tvm', 'tw', 'tsr', 'fs'):#x}", 2)
    e.emit("csrc mstatus, x31")
    e.emit(f"li x31, {chosen:#x}", 3)
    e.emit("csrs mstatus, x31")
    return x


def protect(e: Emitter, x: Excursion) -> None:
    """In M mode: other regions of memory protection."""
    for _ in range(e.rng.randint(0, 4)):
        pmp_blocks.move(e)
    x.page = e.rng.choice(pmp_blocks.RIGHTS)
    pmp_blocks.configure(e, x.page)


def transition(e: Emitter, x: Excursion) -> None:
    rng = e.rng
    kind = rng.random()
    if x.mode == MACHINE:
        enter(e, x, rng.choice([USER, USER, SUPERVISOR, MACHINE]))
    elif x.mode == USER and x.delegates(CALL_FROM_USER) and kind < 0.6:
        e.emit("stay", HANDLER_COST)
        x.mode = SUPERVISOR
    elif x.mode == SUPERVISOR and not x.tsr and kind < 0.6:
        supervisor_return(e, x, rng.choice([USER, SUPERVISOR]))
    else:
        to_machine(e, x)


def supervisor_return(e: Emitter, x: Excursion, mode: int) -> None:
    label = e.label()
    e.emit("csrci sstatus, STATUS_SIE")  # an interrupt would lose SPP and sepc
    e.emit(f"li x31, {status_mask('spp'):#x}")
    e.emit(f"{'csrs' if mode == SUPERVISOR else 'csrc'} sstatus, x31")
    if e.rng.random() < 0.8:
        e.emit(f"la x31, {label}", 2)
        e.emit("csrw sepc, x31")
    else:
        return_to(e, "sepc", label)
    e.emit("sret")
    e.place(label)
    x.mode = mode


def access(e: Emitter, allowed: int = -1) -> None:
    """One access: of any number at all, of a number that is there, or of the status bits that are allowed. Where it is illegal it traps."""
    rng = e.rng
    kind = rng.random()
    if kind < 0.3:
        e.emit(f"csrr {e.register()}, {rng.randrange(4096):#x}", 1 + HANDLER_COST / 2)
    elif kind < 0.5:
        number = rng.choice([*[each.number for each in [*REGISTERS.values(), *VIEWS.values()]], *ZERO_CSRS])
        e.emit(f"csrr {e.register()}, {number:#x}", 1 + HANDLER_COST / 2)
    elif kind < 0.8:
        name = rng.choice(["csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"])
        operand = rng.randint(0, 31) if name.endswith("i") else e.register()
        csr = rng.choice([rng.choice(FREE_CSRS), hex(rng.choice(ZERO_CSRS))])
        e.emit(f"{name} {e.register()}, {csr}, {operand}", 1 + HANDLER_COST / 2)
    else:
        csr = rng.choice(["mstatus", "sstatus", "sie", "mie"])
        masks = {"sie": VIEWS["sie"].mask(True), "mie": REGISTERS["mie"].write_mask & ~MTIE}
        bits = rng.getrandbits(64) & (masks[csr] if csr in masks else allowed & free_status_bits("sstatus" if csr == "sstatus" else None))
        e.emit(f"li x31, {bits:#x}", 3)
        e.emit(f"{rng.choice(['csrs', 'csrc'])} {csr}, x31", 1 + HANDLER_COST / 2)


def interrupt(e: Emitter) -> None:
    """Makes one pending, now or in a moment; a CSR that the mode may not write traps."""
    rng = e.rng
    kind = rng.random()
    if kind < 0.3:
        e.emit("li x31, NHG_CLINT_MSIP", 2)
        e.emit("li x30, 1")
        e.emit(f"{rng.choice(['sb', 'sh', 'sw', 'sd'])} x30, 0(x31)", 1 + HANDLER_COST)
    elif kind < 0.5:
        e.emit("li x31, NHG_CLINT_MTIME", 2)
        e.emit("ld x30, 0(x31)")
        e.emit(f"addi x30, x30, {rng.randint(0, 2)}")
        e.emit("li x31, NHG_CLINT_MTIMECMP", 2)
        e.emit("sd x30, 0(x31)", 1 + HANDLER_COST)
    elif kind < 0.8:
        e.emit(f"li x31, {rng.getrandbits(12) & REGISTERS['mip'].write_mask:#x}", 2)
        e.emit(f"{rng.choice(['csrs mip', 'csrw mip', 'csrs sip'])}, x31", 1 + HANDLER_COST)
    else:
        e.emit("li x31, NHG_CLINT_MTIME", 2)
        e.emit("ld x30, 0(x31)")
        e.emit(f"addi x30, x30, {rng.randint(0, 2)}")
        e.emit(f"csrw {REGISTERS['stimecmp'].number:#x}, x30", 1 + HANDLER_COST)


def external(e: Emitter) -> None:
    """Changes what lets the UART's interrupt through, or makes it come with a byte that is transmitted; a claim may come to nothing."""
    rng = e.rng
    store = rng.choice(["sb", "sh", "sw"])
    register, value = rng.choice(
        [
            ("NHG_PLIC_PRIORITY + 4 * NHG_PLIC_UART_SOURCE", rng.randint(0, 7)),
            (f"NHG_PLIC_ENABLE_{rng.choice(['MACHINE', 'SUPERVISOR'])}", rng.getrandbits(8)),
            (f"NHG_PLIC_THRESHOLD_{rng.choice(['MACHINE', 'SUPERVISOR'])}", rng.choice([0, 0, rng.randint(0, 7)])),
            (f"NHG_PLIC_CLAIM_{rng.choice(['MACHINE', 'SUPERVISOR'])}", rng.choice([1, 1, rng.randint(0, 255)])),
            ("NHG_UART_INTERRUPT_ENABLE", rng.getrandbits(4) | 1),
            ("NHG_UART_INTERRUPT_ID", rng.getrandbits(3)),
        ]
    )
    e.emit(f"li x31, {register}", 2)
    if rng.random() < 0.3:
        load = rng.choice(["lbu", "lhu", "lw"])
        e.emit(f"{load} x30, 0(x31)", 1 + HANDLER_COST)
    e.emit(f"li x30, {value}")
    e.emit(f"{store} x30, 0(x31)", 1 + HANDLER_COST)


def privileged_instruction(e: Emitter) -> None:
    """Traps or does nothing, by the mode and mstatus: never an mret or sret, which would go somewhere."""
    misaligned = f"{e.rng.choice(['lw', 'ld'])} {e.register()}, {e.rng.randrange(1, 8, 2)}(s0)"
    trapping = ["plain_ecall", "ebreak", misaligned, ".word 0xffffffff"]
    e.emit(e.rng.choice(["wfi", "sfence.vma", "sfence.vma a0, a1", "csrr a0, satp", *trapping]), 1 + HANDLER_COST)


def supervisor_csr(e: Emitter, x: Excursion) -> None:
    """In S or M mode: grants or withdraws U mode's AMU, or writes stvec and what it was."""
    rng = e.rng
    if rng.random() < 0.5:
        bits = rng.getrandbits(64)
        write(e, "sstateen0", bits)
        if x.supervisor_amu and (x.supervisor_grants or x.mode == MACHINE):
            x.user_amu = bool(bits & 1)
    else:
        e.emit("csrci sstatus, STATUS_SIE")  # an interrupt would go anywhere
        e.emit(f"csrrw x31, stvec, {e.register()}")
        e.emit("csrw stvec, x31")


def floating_point_off(e: Emitter, x: Excursion) -> None:
    csr = "sstatus" if x.mode == SUPERVISOR else "mstatus"
    e.emit(f"li x31, {status_mask('fs'):#x}", 2)
    e.emit(f"csrc {csr}, x31")
    e.emit("fadd.d f0, f0, f1", HANDLER_COST)
    e.emit(f"csrr {e.register()}, fflags", HANDLER_COST)
    e.emit(f"li x31, {status_mask('fs'):#x}", 2)
    e.emit(f"csrs {csr}, x31")


def amu(e: Emitter, x: Excursion) -> None:
    rng = e.rng
    if x.amu():
        rng.choice([ami_blocks.getfin_sequence, ami_blocks.bafin_sequence, ami_blocks.error])(e)
    else:
        e.emit(rng.choice(["getfin a0", "bafin a1", "aload a2, a3", "asignal a4", "csrr a0, NHG_CSR_AMUCAP"]), HANDLER_COST)


def excursion(e: Emitter, ami: bool) -> None:
    rng: random.Random = e.rng
    x = begin(e)
    enter(e, x, rng.choice([USER, USER, SUPERVISOR]))
    for _ in range(rng.randint(4, 16)):
        kind = rng.random()
        if kind < 0.25:
            access(e)
        elif kind < 0.4:
            privileged_instruction(e)
        elif kind < 0.5:
            rng.choice([interrupt, interrupt, external])(e)
        elif kind < 0.65:
            transition(e, x)
        elif kind < 0.7 and x.mode != USER:
            rng.choice([floating_point_off, supervisor_csr])(e, x)
        elif kind < 0.8 and ami:
            amu(e, x)
        elif kind < 0.8 and x.mode == MACHINE:
            rng.choice([lambda: protect(e, x), lambda: trigger_blocks.watch(e)])()
        elif kind < 0.85:
            pmp_blocks.use_page(e, x.page, ami and x.amu() and x.mode != MACHINE)
        elif kind < 0.88:
            fp_blocks.block(e)
        else:
            pick(rng, BODY)(e)
    to_machine(e, x)
    if rng.random() < 0.6:
        e.emit("csrsi mstatus, STATUS_MIE")  # interrupts come to what follows, too
