#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A LiteX SoC with PicoRV32 and the unit: soc.py PACKAGE OUT [NAME=VALUE...] [IMAGE]

PACKAGE: the folder of scripts/package.py. OUT/gateware gets the SoC's Verilog and `files`, the list of its sources,
OUT/software/include its headers. NAME=VALUE: a parameter of tally_pmu_lite. IMAGE: the program in its ROM, as words for
$readmemh."""

import pathlib
import sys

from migen import Display, Finish, If, Signal

from litex.build.generic_platform import Pins
from litex.build.io import CRG
from litex.build.lattice import LatticePlatform
from litex.gen import LiteXModule
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.csr import CSRStorage


class Bench(LiteXModule):
    """Results of the program, its end, and accesses that the unit refuses, on the simulator's output."""

    def __init__(self, tally):
        self.value = CSRStorage(32)
        self.end = CSRStorage()
        refused = tally.bus.cyc & tally.bus.stb & tally.bus.err
        word = Signal(17)
        self.comb += word.eq(tally.bus.adr)
        self.sync += [
            If(self.value.re, Display("value %d", self.value.storage)),
            If(refused, Display("refused %d", word)),
            If(self.end.re, Finish()),
        ]


class Soc(SoCCore):
    def __init__(self, platform, image, parameters):
        words = [int(word, 16) for word in image.split() if not word.startswith("@")]
        SoCCore.__init__(self, platform, clk_freq=int(1e6), cpu_type="picorv32", cpu_variant="standard",
                         integrated_rom_size=0x4000, integrated_rom_init=words, integrated_sram_size=0x2000,
                         with_uart=False, with_timer=False)
        self.crg = CRG(platform.request("sys_clk"))
        self.tally = tally_litex.add_tally(self, **parameters)
        self.cpu.cpu_params.update(self.tally.rvfi_ports())
        self.bench = Bench(self.tally)


def main(out, words):
    parameters = {name: int(value) for name, _, value in (word.partition("=") for word in words if "=" in word)}
    image = "".join(pathlib.Path(word).read_text(encoding="utf-8") for word in words if "=" not in word) or "13"
    platform = LatticePlatform("LFE5U-25F-6BG256C", [("sys_clk", 0, Pins("P3"))], toolchain="trellis")
    soc = Soc(platform, image, parameters)
    builder = Builder(soc, output_dir=out, compile_software=False, compile_gateware=False)
    builder.build(build_name="soc", run=False)
    soc.tally.write_header(builder.generated_dir)
    lines = [f"+incdir+{path}" for path in platform.verilog_include_paths]
    lines += [source[0] for source in platform.sources]
    (pathlib.Path(builder.gateware_dir) / "files").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    import tally_litex
    main(sys.argv[2], sys.argv[3:])
