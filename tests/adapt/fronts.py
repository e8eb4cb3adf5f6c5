# SPDX-License-Identifier: Apache-2.0
"""cocotb: the bus fronts of rtl/adapt, driven by the masters of cocotbext-axi and cocotbext-wishbone (front_top.v).

Random accesses with random pauses against a model of a few registers; 64-bit counters about to carry, which no read may
tear; forbidden accesses; bus cycles of Wishbone that end before their answer; resets in the middle of an access.
FRONT, XLEN, WINDOWS, ALIASES, COUNTER_RAM and SEED come from the environment."""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster, AxiResp
from cocotbext.axi.axil_channels import AxiLiteARTransaction, AxiLiteAWTransaction, AxiLiteWTransaction
from cocotbext.wishbone import driver as wishbone
from cocotbext.wishbone.driver import WBOp, WishboneMaster

from spec_numbers import SPEC, bit

FRONT = os.environ["FRONT"]
XLEN, WINDOWS, ALIASES = (int(os.environ[name]) for name in ("XLEN", "WINDOWS", "ALIASES"))
MODES = {"M": 0, "S": 1, "U": 2}  # windows
WRITE, SET, CLEAR = 0, 2, 3
MCOUNTINHIBIT, MCOUNTEREN, SCOUNTEREN = SPEC.CSR_MCOUNTINHIBIT, SPEC.CSR_MCOUNTEREN, SPEC.CSR_SCOUNTEREN
MIP, SIP, LCOFI = SPEC.CSR_MIP, SPEC.CSR_SIP, 1 << SPEC.INT_LCOFI
HIGH = 0  # the register of the other half
MHPMCOUNTER3, MHPMEVENT3, HPMCOUNTER3 = SPEC.CSR_MHPMCOUNTER3, SPEC.CSR_MHPMEVENT3, SPEC.CSR_HPMCOUNTER3
MCYCLE, OF = SPEC.CSR_MCYCLE, bit("MHPMEVENT_OF")
CYCLES = SPEC.EV_CYCLES_HART
EVENTS = (CYCLES, SPEC.EV_INST_RET, SPEC.EV_INST_LOAD_RET, SPEC.EV_INST_STORE_RET)  # some
FILTERS = bit("MHPMEVENT_MINH") | bit("MHPMEVENT_SINH") | bit("MHPMEVENT_UINH")  # this unit's mode filters
HIGHS, LOWS = 0xFFFFFFFF << 32, 0xFFFFFFFF
NOWHERE = (0x7FF, 0x7C0)  # no CSRs
PRESENT = 0x7D  # cycle, instret, four programmable counters


wishbone.set_immediate = lambda signal, value: setattr(signal, "value", value)  # Icarus 11 does not survive the other


class Refused(Exception):
    """The bus's error."""


def address(num, mode="M", way=WRITE, high=0):
    return way << 17 | MODES[mode] << 15 | num << 3 | high << 2


