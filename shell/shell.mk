# SPDX-License-Identifier: Apache-2.0
#
# What the simulators (sim/) and the board (fpga-vcu128/) share: paths, the core's Verilog, generated tables, Verilator.
# CORE_DIR holds the core's Verilog: filelist.f (relative names) and NhgSoc.sv; SIM_DIR takes the simulator or the board's list of
# sources, by default the folder SIM_NAME of the build. CONFIG names another core of NhgParams.scala: its Verilog and what is built of it go to a
# folder of that name in the build.

ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
TOOLCHAIN := $(or $(NHG_TOOLCHAIN),$(ROOT)/.toolchain)
BUILD ?= $(ROOT)/build
GEN := $(BUILD)/gen
CONFIG ?= default
CORE_BUILD := $(BUILD)$(if $(filter-out default,$(CONFIG)),/$(CONFIG))
CORE_DIR ?= $(CORE_BUILD)/rtl
SIM_DIR ?= $(CORE_BUILD)/$(SIM_NAME)
PYTHON ?= $(or $(wildcard $(TOOLCHAIN)/venv/bin/python),python3)
TEST_PYTHON ?= $(TOOLCHAIN)/venv/bin/python
JOBS ?= 2
THREADS ?= 1

# Verilog around the core, in order of compilation
SHELL_DIR := $(ROOT)/shell
SHELL_HEADERS := $(wildcard $(SHELL_DIR)/rtl/*.svh) $(SHELL_DIR)/keep.vlt
SHELL_SV := $(GEN)/platform_pkg.sv $(SHELL_DIR)/rtl/bus_types.sv $(filter-out %/bus_types.sv,$(wildcard $(SHELL_DIR)/rtl/*.sv)) \
  $(wildcard $(ROOT)/delayer-ip/rtl/*.sv)

SCALA := $(shell find $(addprefix $(ROOT)/,common/src/main bus/src/main amu-ext/src/main xiangshan/src/main) -name '*.scala' 2>/dev/null) \
  $(ROOT)/build.sc
PLATFORM := $(wildcard $(ROOT)/tools/platform/*.toml $(ROOT)/tools/platform/*.py)

# What a register is that was never set: part of a simulator's results
VERILATOR_UNKNOWN := --x-assign fast --x-initial unique
CXX_CLANG := CXX=$(TOOLCHAIN)/bin/clang++ LINK=$(TOOLCHAIN)/bin/clang++ OPT_SLOW=-O0
VERILATOR_COMMON := --cc --exe -j $(JOBS) --threads $(THREADS) \
  -O3 $(VERILATOR_UNKNOWN) --assert --output-split 20000 --output-split-cfuncs 2000 \
  -Wno-fatal -Wno-WIDTH -Wno-UNUSED -Wno-GENUNNAMED -I$(SIM_DIR) -I$(SHELL_DIR)/rtl \
  $(SHELL_DIR)/keep.vlt -LDFLAGS -ldl -MAKEFLAGS "$(CXX_CLANG) OPT_FAST=-O1 OPT_GLOBAL=-O1"

# $(call logged,log file,what): the end of a recipe line
logged = > $(1) 2>&1 || { tail -n 30 $(1) >&2; echo "$(notdir $@): $(2) failed; the whole output is in $(1)" >&2; exit 1; }

$(SIM_DIR)/nhg_probes.svh: $(SHELL_DIR)/probes.py $(CORE_DIR)/filelist.f $(PLATFORM)
	@$(PYTHON) $(SHELL_DIR)/probes.py $(CORE_DIR)/NhgSoc.sv $(SIM_DIR)
	@touch $@

$(GEN)/platform.h $(GEN)/platform_pkg.sv &: $(PLATFORM)
	@$(PYTHON) $(ROOT)/tools/platform/generate.py $(GEN)
	@touch $(GEN)/platform.h $(GEN)/platform_pkg.sv

# The Verilog is replaced as a whole, so that no module of an older core stays behind.
$(CORE_BUILD)/rtl/filelist.f: $(CORE_BUILD)/fir/NhgSoc.fir
	@rm -rf $(CORE_BUILD)/rtl.new
	@$(TOOLCHAIN)/bin/firtool $< --split-verilog -o $(CORE_BUILD)/rtl.new --disable-all-randomization \
	  $(call logged,$(CORE_BUILD)/fir/firtool.log,firtool)
	@rm -rf $(CORE_BUILD)/rtl && mv $(CORE_BUILD)/rtl.new $(CORE_BUILD)/rtl && touch $@

$(CORE_BUILD)/fir/NhgSoc.fir: $(SCALA) $(PLATFORM)
	@mkdir -p $(CORE_BUILD)/fir
	@echo "elaborating the core"
	@cd $(ROOT) && $(TOOLCHAIN)/bin/mill --no-server nhg.runMain nhg.soc.Elaborate $(CORE_BUILD)/fir $(CONFIG) \
	  $(call logged,$(CORE_BUILD)/fir/mill.log,elaboration)
	@touch $@
