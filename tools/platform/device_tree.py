# SPDX-License-Identifier: Apache-2.0
"""The device tree, from the platform description: of NH-G on the board or in simulation, and of another core on the board.

`device_tree` returns the text of a file that dtc compiles without a warning. The core's clock and time are the emulated ones; the UART's clock is the
board's. Local memory is NUMA node 0, far memory node 1; Linux in simulation gets a part of each ([linux] of platform.toml). PLIC and syscon are in the
tree when platform.toml has them. OpenSBI walks through the tree some 150 times, so what it asks for most, the cores, comes first.
"""

from dataclasses import dataclass

from languages import LICENCE, NOTE

BOARD, SIMULATION, LINUX = "VCU128", "simulation", "simulation, for Linux"
# Interrupts of a hart: bits of mip.
SOFTWARE_M, TIMER_M, EXTERNAL_S, EXTERNAL_M = 3, 7, 9, 11
# NUMA distances as ACPI's SLIT has them: 10 is local memory. Far memory at 800 ns is ten times as far as local memory at 80 ns.
LOCAL_DISTANCE, FAR_DISTANCE = 10, 100


@dataclass(frozen=True)
class Core:
    """What the device tree says of a core; that of platform.toml is NH-G's (nh_g)."""

    name: str
    compatible: str
    isa: str
    harts: int
    mmu: str  # the translation of S mode, of what follows `riscv,`; empty without S mode
    clint: tuple[int, int]  # base and size
    plic: tuple[int, int] | None
    plic_sources: int
    uart_source: int  # of the PLIC


def nh_g(platform: dict) -> Core:
    def place(name: str) -> tuple[int, int]:
        return platform["regions"][name]["base"], platform["regions"][name]["size"]

    plic = platform.get("plic")
    return Core(
        name="NH-G",
        compatible="nhg,nh-g",
        isa=platform["isa"]["string"],
        harts=1,
        mmu="sv39",
        clint=place("clint"),
        plic=place("plic") if plic else None,
        plic_sources=plic["sources"] if plic else 0,
        uart_source=plic["uart_source"] if plic else 0,
    )


def extensions(isa: str) -> tuple[str, list[str]]:
    """The base and the extensions of an ISA string, as riscv,isa-base and riscv,isa-extensions have them; with single letters only before the first _."""
    letters, *names = isa.split("_")
    return letters[:5], [*letters[4:], *names]


def _cells(value: int) -> str:
    return f"{value >> 32:#x} {value & 0xFFFF_FFFF:#x}"


def _reg(base: int, size: int) -> str:
    return f"reg = <{_cells(base)} {_cells(size)}>;"


def _cpu(hart: int, core: Core, hz: int) -> str:
    base, names = extensions(core.isa)
    mmu_type = f'\t\t\tmmu-type = "riscv,{core.mmu}";\n' if core.mmu else ""
    prefetch = "\t\t\triscv,cbop-block-size = <64>;\n" if "zicbop" in names else ""
    return f"""		cpu@{hart} {{
			device_type = "cpu";
			compatible = "{core.compatible}", "riscv";
			reg = <{hart}>;
			riscv,isa = "{core.isa}";
			riscv,isa-base = "{base}";
			riscv,isa-extensions = {", ".join(f'"{name}"' for name in names)};
{prefetch}{mmu_type}			clock-frequency = <{hz}>;
			numa-node-id = <0>;
			cpu{hart}_intc: interrupt-controller {{
				compatible = "riscv,cpu-intc";
				interrupt-controller;
				#interrupt-cells = <1>;
			}};
		}};
"""


def _interrupts_of(harts: int, *causes: int) -> str:
    return " ".join(f"&cpu{hart}_intc {cause}" for hart in range(harts) for cause in causes)


def _interrupt_controllers(core: Core) -> str:
    contexts = (EXTERNAL_M, EXTERNAL_S) if core.mmu else (EXTERNAL_M,)
    text = f"""
		clint@{core.clint[0]:x} {{
			compatible = "sifive,clint0", "riscv,clint0";
			{_reg(*core.clint)}
			interrupts-extended = <{_interrupts_of(core.harts, SOFTWARE_M, TIMER_M)}>;
		}};
"""
    if core.plic is None:
        return text
    return f"""{text}
		plic: plic@{core.plic[0]:x} {{
			compatible = "sifive,plic-1.0.0", "riscv,plic0";
			{_reg(*core.plic)}
			#address-cells = <0>;
			#interrupt-cells = <1>;
			interrupt-controller;
			interrupts-extended = <{_interrupts_of(core.harts, *contexts)}>;
			riscv,ndev = <{core.plic_sources}>;
		}};
"""


