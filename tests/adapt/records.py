# SPDX-License-Identifier: Apache-2.0
"""cocotb: sample records on a bus (records_top.v), into the slaves of cocotbext-axi and a Wishbone slave of this file.

Random instructions are sampled, some of which trap; the slave stalls at random. Each word that leaves the unit must be
written once, in order, and each record, with all of its words, must be that of an instruction that ran. Errors of the
bus set TF; resets come in the middle of writes. FRONT, XLEN and SEED come from the environment."""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import ApbBus, ApbSlave, AxiLiteSlaveWrite, AxiLiteWriteBus

from spec_numbers import SPEC, bit

FRONT = os.environ["FRONT"]
XLEN = int(os.environ["XLEN"])
RECORD = SPEC.RECORD_BYTES_RV64 if XLEN == 64 else SPEC.RECORD_BYTES_RV32
BUFFER = 0x10000
MPDISCTL, SPDISCOUNTER, SPDISAMBCS = SPEC.CSR_MPDISCTL, SPEC.CSR_SPDISCOUNTER, SPEC.CSR_SPDISAMBCS
SPDISAMBADDR, MIP, MHPMEVENT3 = SPEC.CSR_SPDISAMBADDR, SPEC.CSR_MIP, SPEC.CSR_MHPMEVENT3
M, OF, MEM = (bit(f"MPDISCTL_{name}") for name in ("M", "OF", "MEM"))
EN, TF, TRV, EMPTY = (bit(f"SPDISAMBCS_{name}") for name in ("EN", "TF", "TRV", "EMPTY"))
LAMBI = 1 << SPEC.INT_LAMBI
HIGH = {MPDISCTL: SPEC.CSR_MPDISCTLH, SPDISCOUNTER: SPEC.CSR_SPDISCOUNTERH, SPDISAMBCS: SPEC.CSR_SPDISAMBCSH}  # XLEN 32
TRET, BR_NT, BR_TK, IND_CALL, DIR_CALL, IND_JMP, DIR_JMP, CORSWAP, RETURN, IND_LJMP, DIR_LJMP = (
    getattr(SPEC, f"ITYPE_{name}") for name in ("TRET", "BR_NT", "BR_TK", "IND_CALL", "DIR_CALL", "IND_JMP", "DIR_JMP",
                                                "CORSWAP", "RETURN", "IND_LJMP", "DIR_LJMP"))
OTHER, LOAD, STORE, LOAD_STORE, TRANSFER = (
    getattr(SPEC, f"TYPE_{name}") for name in ("OTHER", "LOAD", "STORE", "LOAD_STORE", "TRANSFER"))
# Codes, the type of their record, and the kind of a transfer (BR_NT: as it goes)
INSNS = {0x00000013: (OTHER, 0), 0x0000A083: (LOAD, 0), 0x0010A023: (STORE, 0), 0x0020A0AF: (LOAD_STORE, 0),
         0x00000063: (TRANSFER, BR_NT), 0x30200073: (TRANSFER, TRET), 0x000300E7: (TRANSFER, IND_CALL),
         0x004000EF: (TRANSFER, DIR_CALL), 0x00030067: (TRANSFER, IND_JMP), 0x0040006F: (TRANSFER, DIR_JMP),
         0x000280E7: (TRANSFER, CORSWAP), 0x00008067: (TRANSFER, RETURN), 0x00030367: (TRANSFER, IND_LJMP),
         0x0040036F: (TRANSFER, DIR_LJMP)}
# The events of counters 3 to 6, and the instructions that have them; counter 5's filter excludes M-mode
EVENTS = (SPEC.EV_INST_LOAD_RET, SPEC.EV_INST_LDST_RET, bit("MHPMEVENT_MINH") | SPEC.EV_INST_RET,
          SPEC.EV_INST_BRJMP_TK_RET)
HAS = (lambda kind, itype: kind == LOAD, lambda kind, itype: kind in (LOAD, STORE, LOAD_STORE),
       lambda kind, itype: False, lambda kind, itype: itype >= BR_TK)
HPM = sum(1 << n + SPEC.MPDISCTL_HPM_LSB for n in range(len(EVENTS)))  # these counters are recorded
KINDS = SPEC.PDISHDREV_TRET_LSB - SPEC.ITYPE_TRET  # the header has a bit for each kind of transfer, from here on


def record(kind, itype, pc, after, address, trap):
    """All words of a record in memory. There are no stages, misses or times, and TOTAL is 0: selected as it retires."""
    header = kind | (1 << KINDS + itype if itype else 0)
    header |= sum(1 << n + SPEC.PDISHDREV_HPM_LSB for n, has in enumerate(HAS) if has(kind, itype) and not trap)
    memory, taken = kind in (LOAD, STORE, LOAD_STORE), itype == TRET or itype >= BR_TK
    detail = 0 if trap else address if memory else after if taken else 0
    if XLEN == 64:
        return tuple(half for word in (header, pc, 0, 0, detail, 0, 0, 0) for half in (word & 0xFFFFFFFF, word >> 32))
    return header & 0xFFFFFFFF, header >> 32, pc, 0, 0, 0, detail, 0


