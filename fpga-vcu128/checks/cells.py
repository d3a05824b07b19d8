# SPDX-License-Identifier: Apache-2.0
"""What a module takes of the device, from the cells that Yosys maps it to."""

from dataclasses import dataclass, fields

# LUTs that a cell takes; cells that are not named here take none
LUTS = {
    **{f"LUT{n}": 1 for n in range(1, 7)}, "SRL16E": 1, "SRLC32E": 1, "INV": 0,
    "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8, "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8,
    "RAM64X8SW": 8, "RAM32X16DR8": 8, "RAM256X1S": 4, "RAM512X1S": 8, "RAM64X1S": 1, "RAM32X1S": 1, "RAM128X1S": 2,
}


@dataclass(frozen=True)
class Resources:
    lut: float
    ff: float
    bram36: float
    uram: float
    dsp: float

    @classmethod
    def of(cls, cells: dict[str, int]) -> "Resources":
        return cls(
            lut=sum(LUTS.get(kind, 0) * count for kind, count in cells.items()),
            ff=sum(count for kind, count in cells.items() if kind in ("FDRE", "FDSE", "FDCE", "FDPE")),
            bram36=cells.get("RAMB36E2", 0) + cells.get("RAMB18E2", 0) / 2,
            uram=cells.get("URAM288", 0),
            dsp=cells.get("DSP48E2", 0),
        )

    def plus(self, other: "Resources", times: int = 1) -> "Resources":
        return Resources(*(getattr(self, kind) + times * getattr(other, kind) for kind in KINDS))


KINDS = [field.name for field in fields(Resources)]
