# SPDX-License-Identifier: Apache-2.0
"""Programs for the traffic generator (NhgSoc.sv in this folder) as ELF files."""

import struct
from pathlib import Path

from nhg import platform

REGIONS = platform.description()["regions"]
HOST, FAR_CONTROL, LOCAL, FAR, ROM = (REGIONS[name]["base"] for name in ("host", "far_control", "local", "far", "boot_rom"))
EXIT, PUTC, ROI_BEGIN, ROI_END, METRIC = (platform.register("host", name) for name in ("exit", "putc", "roi_begin", "roi_end", "metric"))
OPS = {name: i + 1 for i, name in enumerate("device_write device_read read write stream hang fail trap last_word last_response retire stream_both".split())}


class Program:
    """Commands in order; `data` holds further segments, address -> bytes."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, int, int, int]] = []
        self.data: dict[int, bytes] = {}

    def add(self, op: str, a: int = 0, b: int = 0, c: int = 0) -> "Program":
        self.commands.append((OPS[op], a, b, c))
        return self

    def report(self, metric: int) -> "Program":
        """acc into a metric."""
        return self.add("device_write", METRIC + 8 * metric, 0, 1)

    def exit(self, code: int = 0) -> "Program":
        return self.add("device_write", EXIT, code)

    def write(self, path: Path) -> Path:
        code = b"".join(struct.pack("<4Q", *command) for command in self.commands)
        segments = {LOCAL: code, **self.data}
        header = 64 + 56 * len(segments)
        body, program_headers = b"", b""
        for addr, content in segments.items():
            program_headers += struct.pack("<IIQQQQQQ", 1, 7, header + len(body), addr, addr, len(content), len(content), 8)
            body += content
        elf = struct.pack(
            "<16sHHIQQQIHHHHHH",
            b"\x7fELF\x02\x01\x01" + bytes(9),
            2,
            243,
            1,
            LOCAL,
            64,
            0,
            0,
            64,
            56,
            len(segments),
            64,
            0,
            0,
        )
        path.write_bytes(elf + program_headers + body)
        return path