class Host:
    """Words over whichever bus; now() is a cycle count."""

    def __init__(self, dut, rng):
        self.dut, self.rng, self.cycles = dut, rng, 0
        logging.getLogger("cocotb.front_top").setLevel(logging.WARNING)
        dut.rst.value = 1
        for signal in ("wb_cyc", "wb_stb", "wb_we", "wb_adr", "wb_sel", "wb_datwr"):
            getattr(dut, signal).value = 0
        for signal in ("valid", "order", "insn", "trap", "halt", "intr", "mode", "ixl", "pc", "next", "wmask"):
            getattr(dut, f"rvfi_{signal}").value = 0
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        cocotb.start_soon(self.count())
        if FRONT == "axil":
            self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "axil"), dut.clk, dut.rst)
            write, read = self.master.write_if, self.master.read_if
            for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
                channel.set_pause_generator(self.pauses(random.Random(rng.random())))
        elif FRONT == "apb":
            self.master = ApbMaster(ApbBus.from_prefix(dut, "apb"), dut.clk, dut.rst)
        else:
            self.master = WishboneMaster(dut, "wb", dut.clk, timeout=100)

    @staticmethod
    def pauses(rng):
        while True:
            yield rng.random() < 0.3

    async def count(self):
        while True:
            await RisingEdge(self.dut.clk)
            self.cycles += 1

    async def pause(self):
        if self.rng.random() < 0.5:
            await ClockCycles(self.dut.clk, self.rng.randrange(1, 6))

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 2)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 2)

    async def write(self, where, value, size=4):
        await self.pause()
        if FRONT == "wb":
            result = await self.master.send_cycle([WBOp(where >> 2, value, sel=(1 << size) - 1)])
            refused = result[0].ack == 2
        elif FRONT == "axil":
            result = await self.master.write(where, value.to_bytes(4, "little")[:size])
            refused = result.resp != AxiResp.OKAY
        else:
            refused = await self.apb(self.master.write(where, value.to_bytes(4, "little")[:size]))
        if refused:
            raise Refused

    async def read(self, where):
        await self.pause()
        if FRONT == "wb":
            result = await self.master.send_cycle([WBOp(where >> 2)])
            if result[0].ack == 2:
                raise Refused
            return int(result[0].datrd)
        result = await self.master.read(where, 4)
        if result.resp != AxiResp.OKAY:
            raise Refused
        return int.from_bytes(result.data, "little")

    async def unaligned(self, where, value=None):
        """Four bytes from such an address, which the masters would not ask for."""
        dut = self.dut
        if FRONT == "axil":
            if value is None:
                channels = self.master.read_if
                await channels.ar_channel.send(AxiLiteARTransaction(araddr=where))
                resp = (await channels.r_channel.recv()).rresp
            else:
                channels = self.master.write_if
                await channels.aw_channel.send(AxiLiteAWTransaction(awaddr=where))
                await channels.w_channel.send(AxiLiteWTransaction(wdata=value, wstrb=15))
                resp = (await channels.b_channel.recv()).bresp
            failed = resp != AxiResp.OKAY
        else:
            dut.apb_paddr.value, dut.apb_pwrite.value, dut.apb_pwdata.value = where, value is not None, value or 0
            dut.apb_pstrb.value, dut.apb_psel.value = 0 if value is None else 15, 1
            await RisingEdge(dut.clk)
            dut.apb_penable.value = 1
            await RisingEdge(dut.clk)
            while not dut.apb_pready.value:
                await RisingEdge(dut.clk)
            failed = dut.apb_pslverr.value
            dut.apb_psel.value = dut.apb_penable.value = 0
        if failed:
            raise Refused

    @staticmethod
    async def apb(write):
        return (await write).resp != AxiResp.OKAY

    async def read64(self, num, mode="M"):
        low = await self.read(address(num, mode))
        return low | await self.read(address(num, mode, high=1)) << 32

    async def write64(self, num, value, mode="M"):
        await self.write(address(num, mode, high=1), value >> 32)
        await self.write(address(num, mode), value & 0xFFFFFFFF)


async def refused(access):
    try:
        await access
    except Refused:
        return True
    return False


async def start(dut):
    rng = random.Random(int(os.environ["SEED"]))
    host = Host(dut, rng)
    await host.reset()
    await ClockCycles(dut.clk, 40)  # the RAM of the counters is cleared
    return host, rng


@cocotb.test()
async def registers(dut):
    """Writes, sets and clears of registers of one word, in M-mode, against a model."""
    host, rng = await start(dut)
    model = {MCOUNTINHIBIT: 0, MCOUNTEREN: 0}
    masks = {MCOUNTINHIBIT: PRESENT, MCOUNTEREN: PRESENT | 2}
    for _ in range(100):
        num, value = rng.choice(list(model)), rng.getrandbits(32)
        ways = (WRITE, SET, CLEAR) if ALIASES else (WRITE,)
        way = rng.choice((*ways, None))
        if way is None:
            got = await host.read(address(num, way=rng.choice(ways)))
            assert got == model[num], f"{num:03x}: expected {model[num]:08x}, found {got:08x}"
            continue
        await host.write(address(num, way=way), value)
        new = {WRITE: value, SET: model[num] | value, CLEAR: model[num] & ~value}[way]
        model[num] = new & masks[num]


