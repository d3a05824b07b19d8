# SPDX-License-Identifier: Apache-2.0
"""Dependencies of the hardware folders run one way: what a makefile, script or source reads by its path is in the folder itself or below it.

shell/README.md says why. Comments do not count.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Folder -> the folders with sources that it may read; the first that fits.
MAY_READ = {
    "delayer-ip": {"delayer-ip", "tools"},
    "shell": {"shell", "delayer-ip", "bus", "amu-ext", "xiangshan", "tools"},
    "fpga-vcu128": {"fpga-vcu128", "shell", "delayer-ip", "tools"},
    "sim/board": {"sim", "fpga-vcu128", "shell", "delayer-ip", "software", "tools"},
    "sim/fpu": {"sim", "xiangshan", "tools"},
    "sim": {"sim", "shell", "delayer-ip", "software", "tools"},
}
KINDS = {".mk", ".py", ".tcl", ".sv", ".svh", ".v", ".cc", ".h"}
COMMENT = re.compile(r'^\s*(?:#(?!include)|//)[^\n]*$|""".*?"""', re.MULTILINE | re.DOTALL)
FOLDERS = "amu-ext|bus|delayer-ip|experiments|fpga-vcu128|shell|sim|software|tools|xiangshan"  # with sources
# $(ROOT)/sim, ../sim, ROOT / "sim", path.parents[2] / "sim", (HERE.parent / f"sim/...", and a text that begins with sim/
REFERENCE = re.compile(
    rf"""(?:\$\(ROOT\)/|\.\./|(?:ROOT|root|parent|parents\[\d\])\)?\ /\ f?["']|(?<!BUILD\ /\ )(?<!build\ /\ )["'](?={FOLDERS}/))
                            ({FOLDERS})(?![\w.-])""",
    re.VERBOSE,
)


def against_the_order(path: str, text: str) -> list[str]:
    """References of a file, by its path from the root, that its folder may not make."""
    folder = next(folder for folder in MAY_READ if f"{path}/".startswith(f"{folder}/"))
    return [f"{path} reads {name}/" for name in sorted(set(REFERENCE.findall(COMMENT.sub("", text))) - MAY_READ[folder])]


def test_nothing_reads_against_the_order():
    files = [
        path
        for folder in ("delayer-ip", "shell", "fpga-vcu128", "sim")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in KINDS or path.name == "Makefile"
    ]
    assert len(files) > 100
    assert [line for path in files for line in against_the_order(str(path.relative_to(ROOT)), path.read_text())] == []


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("fpga-vcu128/Makefile", "include $(dir $(lastword $(MAKEFILE_LIST)))../sim/sim.mk", "sim"),
        ("fpga-vcu128/xstop/ports.py", 'sys.path += [str(HERE.parents[1] / "sim" / "harness")]', "sim"),
        ("sim/harness/Makefile", "SV := $(addprefix $(ROOT)/fpga-vcu128/rtl/,device_port.sv)", "fpga-vcu128"),
        ("shell/shell.mk", "SV := $(wildcard $(ROOT)/sim/rtl/*.sv)", "sim"),
        ("delayer-ip/checks/resources_of_ip.py", 'sys.path.insert(0, str(IP.parent / "fpga-vcu128/checks"))', "fpga-vcu128"),
        ("fpga-vcu128/test/test_rtl.py", 'FILES = ("sim/rtl/behavioural_memory.sv",)', "sim"),
        ("sim/rtl/sim_top.sv", '`include "../fpga-vcu128/rtl/ports.svh"', "fpga-vcu128"),
    ],
)
def test_a_reference_against_the_order_is_found(path, text, found):
    assert against_the_order(path, text) == [f"{path} reads {found}/"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("sim/board/Makefile", "SV := $(wildcard $(ROOT)/fpga-vcu128/rtl/*.sv)"),
        ("sim/tests/rtl.py", 'SIM = BUILD / "sim/nhg-sim"'),
        ("fpga-vcu128/Makefile", "# simulated: sim/board"),
        ("sim/harness/Makefile", "include $(dir $(lastword $(MAKEFILE_LIST)))../../shell/shell.mk"),
    ],
)
def test_a_reference_in_the_order_passes(path, text):
    assert against_the_order(path, text) == []
