# SPDX-License-Identifier: Apache-2.0
"""The table of the design's state from Verilator's header."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "model_state.py"
HEADER = """
class alignas(VL_CACHE_LINE_BYTES) Vsim_top___024root final : public VerilatedModule {
  public:
    // CELLS
    Vsim_top_sim_dpi* __PVT__sim_dpi;

    // DESIGN SPECIFIC STATE
    struct {
        VL_IN8(clock,0,0);
        VL_OUT64(probes[53],63,0);
        CData/*2:0*/ sim_top__DOT__core__DOT__tile__DOT__state;
        CData/*0:0*/ __VdlySet__sim_top__DOT__core__DOT__table__v0;
        IData/*31:0*/ sim_top__DOT__delayer__DOT__now;
        IData/*21:0*/ sim_top__DOT__core__DOT__tile__DOT__lsu__DOT__cycles_1;
        QData/*63:0*/ sim_top__DOT__core__DOT__tile__DOT__perf__DOT__io_perf_stallRob_total;
        QData/*63:0*/ __Vdly__sim_top__DOT__core__DOT__tile__DOT__perf__DOT__io_perf_stallRob_total;
        CData/*3:0*/ sim_top__DOT__core__DOT____Vlvbound_h86bd7b94__0;
        VlWide<3>/*94:0*/ sim_top__DOT__core__DOT__wide;
        VlUnpacked<VlWide<3>/*94:0*/, 64> sim_top__DOT__core__DOT__table;
        VlUnpacked<SData/*8:0*/, 16> sim_top__DOT__core__DOT__unguarded;
        VlUnpacked<VlQueue<CData/*7:0*/>, 2048> sim_top__DOT__core_port_checker__DOT__read_lens;
    };
    VlTriggerVec<6> __VactTriggered;
ADDED
    // INTERNAL VARIABLES
"""
TABLE = """// SPDX-License-Identifier: Apache-2.0
NHG_STATE(FIXED, 1, clock)
NHG_STATE(DERIVED, 64, probes)
NHG_STATE(FIXED, 3, sim_top__DOT__core__DOT__tile__DOT__state)
NHG_STATE(WRITTEN, 1, __VdlySet__sim_top__DOT__core__DOT__table__v0)
NHG_STATE(COUNTER, 32, sim_top__DOT__delayer__DOT__now)
NHG_STATE(WAIT, 22, sim_top__DOT__core__DOT__tile__DOT__lsu__DOT__cycles_1)
NHG_STATE(COUNTER, 64, sim_top__DOT__core__DOT__tile__DOT__perf__DOT__io_perf_stallRob_total)
NHG_STATE(SCRATCH, 64, __Vdly__sim_top__DOT__core__DOT__tile__DOT__perf__DOT__io_perf_stallRob_total)
NHG_STATE(SCRATCH, 4, sim_top__DOT__core__DOT____Vlvbound_h86bd7b94__0)
NHG_STATE(FIXED, 95, sim_top__DOT__core__DOT__wide)
NHG_STATE(ARRAY, 95, sim_top__DOT__core__DOT__table)
NHG_STATE(FIXED, 9, sim_top__DOT__core__DOT__unguarded)
NHG_STATE(OPAQUE, 0, sim_top__DOT__core_port_checker__DOT__read_lens)
NHG_STATE(SCRATCH, 0, __VactTriggered)
"""


def table(folder: Path, added: str = "") -> tuple[int, str, str]:
    header, out = folder / "root.h", folder / "state.inc"
    header.write_text(HEADER.replace("ADDED", added))
    done = subprocess.run([sys.executable, PROGRAM, header, out], capture_output=True, text=True)
    return done.returncode, done.stderr.replace(f"{header}: ", ""), out.read_text() if out.exists() else ""


def test_every_kind(tmp_path: Path) -> None:
    assert table(tmp_path) == (0, "", TABLE)


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (
            "    VlAssocArray<IData/*31:0*/> sim_top__DOT__core__DOT__seen;",
            "cannot read the member 'VlAssocArray<IData/*31:0*/> sim_top__DOT__core__DOT__seen'",
        ),
        ("    VlQueue<CData/*7:0*/> sim_top__DOT__core__DOT__waiting;", "a queue of the design, core.waiting, which nobody compares"),
    ],
)
def test_state_that_nobody_would_compare_is_refused(tmp_path: Path, added: str, message: str) -> None:
    code, stderr, _ = table(tmp_path, added)
    assert code == 1 and message in stderr and stderr.count("\n") == 1


def test_another_verilator_is_refused(tmp_path: Path) -> None:
    (tmp_path / "root.h").write_text("class Vsim_top___024root final {};\n")
    done = subprocess.run([sys.executable, PROGRAM, tmp_path / "root.h", tmp_path / "x"], capture_output=True, text=True)
    assert done.returncode == 1 and "this Verilator writes another header" in done.stderr
