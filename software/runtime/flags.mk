# SPDX-License-Identifier: Apache-2.0
#
# How a program for NH-G (or natively for x86-64) is compiled and linked. Needs ROOT = repository root.
#   C:    $(CLANG)   $(RISCV_CFLAGS)   -O2 -c a.c  -o a.o
#   C++:  $(CLANGXX) $(RISCV_CXXFLAGS) -O2 -c b.cc -o b.o
#   link: $(CLANG)   $(RISCV_LDFLAGS)  $(RISCV_CRT) a.o b.o $(RISCV_LIBS) -o program.elf
# With PAGE_BITS (12 or 21) programs run under Sv39, in S mode, with pages of 2^PAGE_BITS bytes (riscv/translation.c).
# C++ is C++20 without exceptions, RTTI and threads: the headers of libc++, with libcxx.cc for what they need of its library.

, := ,
BUILD ?= $(ROOT)/build
TOOLCHAIN := $(or $(NHG_TOOLCHAIN),$(ROOT)/.toolchain)
CLANG := $(TOOLCHAIN)/bin/clang
CLANGXX := $(TOOLCHAIN)/bin/clang++
AR := $(TOOLCHAIN)/bin/llvm-ar
PYTHON ?= python3
RUNTIME := $(ROOT)/software/runtime
SYSROOT := $(TOOLCHAIN)/riscv

PLATFORM_HEADER := $(BUILD)/gen/platform.h
COMMON_INCLUDES := -I$(RUNTIME)/include -I$(RUNTIME) -I$(BUILD)/gen

# clang reads @file as arguments; the driver coroamu-cc reads the same files.
RISCV_ARCH := @$(BUILD)/gen/riscv.flags
RISCV_CFLAGS := $(RISCV_ARCH) @$(RUNTIME)/riscv/compile.flags $(COMMON_INCLUDES) -isystem $(SYSROOT)/include
RISCV_CXXFLAGS := $(RISCV_ARCH) @$(RUNTIME)/riscv/compile.flags @$(RUNTIME)/riscv/cxx.flags $(COMMON_INCLUDES) \
  -isystem $(SYSROOT)/include/c++/v1 -isystem $(SYSROOT)/include
RISCV_LDFLAGS := $(RISCV_ARCH) @$(RUNTIME)/riscv/link.flags -fuse-ld=$(TOOLCHAIN)/bin/ld.lld -L$(BUILD)/gen \
  -T $(RUNTIME)/riscv/program.ld $(if $(PAGE_BITS),-Wl$(,)--defsym=__page_bits=$(PAGE_BITS))
RISCV_CRT := $(BUILD)/runtime/riscv/$(if $(PAGE_BITS),crt0_pages,crt0).o
RISCV_LIBS := $(BUILD)/runtime/riscv/libnhg.a -L$(SYSROOT)/lib -lc -lgcc

X86_CFLAGS := -march=x86-64-v2 $(COMMON_INCLUDES)
X86_CXXFLAGS := $(X86_CFLAGS) @$(RUNTIME)/riscv/cxx.flags -isystem $(SYSROOT)/include/c++/v1
# Static programs of Linux on NH-G: the part `linux` of the toolchain has their C library.
LINUX_ARCH := $(RISCV_ARCH) --target=riscv64-linux-gnu --sysroot=$(TOOLCHAIN)/linux/sysroot
LINUX_CFLAGS := $(LINUX_ARCH) $(COMMON_INCLUDES)
LINUX_CXXFLAGS := $(LINUX_CFLAGS) @$(RUNTIME)/riscv/cxx.flags -isystem $(SYSROOT)/include/c++/v1
LINUX_LDFLAGS := $(LINUX_ARCH) -static -fuse-ld=$(TOOLCHAIN)/bin/ld.lld -Wl,--build-id=none
LINUX_LIBS := $(BUILD)/runtime/linux/libnhg.a

X86_LIBS := $(BUILD)/runtime/x86/libnhg.a $(BUILD)/runtime/x86/libnhgcxx.a

$(PLATFORM_HEADER): $(wildcard $(ROOT)/tools/platform/*.toml $(ROOT)/tools/platform/*.py)
	$(PYTHON) $(ROOT)/tools/platform/generate.py $(BUILD)/gen
	touch $@
