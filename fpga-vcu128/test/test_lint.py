# SPDX-License-Identifier: Apache-2.0
"""Verilator's lint and elaboration of the whole top with the real core and black boxes of the vendor's IP, all warnings on."""

import subprocess

import pytest

from conftest import DESIGNS, FPGA, ROOT, with_mistake


def lint(design, *options, replaced: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    """Lints the sources listed in the folder `design`; `replaced` gives another path for a file name."""
    sources = (design / "sources.txt").read_text().split()
    sources = [(replaced or {}).get(path.rsplit("/", 1)[-1], path) for path in sources]
    command = [
        "verilator",
        "--lint-only",
        "-Wall",
        *options,
        "--top-module",
        "vcu128_top",
        f"-I{design}",
        f"-I{ROOT / 'shell/rtl'}",
        str(FPGA / "checks" / "lint.vlt"),
        *sources,
        *(str(path) for path in sorted((FPGA / "blackbox").glob("*.sv"))),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@DESIGNS
def test_the_top_is_clean(build, options):
    result = lint(build / "fpga", *options)
    assert result.returncode == 0, result.stderr[:3000]


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (".reset(1'b0), ", "", "PINMISSING"),
        ("output logic [7:0] led", "output logic [6:0] led", "WIDTH"),
        (".locked(clocks_locked)", ".lokced(clocks_locked)", "PINNOTFOUND"),
    ],
)
def test_mistakes_in_the_top_are_found(build, tmp_path, old, new, reason):
    wrong = with_mistake(FPGA / "rtl" / "vcu128_top.sv", tmp_path, old, new)
    result = lint(build / "fpga", replaced={"vcu128_top.sv": str(wrong)})
    assert result.returncode != 0 and reason in result.stderr