class Memory:
    """The target of all slaves: accepted writes, in order."""

    def __init__(self, rng):
        self.rng, self.writes, self.bad = rng, [], set()

    async def write(self, address, data, **_):
        if address & ~0xFFF in self.bad:
            raise ValueError("refused")
        assert len(data) == 4 and address % 4 == 0
        self.writes.append((address, int.from_bytes(data, "little")))


class Bench:
    """The unit, a stream of instructions, and a slave."""

    def __init__(self, dut, rng, stall):
        self.dut, self.rng, self.stall, self.memory = dut, rng, stall, Memory(rng)
        self.words, self.ran, self.run_on = [], {}, True
        logging.getLogger("cocotb.records_top").setLevel(logging.ERROR)
        dut.rst.value = 1
        for name in ("rvfi_valid", "rvfi_insn", "rvfi_trap", "rvfi_pc", "rvfi_next", "rvfi_addr", "req_valid",
                     "req_write", "req_addr", "req_wdata", "wb_ack", "wb_err", "axil_awready", "axil_wready",
                     "axil_bvalid", "axil_bresp", "apb_pready", "apb_pslverr", "apb_prdata"):
            getattr(dut, name).value = 0
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        if FRONT == "axil":
            bus = AxiLiteWriteBus.from_prefix(dut, "axil")
            self.slave = AxiLiteSlaveWrite(bus, dut.clk, dut.rst, target=self.memory)
            for channel in (self.slave.aw_channel, self.slave.w_channel, self.slave.b_channel):
                channel.set_pause_generator(self.pauses())
        elif FRONT == "apb":
            self.slave = ApbSlave(ApbBus.from_prefix(dut, "apb"), dut.clk, dut.rst, target=self.memory)
            self.slave.set_pause_generator(self.pauses())
        else:
            cocotb.start_soon(self.wishbone())
        cocotb.start_soon(self.instructions())
        cocotb.start_soon(self.watch())

    def pauses(self):
        while True:
            yield self.rng.random() < self.stall

    async def wishbone(self):
        """Answers a cycle after it was asked at the earliest."""
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            answered = int(dut.wb_ack.value) | int(dut.wb_err.value)
            dut.wb_ack.value = dut.wb_err.value = 0
            asked = not dut.rst.value and dut.wb_cyc.value and dut.wb_stb.value
            if answered or not asked or self.rng.random() < self.stall:
                continue
            assert dut.wb_we.value and int(dut.wb_sel.value) == 15
            try:
                await self.memory.write(int(dut.wb_adr.value) << 2, int(dut.wb_dat.value).to_bytes(4, "little"))
                dut.wb_ack.value = 1
            except ValueError:
                dut.wb_err.value = 1

    async def instructions(self):
        pc, dut = 0x80000000, self.dut
        while True:
            await RisingEdge(dut.clk)
            valid = self.run_on and self.rng.random() < 0.7
            dut.rvfi_valid.value = valid
            if valid:
                insn, trap = self.rng.choice(list(INSNS)), self.rng.random() < 0.2
                kind, itype = INSNS[insn]
                after = pc + (4 if kind != TRANSFER or self.rng.random() < 0.5 else 8 * self.rng.randrange(2, 30))
                itype += itype == BR_NT and after != pc + 4
                address = self.rng.getrandbits(20) << 2
                dut.rvfi_insn.value, dut.rvfi_pc.value, dut.rvfi_next.value = insn, pc, after
                dut.rvfi_addr.value, dut.rvfi_trap.value = address, trap
                self.ran[record(kind, itype, pc, after, address, trap)] = (kind, itype, trap)
                pc = after

    async def watch(self):
        """The words as they leave the unit."""
        while True:
            await RisingEdge(self.dut.clk)
            await ReadOnly()
            if not self.dut.rst.value and self.dut.word_taken.value:
                # seen before the edge that takes it
                self.words.append((int(self.dut.word_addr.value), int(self.dut.word_data.value)))

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 3)
        self.words.clear()
        self.memory.writes.clear()
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 50)

    async def access(self, num, high=0, value=None, way=0):
        dut = self.dut
        dut.req_addr.value = way << 15 | num << 1 | high
        dut.req_write.value, dut.req_wdata.value = value is not None, value or 0
        dut.req_valid.value = 1
        while True:
            await RisingEdge(dut.clk)
            if dut.rsp_valid.value:
                break
        dut.req_valid.value = 0
        assert not dut.rsp_error.value, f"access of {num:03x} refused"
        result = int(dut.rsp_rdata.value)
        await RisingEdge(dut.clk)
        return result

    async def write(self, num, value):
        """Both halves, the high one first."""
        if XLEN == 64 or MHPMEVENT3 <= num < MHPMEVENT3 + len(EVENTS):
            await self.access(num, 1, value >> 32)
        elif num in HIGH:
            await self.access(HIGH[num], 0, value >> 32)
        await self.access(num, 0, value & 0xFFFFFFFF)

    async def read(self, num):
        low = await self.access(num)
        if XLEN == 64:
            return low | await self.access(num, 1) << 32
        return low | (await self.access(HIGH[num]) << 32 if num in HIGH else 0)

    async def sample(self, size=0, period=7):
        await self.write(SPDISAMBADDR, BUFFER)
        await self.write(SPDISAMBCS, EN | size << SPEC.SPDISAMBCS_SIZE_LSB)
        for _ in range(20):
            if await self.read(SPDISAMBCS) & TRV:
                break
        else:
            raise AssertionError("no page")
        await self.write(SPDISCOUNTER, (2**32 - period) << 32 | 2**32 - period)
        for n, event in enumerate(EVENTS):
            await self.write(MHPMEVENT3 + n, event)
        await self.write(MPDISCTL, M | OF | MEM | HPM)

    async def stop(self):
        await self.write(MPDISCTL, 0)
        for _ in range(100):
            if await self.read(SPDISAMBCS) & EMPTY:
                return
        raise AssertionError("the buffer does not become empty")

    def check_words(self):
        """Every word that left is two writes, in order, and there are no others."""
        expected = [pair for address, data in self.words for pair in
                    ((address, data & 0xFFFFFFFF), (address + 4, data >> 32))]
        assert self.memory.writes == expected, f"{len(self.memory.writes)} writes, {len(expected)} expected"

    def check_records(self):
        """Each is that of an instruction that ran, in every word. Returns their kinds."""
        bytes_of = dict(self.memory.writes)
        first, kinds = min(bytes_of), []
        for base in range(first, max(bytes_of), RECORD):
            found = tuple(bytes_of[base + at] for at in range(0, RECORD, 4))
            assert found in self.ran, f"a record of no instruction: {' '.join(f'{word:08x}' for word in found)}"
            kinds.append(self.ran[found])
        return kinds


