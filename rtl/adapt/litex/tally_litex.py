# SPDX-License-Identifier: Apache-2.0
"""tally_pmu_lite on the Wishbone of a LiteX SoC (docs/cores.md, LiteX).

    from tally_litex import add_tally
    tally = add_tally(soc)                               # registers, interrupt; SMPDIS=1: the records' master
    soc.cpu.cpu_params.update(tally.rvfi_ports())        # a core with RVFI
    ...
    builder.build()
    tally.write_header(builder.generated_dir)            # tally.h; its address is TALLY_BASE of mem.h

This file is in the folder of scripts/package.py, with the sources and what the header is made of, tally.json.
"""

import json
import pathlib

from migen import ClockSignal, Instance, Record, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import wishbone

HERE = pathlib.Path(__file__).resolve().parent
SIZE = 1 << 19  # bytes of addresses
WINDOW, WAY = 15, 17  # bits of an address: privilege; what a write does
# What the unit has: extensions, with SMPDIS more of them, and single registers
EXTENSIONS = {"Zicntr", "Zihpm", "Sscofpmf"}
SAMPLING = {"Sspdis", "Smpdis", "Ssamb", "Smcsrind", "Sscsrind"}
SINGLE = {"mcounteren", "scounteren", "mip", "sip"}

HEADER = """\
#include <stdint.h>
#include <generated/mem.h>

/* Registers of 32 bits */
static inline volatile uint32_t *tally_word(unsigned reg) {{
    return (volatile uint32_t *)(uintptr_t)({base} + reg);
}}

/* Counters and their events */
static inline uint64_t tally_read(unsigned reg) {{
    uint32_t low = *tally_word(reg);
    return (uint64_t)*tally_word(reg + 4) << 32 | low;
}}

static inline void tally_write(unsigned reg, uint64_t value) {{
    *tally_word(reg + 4) = (uint32_t)(value >> 32);
    *tally_word(reg) = (uint32_t)value;
}}

/* Bits of mip: the requests for interrupts */
static inline void tally_clear_mip(uint32_t bits) {{
    *tally_word(TALLY_REG_MIP + TALLY_ALIAS_CLEAR) = bits;
}}
"""


class Events:
    """What LiteX wants of something with an interrupt."""

    def __init__(self):
        self.irq = Signal()


