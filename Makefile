# SPDX-License-Identifier: Apache-2.0
#
# What a user types. `make` alone lists the commands; each is explained in README.md.

ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
export NHG_TOOLCHAIN ?= $(ROOT)/.toolchain
export PATH := $(NHG_TOOLCHAIN)/bin:$(PATH)
PYTHON := $(NHG_TOOLCHAIN)/venv/bin/python
NHG := PYTHONPATH=$(ROOT)/tools $(PYTHON) -m nhg

.PHONY: help run coremark core test format fuzz mutations figures compare reproduce report regions new-benchmark setup doctor bitstream bitstream-check
help:
	@echo 'make run LAT=800 [BENCH=gups|dir] [VARIANT=serial|tuned|coroutine|static|getfin|bafin|full|check] [COROS=n] [BW=GB/s]'
	@echo '         [BW_MODE=shared|per-direction] [JITTER=uniform:ns|normal:ns|two-point:ns:percent|table:file] [JITTER_SEED=n]'
	@echo '         VARIANT=experiments/fig15.yaml:basic  a variant of an experiment of its own'
	@echo '         [SCALE=tiny|small|paper] [TARGET=sim|fpga|iss|x86] [OUT=run.json] [MAX_CYCLES=n] [LOCKSTEP=1]'
	@echo '         [SAMPLES=n]  n samples of the whole run with a confidence interval; [WARMUP=operations] before each (docs/design/method.md)'
	@echo '         [SEED=n]  the golden model completes requests of the AMU in an order drawn from it'
	@echo '         with TARGET=fpga: [BOARD=xdma[:device]|jtag[:host:port]|sim] [BITSTREAM=manifest.json]'
	@echo '         [CONFIG=large|no-prefetcher|no-l3|no-amu]  another core: registers, issue queues, MSHRs doubled; without the prefetcher of L2; L3; AMU'
	@echo '         [WATCH=from:to]  pipeline log (Konata) and waveforms of these cycles of the measured region (docs/start/watch.md)'
	@echo 'make run ELF=file [LOCKSTEP=1] [LAT=800] [MAX_CYCLES=n] [CONFIG=core] [WATCH=from:to]   any bare program for NH-G, on RTL'
	@echo 'make coremark [ITERATIONS=10] [CONFIG=core]   EEMBC CoreMark on RTL: CoreMark/MHz, IPC, mispredictions'
	@echo 'make core [CONFIG=core]          the core in one table: latencies, rates, CoreMark, beside what is asked of it (docs/design/core.md)'
	@echo 'make test [SUITE=name]         every test that CI runs, or one suite of it'
	@echo 'make format [FILES="a.py b.cc"]  let the formatters write; reports what the linters find (tools/style)'
	@echo 'make fuzz [PROGRAMS=20000] [FIRST_SEED=0]   compare generated loops with their plain form; resumes where it stopped'
	@echo 'make mutations [NAME="beginning of a name"]  plant mistakes in core and AMU, which the unit tests must find; resumes where it stopped'
	@echo 'make figures [EXP="a.yaml b.yaml"] [SCALE=tiny] [JOBS=2] [DRY_RUN=1]   measure what is missing of experiments (the paper'"'"'s figures), draw them'
	@echo '         [RECALL=1]  draws what has been measured so far; [CAPTURE=1]  keeps the sets in results/captured; REDRAW=1 draws these, running nothing'
	@echo '         [CLUSTER=slurm|profile]  the runs as jobs of a cluster (docs/guide/cluster.md)'
	@echo 'make compare A=set B=set       two sets (.csv, .parquet), folders or commits: the runs that changed beyond noise'
	@echo 'make reproduce RUN=key         a captured run again, built and run as its commit says, compared to the cycle'
	@echo 'make report [OUT=page.html]    one page of the captured sets: figures, numbers, the paper beside them, where each comes from'
	@echo 'make regions [BENCH=name]      compare the measured region of each benchmark with its whole run'
	@echo 'make new-benchmark NAME=x      a benchmark directory that builds and runs'
	@echo 'make setup, make doctor        install the toolchain; what is here, what is missing'
	@echo 'make bitstream [LOCAL=hbm] [PCIE=1] [CORE=XSTop.v]   the VCU128 bitstream, with Vivado; of another XiangShan: docs/design/board.md'
	@echo 'make program [BITSTREAM=manifest.json] [HW_SERVER=host:port]   the bitstream into the board (docs/guide/board.md)'
	@echo 'make bitstream-check           everything about it that needs no Vivado'