async def start(dut, stall):
    bench = Bench(dut, random.Random(int(os.environ.get("SEED", "1"))), stall)
    await bench.reset()
    return bench


@cocotb.test()
async def records(dut):
    """Batches of records under random stalls."""
    bench = await start(dut, 0.4)
    kinds = []
    for size in (0, 1):
        await bench.sample(size)
        await ClockCycles(dut.clk, 900)
        await bench.stop()
        bench.check_words()
        found = bench.check_records()
        kinds += found
        assert len(found) > 3, f"{len(found)} records"
        assert await bench.read(SPDISAMBADDR) == BUFFER + len(found) * RECORD
        await bench.write(SPDISAMBCS, 0)
        bench.words.clear()
        bench.memory.writes.clear()
    assert {kind for kind, _, _ in kinds} >= {LOAD, STORE, TRANSFER} and {trap for *_, trap in kinds} == {True, False}
    assert len({itype for _, itype, _ in kinds}) > 6, f"few kinds of transfers: {kinds}"


@cocotb.test()
async def full_speed(dut):
    """A slave that is always ready."""
    bench = await start(dut, 0)
    await bench.sample(0, period=5)
    await ClockCycles(dut.clk, 500)
    await bench.stop()
    bench.check_words()
    assert len(bench.check_records()) > 3


@cocotb.test()
async def errors(dut):
    """The bus refuses a page: TF, the interrupt, and no word behind the queue's; then it is mended."""
    bench = await start(dut, 0.3)
    for _ in range(2):
        bench.memory.bad.clear()
        await bench.sample()
        await ClockCycles(dut.clk, bench.rng.randrange(100, 300))
        bench.memory.bad.add(BUFFER)
        await with_timeout(RisingEdge(dut.irq), 10, "us")
        assert await bench.access(MIP) & LAMBI
        assert await bench.read(SPDISAMBCS) & TF
        await bench.stop()
        written = len(bench.memory.writes)
        await ClockCycles(dut.clk, 100)
        assert len(bench.memory.writes) == written
        await bench.write(SPDISAMBCS, 0)
        await bench.access(MIP, value=LAMBI, way=3)
        assert not dut.irq.value
        bench.words.clear()
        bench.memory.writes.clear()


@cocotb.test()
async def resets(dut):
    """A reset in the middle of writes: nothing of before comes after it."""
    bench = await start(dut, 0.5)
    for _ in range(4):
        await bench.sample()
        await ClockCycles(dut.clk, bench.rng.randrange(60, 200))
        bench.run_on = False
        await bench.reset()
        assert not bench.memory.writes and not bench.words
        bench.run_on = True
        await bench.sample()
        await ClockCycles(dut.clk, 300)
        await bench.stop()
        bench.check_words()
        assert bench.check_records()