@cocotb.test()
async def counters_untorn(dut):
    """A counter that carries into its high half while it is read: the value fits the cycle in which it was read."""
    host, rng = await start(dut)
    await host.write64(MHPMEVENT3, CYCLES)
    assert await host.read64(MHPMEVENT3) == CYCLES
    for _ in range(25):
        preset = rng.getrandbits(31) << 32 | 0xFFFFFFFF - rng.randrange(80)
        num = rng.choice((MHPMCOUNTER3, MCYCLE))
        before = host.cycles
        await host.write64(num, preset)
        earliest, latest = before, host.cycles
        for _ in range(6):
            began = host.cycles
            value = await host.read64(num)
            low, high = preset + began - latest, preset + host.cycles - earliest
            assert low <= value <= high, f"{value:016x} is not from {low:016x} to {high:016x}"


@cocotb.test()
async def overflow(dut):
    """The interrupt is a level, from the overflow until software clears it."""
    host, rng = await start(dut)
    for _ in range(10):
        await host.write64(MHPMEVENT3, CYCLES)  # clears OF
        await host.write(address(MIP, way=CLEAR), LCOFI)
        assert not dut.irq.value
        await host.write64(MHPMCOUNTER3, (1 << 64) - rng.randrange(100, 200))
        await RisingEdge(dut.irq)
        await ClockCycles(dut.clk, rng.randrange(20))
        assert dut.irq.value
        assert await host.read(address(rng.choice((MIP, SIP)))) == LCOFI
        assert await host.read64(MHPMEVENT3) == OF | CYCLES
        way, value = rng.choice(((WRITE, 0), (CLEAR, LCOFI)))
        await host.write(address(rng.choice((MIP, SIP)), way=way), value)
        await ClockCycles(dut.clk, 1)
        assert not dut.irq.value


@cocotb.test()
async def refusals(dut):
    """An access forbidden by rights, size or address gets the bus's error, and changes nothing."""
    host, rng = await start(dut)
    await host.write(address(MCOUNTINHIBIT), 0x55 & PRESENT)
    await host.write64(MHPMCOUNTER3, 0x123456789)
    wrong = [address(MCOUNTINHIBIT, "S"), address(MCOUNTINHIBIT, "U"), address(HPMCOUNTER3, "U"),
             address(HPMCOUNTER3, "S"), *map(address, NOWHERE), address(MIP, "S"), address(SIP, "U"),
             address(MCOUNTINHIBIT, way=1), 3 << 15 | MCOUNTINHIBIT << 3, address(MIP, high=1)]
    wrong += [address(MCOUNTINHIBIT, high=1)] if XLEN == 32 else []
    wrong += [] if ALIASES else [address(num, way=way) for num in (MCOUNTINHIBIT, MHPMCOUNTER3) for way in (SET, CLEAR)]
    for _ in range(40):
        where = rng.choice(wrong)
        if rng.random() < 0.5:
            assert await refused(host.read(where)), f"a read of {where:05x} was answered"
        else:
            assert await refused(host.write(where, rng.getrandbits(32))), f"a write of {where:05x} was answered"
        assert await refused(host.write(address(MCOUNTINHIBIT), 0, size=rng.choice((1, 2, 3))))
        if FRONT != "wb":  # whose addresses are words
            odd = address(MCOUNTINHIBIT) + rng.randrange(1, 4)
            assert await refused(host.unaligned(odd, 0 if rng.random() < 0.5 else None)), f"{odd:05x} was answered"
        assert await host.read(address(MCOUNTINHIBIT)) == 0x55 & PRESENT
    assert await host.read64(MHPMCOUNTER3) == 0x123456789
    # a counter that U may read, and the high half of one that M read
    await host.write(address(MCOUNTEREN), 8)
    assert await refused(host.read(address(HPMCOUNTER3, "S", high=1)))
    if WINDOWS == 1:
        assert await refused(host.read(address(HPMCOUNTER3, "S")))
    else:
        assert await host.read(address(HPMCOUNTER3, "S")) == 0x23456789
        assert await host.read(address(HPMCOUNTER3, "S", high=1)) == 1
    assert await refused(host.read(address(HPMCOUNTER3, "U", high=1)))
    assert await refused(host.read(address(HPMCOUNTER3, "U")))
    await host.write(address(SCOUNTEREN), 8)
    assert await refused(host.read(address(HPMCOUNTER3, "U"))) == (WINDOWS < 3)
    assert await refused(host.write(address(HPMCOUNTER3, "S"), 0))


