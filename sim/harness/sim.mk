# SPDX-License-Identifier: Apache-2.0
# The RTL simulator. Include it from the top Makefile or use it alone from the repository root:
#   make -f sim/harness/sim.mk build/sim/nhg-sim
# CORE_DIR holds the core's Verilog: filelist.f (relative names) and NhgSoc.sv; SIM_DIR takes the results.

TOOLCHAIN ?= $(or $(NHG_TOOLCHAIN),$(CURDIR)/.toolchain)
CORE_DIR ?= build/rtl
SIM_DIR ?= build/sim
SIM_JOBS ?= 2
SIM_THREADS ?= 1
PLATFORM_DIR := build/gen

SIM_SV := $(wildcard delayer-ip/rtl/*.sv) delayer-ip/tb/axi4_checker.sv sim/rtl/sim_dpi.sv \
  $(filter-out sim/rtl/sim_dpi.sv,$(wildcard sim/rtl/*.sv))
SIM_CC := $(wildcard sim/harness/*.cc) sim/golden/image.cc
SIM_H := $(wildcard sim/harness/*.h) sim/golden/image.h sim/golden/golden.h sim/golden/checkpoint_format.h

VERILATOR_FLAGS := --cc --exe --build -j $(SIM_JOBS) --threads $(SIM_THREADS) --top-module sim_top --prefix Vsim_top \
  -O3 --x-assign fast --x-initial unique --noassert-case --assert --output-split 20000 --output-split-cfuncs 2000 \
  -Wno-fatal -Wno-WIDTH -Wno-UNUSED -Wno-GENUNNAMED \
  -I$(abspath $(SIM_DIR)) -CFLAGS "-std=c++17 -DVL_USER_FATAL -DVL_USER_STOP -I$(abspath $(SIM_DIR)) \
  -I$(abspath $(PLATFORM_DIR)) -I$(abspath sim/harness) -I$(abspath sim/golden)" -LDFLAGS -ldl \
  -MAKEFLAGS "OPT_FAST=-O3 OPT_SLOW=-O1 OPT_GLOBAL=-O3"

$(PLATFORM_DIR)/platform.h: tools/platform/generate.py tools/platform/platform.toml
	python3 tools/platform/generate.py $(PLATFORM_DIR)

$(SIM_DIR)/nhg_probes.svh: sim/harness/probes.py $(CORE_DIR)/NhgSoc.sv
	python3 sim/harness/probes.py $(CORE_DIR)/NhgSoc.sv $(SIM_DIR)
	touch $@

SIM_INPUTS := $(SIM_SV) $(SIM_CC) $(SIM_H) $(SIM_DIR)/nhg_probes.svh $(PLATFORM_DIR)/platform.h $(CORE_DIR)/filelist.f

$(SIM_DIR)/nhg-sim: $(SIM_INPUTS) $(wildcard $(CORE_DIR)/*.sv)
	$(TOOLCHAIN)/bin/verilator $(VERILATOR_FLAGS) --Mdir $(SIM_DIR)/obj -o $(abspath $@) \
	  $(SIM_SV) -F $(CORE_DIR)/filelist.f $(abspath $(SIM_CC))

$(SIM_DIR)/nhg-sim-trace: $(SIM_INPUTS) $(wildcard $(CORE_DIR)/*.sv)
	$(TOOLCHAIN)/bin/verilator $(VERILATOR_FLAGS) --trace --Mdir $(SIM_DIR)/obj-trace -o $(abspath $@) \
	  $(SIM_SV) -F $(CORE_DIR)/filelist.f $(abspath $(SIM_CC))