class TallyPMU(LiteXModule):
    """bus: the registers. records: a master, with SMPDIS. rvfi, halted, events: from the core (tally_pmu_lite)."""

    def __init__(self, platform, xlen=32, **parameters):
        self.xlen = xlen
        self.parameters = {"HPM_N": 4, "WINDOWS": 1, "SSPESA": 1, "SMPDIS": 0, **parameters}
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.records = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.rvfi = Record([("valid", 1), ("order", 64), ("insn", 32), ("trap", 1), ("halt", 1), ("intr", 1),
                            ("mode", 2), ("ixl", 2), ("pc_rdata", xlen), ("pc_wdata", xlen), ("mem_addr", xlen),
                            ("mem_rmask", xlen // 8), ("mem_wmask", xlen // 8)], name="rvfi")
        self.halted = Signal()
        self.events = Signal(12)
        self.broken = Signal(8)
        self.ev = Events()

        ack, err = Signal(), Signal()
        # Cores of LiteX end an access by ack, whatever err says.
        self.comb += [self.bus.ack.eq(ack | err), self.bus.err.eq(err)]
        request = {"req_valid": 1, "req_write": 1, "req_word": 1, "req_addr": 17, "req_wdata": 32}
        answer = {"rsp_valid": 1, "rsp_error": 1, "rsp_rdata": 32}
        write = {"write_valid": 1, "write_addr": 30, "write_data": 32}
        done = {"write_done": 1, "write_error": 1}
        wires = {name: Signal(width, name=name) for name, width in {**request, **answer, **write, **done}.items()}

        def ports(direction, suffix, names):
            return {f"{direction}_{name}_{suffix}": wires[name] for name in names}

        self.specials += Instance(
            "tally_bus_wb", i_wb_cyc_i=self.bus.cyc, i_wb_stb_i=self.bus.stb, i_wb_we_i=self.bus.we,
            i_wb_adr_i=self.bus.adr[:17], i_wb_sel_i=self.bus.sel, i_wb_dat_i=self.bus.dat_w, o_wb_ack_o=ack,
            o_wb_err_o=err, o_wb_dat_o=self.bus.dat_r, **ports("o", "o", request), **ports("i", "i", answer))
        # Migen's own integers are as wide as their value, and the parameter would be so, too.
        settings = {f"p_{name}": Instance.PreformattedParam(value)
                    for name, value in {"XLEN": xlen, **self.parameters}.items()}
        self.specials += Instance(
            "tally_pmu_lite", **settings,
            i_clk=ClockSignal(), i_rst=ResetSignal(),
            **{f"i_rvfi_{name}_i": getattr(self.rvfi, name) for name, *_ in self.rvfi.layout},
            i_halted_i=self.halted, i_events_i=self.events, **ports("i", "i", request), **ports("o", "o", answer),
            **ports("o", "o", write), **ports("i", "i", done), o_irq_o=self.ev.irq, o_broken_seen_o=self.broken)
        if self.parameters["SMPDIS"]:
            self.specials += Instance(
                "tally_records_wb", o_wb_cyc_o=self.records.cyc, o_wb_stb_o=self.records.stb,
                o_wb_we_o=self.records.we, o_wb_adr_o=self.records.adr, o_wb_sel_o=self.records.sel,
                o_wb_dat_o=self.records.dat_w, i_wb_ack_i=self.records.ack, i_wb_err_i=self.records.err,
                **ports("i", "i", write), **ports("o", "o", done))
        for word in (HERE / "tally.f").read_text(encoding="utf-8").split():
            if word.startswith("+incdir+"):
                platform.add_verilog_include_path(str(HERE / word[len("+incdir+"):]))
            else:
                platform.add_source(str(HERE / word))

    def rvfi_ports(self):
        """The ports of a core whose RVFI has the usual names."""
        return {f"o_rvfi_{name}": getattr(self.rvfi, name) for name, *_ in self.rvfi.layout}

    def registers(self):
        """(name, address in the M window) of what the unit has, in order of their CSR numbers."""
        have = EXTENSIONS | (SAMPLING if self.parameters["SMPDIS"] else set())
        have |= {"Sspesa"} if self.parameters["SSPESA"] else set()
        last = 2 + self.parameters["HPM_N"]
        spec = json.loads((HERE / "tally.json").read_text(encoding="utf-8"))
        there = [(csr["number"], csr["name"]) for csr in spec["registers"]
                 if csr["n"] <= last and (set(csr["extensions"]) <= have or csr["name"] in SINGLE)]
        return [(name, number << 3) for number, name in sorted(there)]

    def header(self, name="tally"):
        """The C header: addresses of registers, and events."""
        spec = json.loads((HERE / "tally.json").read_text(encoding="utf-8"))
        lines = ["/* Generated by tally_litex.py. Do not edit. */", "#ifndef TALLY_H", "#define TALLY_H", ""]
        lines += [f"#define TALLY_{key} {value}" for key, value in {"XLEN": self.xlen, **self.parameters}.items()]
        lines += [f"#define TALLY_REG_{register.upper()} 0x{offset:05X}" for register, offset in self.registers()]
        lines += [f"#define TALLY_WINDOW_{mode} 0x{index << WINDOW:05X}"
                  for index, mode in enumerate("MSU"[:self.parameters["WINDOWS"]])]
        lines += [f"#define TALLY_ALIAS_{way} 0x{bits << WAY:05X}" for way, bits in (("SET", 2), ("CLEAR", 3))]
        lines += [f"#define TALLY_EV_{event['macro']} 0x{event['selector']:X}" for event in spec["events"]
                  if event["small"] or self.parameters["SMPDIS"]]
        return "\n".join([*lines, "", HEADER.format(base=f"{name.upper()}_BASE"), "#endif", ""])

    def write_header(self, folder, name="tally"):
        (pathlib.Path(folder) / f"{name}.h").write_text(self.header(name), encoding="utf-8")


def add_tally(soc, name="tally", origin=None, **parameters):
    """The unit on the SoC's bus, at `origin` or where LiteX has room; its interrupt, if the core has any."""
    tally = TallyPMU(soc.platform, **parameters)
    soc.add_module(name, tally)
    cached = origin is not None and not soc.bus.check_region_is_io(SoCRegion(origin=origin, size=SIZE))
    soc.bus.add_slave(name, tally.bus, SoCRegion(origin=origin, size=SIZE, cached=cached))
    if tally.parameters["SMPDIS"]:
        soc.bus.add_master(f"{name}_records", tally.records)
    if soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    return tally