run: setup
	@NHG_BOARD='$(BOARD)' NHG_BITSTREAM='$(BITSTREAM)' NHG_CONFIG='$(CONFIG)' $(NHG) run --lat '$(LAT)' --jitter '$(JITTER)' --jitter-seed '$(JITTER_SEED)' \
	  --bench '$(BENCH)' --variant '$(VARIANT)' --coros '$(COROS)' --bw '$(BW)' --bw-mode '$(BW_MODE)' --scale '$(SCALE)' --target '$(TARGET)' \
	  --out '$(OUT)' --max-cycles '$(MAX_CYCLES)' --lockstep '$(LOCKSTEP)' --seed '$(SEED)' --elf '$(ELF)' --watch '$(WATCH)' \
	  --samples '$(SAMPLES)' --warmup '$(WARMUP)'

format: setup
	@$(PYTHON) $(ROOT)/tools/style fix $(FILES)

coremark: setup
	@NHG_CONFIG='$(CONFIG)' $(NHG) coremark --iterations '$(ITERATIONS)'

core: setup
	@NHG_CONFIG='$(CONFIG)' $(NHG) core

test: setup
	@$(PYTHON) $(ROOT)/tools/test $(SUITE)

fuzz: setup
	@$(MAKE) -s -f $(ROOT)/tools/models.mk golden runtime sim && $(MAKE) -s -C $(ROOT)/software/compiler DEBUG=1
	@FUZZ_PLUGIN=$(ROOT)/build/compiler-debug/asyncmem.so PYTHONPATH=$(ROOT)/software/compiler \
	  $(PYTHON) -m fuzz campaign --programs $(or $(PROGRAMS),20000) --first-seed $(or $(FIRST_SEED),0) --jobs 2 --rtl-every 100

mutations: setup
	@PYTHONPATH=$(ROOT)/tools $(PYTHON) -m mutation $(if $(NAME),'$(NAME)')

figures: setup
	@NHG_BOARD='$(BOARD)' NHG_BITSTREAM='$(BITSTREAM)' NHG_CONFIG='$(CONFIG)' $(NHG) figures --exp '$(EXP)' --scale '$(SCALE)' --jobs '$(JOBS)' \
	  --dry-run '$(DRY_RUN)' --redraw '$(REDRAW)' --recall '$(RECALL)' --capture '$(CAPTURE)' --cluster '$(CLUSTER)'

compare: setup
	@$(NHG) compare --a '$(A)' --b '$(B)'

reproduce: setup
	@$(NHG) reproduce --run '$(RUN)'

report: setup
	@$(NHG) report --exp '$(EXP)' --out '$(OUT)'

regions: setup
	@$(NHG) regions --bench '$(BENCH)' --scale '$(SCALE)'

new-benchmark: setup
	@$(NHG) new-benchmark --name '$(NAME)'

setup:
	@python3 $(ROOT)/tools/setup

doctor:
	@python3 $(ROOT)/tools/setup --doctor

bitstream:
	@$(MAKE) --no-print-directory -C $(ROOT)/fpga-vcu128 bitstream $(if $(CORE),CORE='$(abspath $(CORE))')

.PHONY: program
program:
	@$(MAKE) --no-print-directory -C $(ROOT)/fpga-vcu128 program $(if $(BITSTREAM),BITSTREAM='$(abspath $(BITSTREAM))')

bitstream-check: setup
	@$(PYTHON) $(ROOT)/tools/test bitstream-check board
