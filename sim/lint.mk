# SPDX-License-Identifier: Apache-2.0
#
# `make lint` of a simulator: Verilator's lint of its whole design with all warnings. The traffic generator stands in for the
# core, so that nothing has to be built. Set before: SV, LINT_TOP (top module), LINT_FLAGS.

lint:
	@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) CORE_DIR=$(ROOT)/sim/harness/test SIM_DIR=$(SIM_DIR)-lint lint-design

lint-design: $(SIM_DIR)/nhg_probes.svh $(GEN)/platform.h
	@$(TOOLCHAIN)/bin/verilator --lint-only -Wall --assert --quiet-stats $(LINT_FLAGS) --top-module $(LINT_TOP) \
	  $(filter -I%,$(VERILATOR_COMMON)) $(ROOT)/sim/lint.vlt $(SV) -F $(CORE_DIR)/filelist.f

.PHONY: lint lint-design
