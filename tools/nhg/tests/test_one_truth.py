# SPDX-License-Identifier: Apache-2.0
"""The numbers of the platform stand in tools/platform/platform.toml alone; where documentation or the delayer states them, they agree."""

import re
import subprocess
import sys

import pytest

from nhg import platform
from nhg.paths import ROOT

sys.path.append(str(ROOT / "tools/platform"))
import description
import typed_numbers

CONTRACT = (ROOT / "amu-ext/docs/ami.md").read_text()
REGISTERS = (ROOT / "delayer-ip/rtl/delayer_registers.sv").read_text()
PLATFORM = platform.description()


def test_no_number_of_the_platform_is_typed():
    findings, unused = typed_numbers.typed(ROOT)
    assert [str(finding) for finding in findings] == []
    assert unused == [], "typed_numbers.toml excuses what is not there"


PLANTED = [
    ("Map.scala", "val host = 0x1002_0000L", "HOST_BASE"),
    ("Map.scala", 'val far = "h100000000".U', "FAR_BASE"),
    ("Csr.scala", "val amuctl = 0x7c0", "csr.amuctl"),
    ("Csr.scala", "  3268.U -> amucfg, 0xcc4.U -> amucfg", "csr.amucfg2"),
    ("Decode.scala", 'pattern("0000000", any5, f3(v), "0001011")', "ami.opcode"),
    ("Cause.scala", "val cause = 24.U(5.W) // AMU error", "amu.cause"),
    ("map.sv", "localparam logic [63:0] SPM = 64'h2000_0000;", "SPM_BASE"),
    ("top.sv", "parameter int LOCAL_LATENCY_CYCLES = 240,", "memory.local_latency_cycles"),
    ("top.sv", "output logic [63:0] far_counters[27],", "the number of far counters"),
    ("host.c", "*(volatile uint64_t *)0x10020000u = code;", "HOST_BASE"),
    ("host.c", "*(volatile uint64_t *)268566528 = code;", "HOST_BASE"),
    ("limits.h", "inline constexpr unsigned MaxAmuId = 511;", "amu.max_id"),
    ("limits.h", "inline constexpr unsigned SpmBytes = 32768;", "SPM_SIZE"),
    ("exit.h", "constexpr int kExitWatchdog = 241;", "simulator_exit.watchdog"),
    ("far.cc", ", ".join(f'"{name}"' for name in description.far_counters(PLATFORM)), "the list of far counters"),
    ("ami.S", "  .insn r 0x0b, 5, 0, x0, x1, x2", "ami.opcode"),
    ("ami.cpp", '".insn r CUSTOM_0, 2, 0, $0, x0, x0"', "ami.opcode"),
    ("flags.mk", "ARCH := -march=rv64imac_zicsr", "isa.string"),
    ("board.py", "LOCAL, SIZE = 0x8000_0000, 4096", "LOCAL_BASE"),
    ("map.tcl", "set far_end 0x300000000", "the end of far"),
]


