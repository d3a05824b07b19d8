# SPDX-License-Identifier: Apache-2.0
#
# Builds what programs run on and with: make -f tools/models.mk runtime plugin golden sim guided trace [BUILD=dir] [NHG_TOOLCHAIN=dir] [CONFIG=core]
# Each part has its own Makefile, which does nothing when the part is up to date.

ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
BUILD ?= $(ROOT)/build
NHG_TOOLCHAIN ?= $(ROOT)/.toolchain
PASS := BUILD=$(BUILD) NHG_TOOLCHAIN=$(NHG_TOOLCHAIN) $(if $(CONFIG),CONFIG=$(CONFIG))

.PHONY: all runtime plugin golden sim guided trace
all: runtime plugin golden sim

runtime:
	+$(MAKE) -C $(ROOT)/software/runtime $(PASS)
	+$(MAKE) -C $(ROOT)/software/tasks $(PASS)

plugin:
	+$(MAKE) -C $(ROOT)/software/compiler $(PASS)

golden:
	+$(MAKE) -C $(ROOT)/sim/golden $(PASS)

sim: golden
	+$(MAKE) -C $(ROOT)/sim/harness $(PASS)

# The same simulator, faster: guided by a profile that it takes while a program runs
guided: golden runtime
	+$(MAKE) -C $(ROOT)/sim/harness guided $(PASS)

# The simulator with waveforms and pipeline log
trace: golden
	+$(MAKE) -C $(ROOT)/sim/harness trace $(PASS)
