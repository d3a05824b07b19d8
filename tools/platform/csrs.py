# SPDX-License-Identifier: Apache-2.0
"""The CSRs of csrs.toml: their fields and masks, and what the languages get of them. ValueError: the description contradicts itself."""

from typing import NamedTuple

XLEN = 64
LANE_BITS = 8


class Field(NamedTuple):
    """Bits lsb ... msb that a program may change; `legal` empty: to every value, otherwise what is not among them becomes the first."""

    name: str
    lsb: int
    msb: int
    legal: tuple[int, ...]

    @property
    def mask(self) -> int:
        return (1 << (self.msb + 1)) - (1 << self.lsb)


class Register(NamedTuple):
    """`fixed`: bits that always read 1. `derived`: masks of what follows from fields or lines. `reset`: values of fields after reset that are not zero."""

    name: str
    number: int
    fields: tuple[Field, ...]
    fixed: dict[str, int]
    derived: dict[str, int]
    sticky: tuple[str, ...]
    reset: dict[str, int]

    @property
    def write_mask(self) -> int:
        return sum(field.mask for field in self.fields)

    @property
    def fixed_value(self) -> int:
        return sum(self.fixed.values())

    @property
    def read_mask(self) -> int:
        return self.write_mask | self.fixed_value | sum(self.derived.values())


class View(NamedTuple):
    """Some fields of a register under a number of their own, and which of them it changes."""

    name: str
    number: int
    of: Register
    fields: tuple[str, ...]
    writable: tuple[str, ...]

    def mask(self, writable: bool) -> int:
        register = self.of
        bits = {field.name: field.mask for field in register.fields}
        if not writable:
            bits |= register.fixed | register.derived
        return sum(bits[name] for name in (self.writable if writable else self.fields) if name in bits)


def _bits(where: str, bits: int | list[int]) -> tuple[int, int]:
    lsb, msb = (bits, bits) if isinstance(bits, int) else (bits[0], bits[1])
    if not 0 <= lsb <= msb < XLEN:
        raise ValueError(f"{where}: bits {bits} are not inside {XLEN} bits, lowest first")
    return lsb, msb


def _fields(name: str, entry: dict) -> tuple[Field, ...]:
    legal = entry.get("legal", {})
    if unknown := set(legal) - set(entry["fields"]):
        raise ValueError(f"csrs.toml: {name} has legal values of {min(unknown)}, which is no field")
    plain = [Field(field, *_bits(f"csrs.toml: {name}.{field}", bits), tuple(legal.get(field, ()))) for field, bits in entry["fields"].items()]
    starts = enumerate(range(0, entry.get("lanes", 0) * LANE_BITS, LANE_BITS))
    lanes = [Field(f"{each.name}{lane}", each.lsb + start, each.msb + start, each.legal) for lane, start in starts for each in plain]
    return tuple(lanes or plain)


def registers(csrs: dict) -> list[Register]:
    """In the order of the description, which is that of the commit trace; of arrays each element."""
    found = _registers(csrs["registers"], csrs["reset"])
    if unknown := set(csrs["reset"]) - {register.name for register in found}:
        raise ValueError(f"csrs.toml: [reset] names {min(unknown)}, which is no CSR of the table")
    return found


def debug_registers(csrs: dict) -> list[Register]:
    """Those of debug mode."""
    return _registers(csrs.get("debug", {}), {})


def _registers(entries: dict, resets: dict) -> list[Register]:
    found = []
    for array, entry in entries.items():
        fields = _fields(array, entry)
        fixed = {field: value << lsb for field, (lsb, _, value) in entry.get("fixed", {}).items()}
        derived = {name: Field(name, *_bits(f"csrs.toml: {array}.{name}", bits), ()).mask for name, bits in entry.get("derived", {}).items()}
        for index in range(0, entry.get("count", 1) * entry.get("step", 1), entry.get("step", 1)):
            name = f"{array}{index}" if "count" in entry else array
            reset = resets.get(name, {})
            register = Register(name, entry["number"] + index, fields, fixed, derived, tuple(entry.get("sticky", ())), reset)
            if fields and fields[-1].msb >= XLEN:
                raise ValueError(f"csrs.toml: {name}.{fields[-1].name}: bits {fields[-1].lsb} to {fields[-1].msb} are not inside {XLEN} bits")
            if register.write_mask.bit_count() != sum(field.msb - field.lsb + 1 for field in fields) or register.write_mask & register.fixed_value:
                raise ValueError(f"csrs.toml: fields of {name} overlap")
            if unknown := set(reset) - {field.name for field in fields}:
                raise ValueError(f"csrs.toml: {name} resets {min(unknown)}, which is no field")
            found.append(register)
    return found


