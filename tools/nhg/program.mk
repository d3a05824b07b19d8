# SPDX-License-Identifier: Apache-2.0
#
# Builds one program of one benchmark. The command line (build.py) gives
#   ROOT ARCH=riscv|linux|x86 OUT=folder SOURCES="absolute paths" DEFINES="-D..." PLUGIN_FLAGS="..." FLAGS="..." BENCH_DIR=folder [PAGE_BITS=21]
# Out: $(OUT)/program, and what the compiler said of each source in $(OUT)/<source>.o.log. Flags are those of software/runtime/flags.mk.

include $(ROOT)/software/runtime/flags.mk

COMMON := $(ROOT)/software/bench/common
INCLUDES := -I$(BENCH_DIR) -I$(COMMON) -I$(ROOT)/software/tasks/include
OPTIMISE := -O2
TASKS := $(BUILD)/tasks/$(ARCH)/libtasks.a
# A line table, which changes no code: tools/nhg/parts.py. Without paths of this machine.
LINES := -gline-tables-only -gno-record-command-line -fdebug-compilation-dir=. -fdebug-prefix-map=$(ROOT)=. -fdebug-prefix-map=$(TOOLCHAIN)=toolchain

ifeq ($(ARCH),riscv)
CFLAGS := $(RISCV_CFLAGS) $(LINES)
CXXFLAGS := $(RISCV_CXXFLAGS) $(LINES)
LINK = $(CLANG) $(RISCV_LDFLAGS) $(RISCV_CRT) $(OBJECTS) $(TASKS) $(RISCV_LIBS)
LIBRARIES := $(RISCV_CRT) $(TASKS) $(BUILD)/runtime/riscv/libnhg.a $(RUNTIME)/riscv/program.ld
else ifeq ($(ARCH),linux)
CFLAGS := $(LINUX_CFLAGS) $(LINES)
CXXFLAGS := $(LINUX_CXXFLAGS) $(LINES)
LINK = $(CLANG) $(LINUX_LDFLAGS) $(OBJECTS) $(LINUX_LIBS)
LIBRARIES := $(LINUX_LIBS)
else
CFLAGS := $(X86_CFLAGS)
CXXFLAGS := $(X86_CXXFLAGS)
LINK = $(CLANG) -fuse-ld=lld $(OBJECTS) $(TASKS) $(X86_LIBS)
LIBRARIES := $(TASKS) $(X86_LIBS)
endif

PLUGIN := $(patsubst -fplugin=%,%,$(filter -fplugin=%,$(PLUGIN_FLAGS)))
DESCRIPTION := $(MAKEFILE_LIST)
OBJECTS := $(foreach source,$(SOURCES),$(OUT)/$(notdir $(source)).o)

.DEFAULT_GOAL := $(OUT)/program
.DELETE_ON_ERROR:

$(OUT)/program: $(OBJECTS) $(LIBRARIES)
	$(LINK) -o $@

# $(1) source, $(2) compiler and its flags
define compile
$(OUT)/$(notdir $(1)).o: $(1) $(PLUGIN) $(DESCRIPTION)
	$(2) $(OPTIMISE) -Wall -MMD -MP $(INCLUDES) $(DEFINES) $(PLUGIN_FLAGS) $(FLAGS) -c $$< -o $$@ \
	  2> $$@.log || { cat $$@.log >&2; exit 1; }
endef
$(foreach source,$(filter %.c,$(SOURCES)),$(eval $(call compile,$(source),$(CLANG) $(CFLAGS))))
$(foreach source,$(filter %.cpp %.cc,$(SOURCES)),$(eval $(call compile,$(source),$(CLANGXX) $(CXXFLAGS))))

-include $(wildcard $(OUT)/*.d)