@cocotb.test(skip=FRONT != "wb")
async def withdrawn(dut):
    """A bus cycle that ends before its answer, after any number of cycles: it has done nothing, all that it was asked
    for, or, to a register of 64 bits of RV32, a part of it; the next access is answered as always."""
    host, rng = await start(dut)
    await host.write(address(MCOUNTINHIBIT), PRESENT)
    halves = {True: lambda old, new: {old & HIGHS, new & HIGHS},  # a counter: low 0, high, low
              False: lambda old, new: {old & HIGHS, old & HIGHS | new & LOWS}}  # an event: low 0, low, high
    outcomes = set()
    for length in [*range(1, 14)] * 4:
        num = rng.choice((MHPMCOUNTER3, MHPMEVENT3, MCOUNTEREN))
        counter = num == MHPMCOUNTER3
        wide = num != MCOUNTEREN
        old, new = (rng.getrandbits(64) if counter else FILTERS & rng.getrandbits(64) | rng.choice(EVENTS) if wide
                    else rng.getrandbits(7) for _ in range(2))
        await host.write64(num, old) if wide else await host.write(address(num), old)
        if wide:
            await host.write(address(num, high=1), new >> 32)
        dut.wb_adr.value, dut.wb_we.value, dut.wb_sel.value = address(num) >> 2, 1, 15
        dut.wb_datwr.value, dut.wb_cyc.value, dut.wb_stb.value = new & LOWS, 1, 1
        answered = False
        for _ in range(length):
            await RisingEdge(dut.clk)
            answered = answered or bool(dut.wb_ack.value)
            if answered:
                break
        dut.wb_cyc.value = dut.wb_stb.value = dut.wb_we.value = 0
        for cycle in range(rng.randrange(1, 4)):
            await RisingEdge(dut.clk)
            assert cycle == 0 or not dut.wb_ack.value, "an answer long behind"
        assert await host.read(address(MCOUNTINHIBIT)) == PRESENT
        found = await host.read64(num) if wide else await host.read(address(num))
        allowed = {new} if answered else {old} if length == 1 else {old, new}
        if not answered and wide and XLEN == 32 and length > 1:
            allowed |= halves[counter](old, new)
        assert found in allowed, f"{num:03x}, {length} cycles: {found:016x}, was {old:016x}, asked for {new:016x}"
        if not answered:
            outcomes.add("nothing" if found == old else "all" if found == new else "a part")
    assert outcomes == {"nothing", "all", *(["a part"] if XLEN == 32 else [])}, outcomes


@cocotb.test()
async def high_is_saved(dut):
    """A handler reads counters between the two halves of another's read, and puts `high` back."""
    host, rng = await start(dut)
    await host.write(address(MCOUNTINHIBIT), PRESENT)
    for _ in range(10):
        one, two = rng.getrandbits(64), rng.getrandbits(64)
        await host.write64(MHPMCOUNTER3, one)
        await host.write64(MCYCLE, two)
        low = await host.read(address(MHPMCOUNTER3))
        saved, owner = await host.read(address(HIGH)), await host.read(address(HIGH, high=1))
        assert await host.read64(MCYCLE) == two
        await host.write(address(HIGH), saved)
        await host.write(address(HIGH, high=1), owner)
        assert low | await host.read(address(MHPMCOUNTER3, high=1)) << 32 == one


@cocotb.test()
async def resets(dut):
    """A reset in the middle of an access: the next access works."""
    host, rng = await start(dut)
    for _ in range(15):
        await host.write(address(MCOUNTINHIBIT), 0x5)
        task = cocotb.start_soon(host.write(address(MCOUNTINHIBIT), 0x4))
        await ClockCycles(dut.clk, rng.randrange(1, 8))
        if not task.done():
            task.cancel()
        if FRONT == "wb":  # the others see the reset
            dut.wb_cyc.value = dut.wb_stb.value = 0
        await host.reset()
        if FRONT == "wb":
            host.master = WishboneMaster(dut, "wb", dut.clk, timeout=100)
        await ClockCycles(dut.clk, 40)
        assert await host.read(address(MCOUNTINHIBIT)) == 0