@pytest.mark.parametrize(("file", "line", "name"), PLANTED)
def test_a_planted_number_is_found(tmp_path, file, line, name):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "clean.py").write_text("PAGE_BYTES = 4096\nTABLE = 0x0b1e, 0x17c0, 511\n")
    (tmp_path / file).write_text(f"first\n{line}\n")
    findings, _ = typed_numbers.typed(tmp_path)
    assert name in [finding.name for finding in findings] and {finding.file for finding in findings} == {file}
    done = subprocess.run([sys.executable, ROOT / "tools/platform/typed_numbers.py", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"{file}:" in done.stdout and name in done.stdout


AMUSTATE = {
    "outstanding": "outstanding",
    "waiting": "waiting",
    "signalled": "a signal is remembered",
    "requests": "requests that an open group still expects",
    "target": "resume target of an outstanding group",
}


def contract_problems(text: str) -> list[str]:
    """Sentences and rows that the contract does not have, as the description would have them."""
    ami, amu, spm, csr = PLATFORM["ami"], PLATFORM["amu"], PLATFORM["regions"]["spm"], PLATFORM["csr"]
    fields = ami["fields"]

    def bits(word: str, field: str) -> str:
        lsb, msb = fields[word][field]
        return f"`[{msb}:{lsb}]`"

    def hexadecimal(number: int) -> str:
        return f"0x{number:X}"

    def of_table(instruction: dict) -> str:
        return str(instruction["funct3"]) + (f", `funct7` {instruction['funct7']}" if "funct7" in instruction else "")

    last_config = len(amu["config"]) - 1
    amucap = sum(
        value << fields["amucap"][field][0]
        for field, value in (("max_id", amu["max_id"]), ("spm_words", spm["size"] // 8), ("version", amu["contract_version"]))
    )
    digits = f"{amucap:016X}"
    expected = [
        f"Opcode custom-0 (`0x{ami['opcode']:02X}`), R-type, `funct7 = {ami['funct7']}`",
        *(f"| {of_table(each)} | `{' '.join([name, ', '.join(each['operands'])])}` |" for name, each in ami["instructions"].items()),
        f"| n, 1 … {amu['group_requests_max']} |",
        f"**Address word**: {bits('address_word', 'address')} virtual address",
        f"{bits('address_word', 'target')} resume target",
        f"in {amu['target_unit_bytes']}-byte units",
        f"{bits('address_word', 'size')} log2 of the size in bytes, 0 … {amu['size_log2_max']} ",
        f"**Request word**: {bits('request_word', 'id')} ID",
        f"{bits('request_word', 'offset')} byte offset",
        f"**Task word** (`bafin`): {bits('task_word', 'address')} =",
        f"{bits('task_word', 'slot')} = `ID × spm_slot`",
        *(f"{number} `{name}`" for name, number in amu["config"].items()),
        f"(bytes, power of two, {amu['slot_bytes_min']} … {amu['slot_bytes_max']})",
        f"`amucap` ({hexadecimal(csr['amucap'])}: {bits('amucap', 'max_id')} MaxId, "
        f"{bits('amucap', 'spm_words')} SPM data bytes / 8, {bits('amucap', 'version')}",
        f"version = {amu['contract_version']})",
        f"`amustat` ({hexadecimal(csr['amustat'])}: {bits('amustat', 'outstanding')} outstanding groups, {bits('amustat', 'finished')} finished",
        f"`amucfg{last_config}` ({hexadecimal(csr['amucfg0'])} … {hexadecimal(csr['amucfg0'] + last_config)}: the `aconfig` registers",
        f"`amuhits` ({hexadecimal(csr['amuhits'])}: {bits('amuhits', 'cache')} lines of requests that a cache had, {bits('amuhits', 'memory')} lines",
        f"`amureuse` ({hexadecimal(csr['amureuse'])}: lines that were asked for again",
        f"`amuid` ({hexadecimal(csr['amuid'])}) and `amustate` ({hexadecimal(csr['amustate'])})",
        *(f"`[{':'.join(str(bit) for bit in sorted(set(fields['amustate'][field]), reverse=True))}]` {text}" for field, text in AMUSTATE.items()),
        f"`amuctl` ({hexadecimal(csr['amuctl'])}: bit {fields['amuctl']['on'][0]} AMU on, bit {fields['amuctl']['spm_way'][0]} the SPM way",
        f"precise exception, cause {amu['cause']} ",
        f"not aligned to min(size, {amu['alignment_max']})",
        f"`mtval[{fields['tval']['code'][1]}:{fields['tval']['code'][0]}]` = code, `mtval[{fields['tval']['id'][1]}:{fields['tval']['id'][0]}]` =",
        *(
            f"| {code} | {name.replace('_', ' ').replace('id', 'ID') if 'id' in name.split('_') else name.replace('_', ' ')} |"
            for name, code in description.amu_errors(amu).items()
        ),
        f"outside 1 … {amu['group_requests_max']} |",
        f"size field above {amu['size_log2_max']} |",
        f"register number (all 64 bits) above {last_config} |",
        f"no power of two in {amu['slot_bytes_min']} … {amu['slot_bytes_max']}; `handler_size` or `poll_wait` above {amu['handler_bytes_max']};",
        f"leaves its {amu['page_bytes'] // 1024} KiB page",
        f"MaxId is {amu['max_id']} and the SPM holds {spm['size']} bytes: `amucap` = `0x{'_'.join(digits[i : i + 4] for i in range(0, 16, 4))}`",
        f"Reset: 0, `spm_slot` {amu['slot_bytes_reset']}, `poll_wait` {amu['poll_wait_reset']}.",
        f"(cycles, 0 … {amu['poll_wait_max']})",
        f"`poll_wait` above {amu['poll_wait_max']};",
    ]
    whole = " ".join(text.split())
    return [sentence for sentence in expected if " ".join(sentence.split()) not in whole]


def test_the_contract_states_the_same_numbers():
    assert contract_problems(CONTRACT) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("`0x0B`", "`0x2B`"),
        ("| 4 | `aset", "| 6 | `aset"),
        ("(0xCC1:", "(0xCC9:"),
        ("(0x7C0:", "(0x7C1:"),
        ("(0xCC8:", "(0xCC9:"),
        ("(0x5C1)", "(0x5C2)"),
        ("`[13:8]`", "`[12:8]`"),
        ("MaxId is 511", "MaxId is 255"),
        ("| 7 | slot overrun |", "| 8 | slot overrun |"),
        ("`[59:39]`", "`[58:39]`"),
        ("cause 24", "cause 25"),
        ("8 … 4096)", "8 … 2048)"),
        ("`spm_slot` 64,", "`spm_slot` 32,"),
        ("`poll_wait` 1024.", "`poll_wait` 512."),
        ("_1000_01FF", "_1000_00FF"),
        ("above 65535", "above 32767"),
    ],
)
def test_another_number_in_the_contract_is_found(old, new):
    assert old in CONTRACT and contract_problems(CONTRACT.replace(old, new)) != []


# What delayer_registers.sv calls a register where it is not its name in the description.
CALLED = {"LATENCY": "latency_cycles", "COUNTER_BASE": "reads"}


def delayer_problems(source: str) -> list[str]:
    """Registers that the delayer, which is packaged alone, has elsewhere than the description says."""
    registers = PLATFORM["registers"]["far_control"]
    indices = {name: int(index) for name, index in re.findall(r"\b([A-Z_]+) = 9'd(\d+)", source)}
    table = {name.lower(): int(offset, 16) for offset, name in re.findall(r"^//   (0x\w{3}) ([A-Z_]+) ", source, flags=re.M)}
    found = [name for name, index in indices.items() if registers[CALLED.get(name, name.lower())]["offset"] != description.REGISTER_BYTES * index]
    found += [name for name, offset in table.items() if registers[name]["offset"] != offset]
    if int(re.search(r"COUNTERS = (\d+);", source)[1]) != len(description.far_counters(PLATFORM)):
        found.append("COUNTERS")
    if len(indices) < 11 or len(table) < 11:
        found.append("the table of registers cannot be read")
    return found


def test_the_delayers_registers_are_the_descriptions():
    assert delayer_problems(REGISTERS) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("BANDWIDTH_MODE = 9'd42", "BANDWIDTH_MODE = 9'd43"),
        ("COUNTERS = 27", "COUNTERS = 26"),
        ("0x038 JITTER_SEED", "0x030 JITTER_SEED"),
        ("COUNTER_BASE = 9'd8", "COUNTER_BASE = 9'd7"),
    ],
)
def test_another_place_of_a_register_is_found(old, new):
    assert old in REGISTERS and delayer_problems(REGISTERS.replace(old, new)) != []