def _syscon(platform: dict) -> tuple[str, str]:
    """The node of the device, and those of what it is for: power-off and reboot are writes of a value to its register."""
    region = platform["regions"].get("syscon")
    if region is None:
        return "", ""
    offset = platform["registers"]["syscon"]["power"]["offset"]
    device = f"""
		syscon: syscon@{region["base"]:x} {{
			compatible = "syscon";
			{_reg(region["base"], region["size"])}
			reg-io-width = <4>;
		}};
"""
    uses = [
        f"""
	{name} {{
		compatible = "syscon-{name}";
		regmap = <&syscon>;
		offset = <{offset:#x}>;
		value = <{value:#x}>;
	}};
"""
        for name, value in (("poweroff", platform["syscon"]["power_off"]), ("reboot", platform["syscon"]["reboot"]))
    ]
    return device, "".join(uses)


def _own_devices(platform: dict, has_spm: bool) -> str:
    """What only programs of this repository know. In simulation they know it anyway, and a node costs OpenSBI some 400,000 instructions."""
    far_control, host, spm = (platform["regions"][name] for name in ("far_control", "host", "spm"))
    text = f"""
		far_control@{far_control["base"]:x} {{
			compatible = "nhg,far-memory-control";
			{_reg(far_control["base"], far_control["size"])}
			memory-region = <&far_memory>;
		}};

		host@{host["base"]:x} {{
			compatible = "nhg,host-interface";
			{_reg(host["base"], host["size"])}
		}};
"""
    # The SPM window is a way of NH-G's own L2.
    if not has_spm:
        return text
    return f"""{text}
		spm@{spm["base"]:x} {{
			compatible = "nhg,scratchpad";
			{_reg(spm["base"], spm["size"])}
		}};
"""


def device_tree(platform: dict, core: Core | None = None, far: str = "far_size", where: str = BOARD) -> str:
    """Of NH-G unless `core` says another. `far` names far memory's size on the board; in simulation it is all of its region."""
    regions, clock = platform["regions"], platform["clock"]
    hz, core_hz, timebase_hz = (clock[name] * 1_000_000 for name in ("fpga_mhz", "emulated_mhz", "timebase_mhz"))
    local_size = regions["local"]["size"] if where != LINUX else platform["linux"]["local_size"]
    far_size = {BOARD: platform["hbm"][far], SIMULATION: regions["far"]["size"], LINUX: platform["linux"]["far_size"]}[where]
    uart = regions["uart"]
    described = core or nh_g(platform)
    uart_interrupt = f"\t\t\tinterrupt-parent = <&plic>;\n\t\t\tinterrupts = <{described.uart_source}>;\n" if described.plic else ""
    syscon, power = _syscon(platform)
    # A bounce buffer, for devices that reach 32 bits only, would take 64 MiB.
    bootargs = '\t\tbootargs = "console=ttyS0 swiotlb=noforce";\n' if where == LINUX else ""
    own_devices = "" if where != BOARD else _own_devices(platform, has_spm=core is None)
    return f"""/* {LICENCE} */
/* {NOTE} */
/dts-v1/;
/ {{
	#address-cells = <2>;
	#size-cells = <2>;
	model = "{described.name} {"on" if where == BOARD else "in"} {where}";
	compatible = "nhg,{where.lower().split(",")[0]}";

	cpus {{
		#address-cells = <1>;
		#size-cells = <0>;
		timebase-frequency = <{timebase_hz}>;
{"".join(_cpu(hart, described, core_hz) for hart in range(described.harts))}	}};

	chosen {{
		stdout-path = &uart0;
{bootargs}	}};

	soc {{
		#address-cells = <2>;
		#size-cells = <2>;
		compatible = "simple-bus";
		ranges;

		uart0: serial@{uart["base"]:x} {{
			compatible = "ns16550a";
			{_reg(uart["base"], uart["size"])}
			reg-offset = <0x1000>;
			reg-shift = <2>;
			reg-io-width = <4>;
			clock-frequency = <{hz}>;
			current-speed = <115200>;
{uart_interrupt}		}};
{own_devices}{_interrupt_controllers(described)}{syscon}	}};

	memory@{regions["local"]["base"]:x} {{
		device_type = "memory";
		{_reg(regions["local"]["base"], local_size)}
		numa-node-id = <0>;
	}};

	far_memory: memory@{regions["far"]["base"]:x} {{
		device_type = "memory";
		{_reg(regions["far"]["base"], far_size)}
		numa-node-id = <1>;
	}};

	distance-map {{
		compatible = "numa-distance-map-v1";
		distance-matrix = <0 0 {LOCAL_DISTANCE}>, <0 1 {FAR_DISTANCE}>, <1 0 {FAR_DISTANCE}>, <1 1 {LOCAL_DISTANCE}>;
	}};
{power}}};
"""