def views(csrs: dict) -> list[View]:
    whole = {register.name: register for register in registers(csrs)}
    return [
        View(name, entry["number"], whole[entry["of"]], tuple(entry["fields"]), tuple(entry.get("writable", entry["fields"])))
        for name, entry in csrs["views"].items()
    ]


def zero_ranges(csrs: dict) -> dict[str, tuple[int, int]]:
    """First and last number of what is there and reads zero."""
    return {name: (first, last) for name, (first, last) in csrs["zero"].items()}


def check(csrs: dict) -> None:
    """Raises ValueError if a number is given twice."""
    numbers = [(register.number, register.name) for register in registers(csrs) + debug_registers(csrs)]
    numbers += [(view.number, view.name) for view in views(csrs)]
    numbers += [(number, name) for name, (first, last) in zero_ranges(csrs).items() for number in range(first, last + 1)]
    seen: dict[int, str] = {}
    for number, name in numbers:
        if number in seen:
            raise ValueError(f"csrs.toml: {name} and {seen[number]} have the number {number:#x}")
        seen[number] = name


def c_header(csrs: dict) -> list[str]:
    """X(name, number, bits that a program may change, bits that may be set) of each register and view; first and last number of zero ones."""
    rows = [(each.name, each.number, each.write_mask, each.read_mask) for each in registers(csrs)]
    shown = [(each.name, each.number, each.mask(True), each.mask(False)) for each in views(csrs)]

    def table(values: list[tuple[str, int, int, int]]) -> str:
        return " ".join(f"X({name}, {number:#x}, {write:#x}, {read:#x})" for name, number, write, read in values)

    return [
        f"#define NHG_PRIVILEGED_CSRS(X) {table(rows)}",
        f"#define NHG_CSR_VIEWS(X) {table(shown)}",
        f"#define NHG_ZERO_CSRS(X) {' '.join(f'X({name}, {first:#x}, {last:#x})' for name, (first, last) in zero_ranges(csrs).items())}",
    ]


def scala_objects(csrs: dict) -> str:
    """Package `platform`: the table, by name."""

    def long(value: int) -> str:
        return f'BigInt("{value:x}", 16)'

    def field(each: Field) -> str:
        return f'CsrField("{each.name}", {each.lsb}, {each.msb}, Seq({", ".join(map(str, each.legal))}))'

    def register(each: Register) -> str:
        reset = ", ".join(f'"{name}" -> BigInt({value})' for name, value in each.reset.items())
        return f'CsrRegister("{each.name}", {each.number:#x}, Seq({", ".join(map(field, each.fields))}), {long(each.fixed_value)}, Map({reset}))'

    def view(each: View) -> str:
        names = {field.name for field in each.of.fields}
        shown = ", ".join(f'"{name}"' for name in each.fields if name in names)
        return f'CsrView("{each.name}", {each.number:#x}, "{each.of.name}", Seq({shown}), {long(each.mask(False))})'

    def sequence(kind: str, values: list[str]) -> str:
        return f"Seq[{kind}](\n    " + ",\n    ".join(values) + "\n  )"

    zero = [f"({first:#x}, {last:#x})" for first, last in zero_ranges(csrs).values()]
    return (
        "/** Bits lsb … msb of a CSR that a program may change; with `legal` to those values, others become the first. */\n"
        "case class CsrField(name: String, lsb: Int, msb: Int, legal: Seq[Int]) {\n  def bits: Int = msb - lsb + 1\n}\n\n"
        "/** A CSR of its own; `fixed`: bits that always read 1; `reset`: values after reset that are not zero, by field. */\n"
        "case class CsrRegister(name: String, number: Int, fields: Seq[CsrField], fixed: BigInt, reset: Map[String, BigInt])\n\n"
        "/** Fields of another CSR under a number of their own; `mask`: the bits that it shows. */\n"
        "case class CsrView(name: String, number: Int, of: String, fields: Seq[String], mask: BigInt)\n\n"
        "/** CSRs of M and S mode; `debug`: those of debug mode; `zero`: first and last number of those that read zero. */\nobject PrivilegedCsrs {\n"
        f"  val registers: Seq[CsrRegister] = {sequence('CsrRegister', [register(each) for each in registers(csrs)])}\n"
        f"  val debug: Seq[CsrRegister] = {sequence('CsrRegister', [register(each) for each in debug_registers(csrs)])}\n"
        f"  val views: Seq[CsrView] = {sequence('CsrView', [view(each) for each in views(csrs)])}\n"
        f"  val zero: Seq[(Int, Int)] = Seq({', '.join(zero)})\n}}\n"
    )
