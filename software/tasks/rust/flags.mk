# SPDX-License-Identifier: Apache-2.0
#
# How Rust is compiled for NH-G and natively; include software/runtime/flags.mk before. Needs the part `rust` of the toolchain.

RUSTC := $(TOOLCHAIN)/bin/rustc
RUST_OPTIONS := --edition 2021 -O -C panic=abort -C debuginfo=0 -D warnings
RUST_riscv := --target riscv64gc-unknown-linux-gnu -C relocation-model=static -C code-model=medium -C target-feature=+zba,+zbb,+zbs
RUST_x86 := --target x86_64-unknown-linux-gnu -C target-cpu=x86-64-v2
BOOST_riscv := $(TOOLCHAIN)/rust/usr/lib/riscv64-linux-gnu/libboost_context.a
BOOST_x86 := $(TOOLCHAIN)/rust/usr/lib/x86_64-linux-gnu/libboost_context.a

$(RUSTC):
	@echo "no rustc in $(TOOLCHAIN): python3 tools/setup rust" >&2; exit 1
