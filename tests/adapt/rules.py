# SPDX-License-Identifier: Apache-2.0
"""cocotb: RVFI streams that break rules of tally_rvfi_check, into tally_pmu_lite behind a front (front_top.v, CHECK=1).

Each broken rule has its bit and its name in its cycle, and no other has; meanwhile every access of the bus is answered
in time, counts are those of the stream as it comes, and an overflow interrupts with the pc of its instruction. FRONT,
XLEN, WINDOWS and SEED come from the environment."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout

from fronts import (CLEAR, FRONT, HPMCOUNTER3, LCOFI, MCOUNTEREN, MCOUNTINHIBIT, MHPMCOUNTER3, MHPMEVENT3, MIP, NOWHERE,
                    OF, WINDOWS, XLEN)
from fronts import Host, address, refused
from spec_numbers import SPEC, bit

NAMES = ("ORDER", "TRAP", "MODE", "IXL", "PC", "HALT", "INSN")
ORDER, TRAP, MODE, IXL, PC, HALT, INSN = range(len(NAMES))
TOP = (1 << XLEN) - 1
LIMIT = 14  # cycles from a request to its answer (tests/formal/front_formal.v)
MINSTRET, SHPMSPC, MINH = SPEC.CSR_MINSTRET, SPEC.CSR_SHPMSPC, bit("MHPMEVENT_MINH")
INSTRUCTIONS, LOADS, STORES = SPEC.EV_INST_RET, SPEC.EV_INST_LOAD_RET, SPEC.EV_INST_STORE_RET
EXCEPTIONS, INTERRUPTS, COMPRESSED = SPEC.EV_EXCEPTION, SPEC.EV_INTERRUPT, SPEC.EV_INST_RVC_RET
# Codes, and the events that they are besides an instruction
CODES = {0x00000013: (), 0x0000A083: (LOADS,), 0x0010A023: (STORES,), 0x00000063: (), 0x0001: (COMPRESSED,),
         0x4000: (COMPRESSED, LOADS), 0xC000: (COMPRESSED, STORES)}


class Insn:
    """What RVFI reports of an instruction; `at` is the stream's."""

    def __init__(self, stream, **fields):
        rng = stream.rng
        self.insn = rng.choice(list(CODES))
        self.trap, self.halt, self.order, self.ixl = rng.random() < 0.1, 0, stream.order, XLEN // 32
        self.mode, self.wmask = rng.choice((0, 1, 3)), 0
        self.intr = rng.random() < 0.1
        self.pc = stream.next if not (self.intr or stream.trap) else rng.getrandbits(XLEN) & ~1
        self.next = self.pc + (4 if self.insn & 3 == 3 else 2) & TOP
        for name, value in fields.items():
            setattr(self, name, value)


class Stream:
    """Drives instructions, with the rules that they break and their counts."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.counts, self.stores, self.seen = dict.fromkeys((INSTRUCTIONS, LOADS, STORES, EXCEPTIONS, INTERRUPTS,
                                                             COMPRESSED, "below M"), 0), [], 0
        self.begun, self.trap, self.halt, self.order, self.next = False, False, False, 0, 0x80000000

    def rules(self, i):
        """The rules that an instruction breaks, after those before it."""
        broken = [i.order != self.order and self.begun, i.trap and i.wmask, i.mode == 2 and WINDOWS != 1, i.ixl != 1,
                  i.pc & 1 or self.begun and not (self.trap or i.intr) and i.pc != self.next, self.halt,
                  i.insn & 3 != 3 and i.insn >> 16]
        if XLEN == 64:
            broken[IXL] = i.ixl in (0, 3)
        return sum(1 << rule for rule, is_broken in enumerate(broken) if is_broken)

    def count(self, i):
        """An instruction counts as reported: mode 2 as M, a trap as an exception."""
        events = [INSTRUCTIONS, *CODES[i.insn if i.insn & 3 == 3 else i.insn & 0xFFFF]] if not i.trap else [EXCEPTIONS]
        events += [INTERRUPTS] if i.intr and not self.trap else []
        for event in events:
            self.counts[event] += 1
        self.counts["below M"] += not i.trap and i.mode < 2 and WINDOWS != 1
        if STORES in events:
            self.stores.append(i.pc)

    async def send(self, i):
        dut = self.dut
        for name in ("insn", "trap", "halt", "intr", "mode", "ixl", "order", "pc", "next", "wmask"):
            getattr(dut, f"rvfi_{name}").value = int(getattr(i, name))
        dut.rvfi_valid.value = 1
        await RisingEdge(dut.clk)
        expected, found = self.rules(i), int(dut.broken.value)
        name = int(dut.broken_rule.value).to_bytes(5, "big").strip(b"\0").decode()
        lowest = next((NAMES[rule] for rule in range(len(NAMES)) if expected >> rule & 1), "")
        assert (found, name) == (expected, lowest), (
            f"expected rules {expected:07b} {lowest}, found {found:07b} {name}: {vars(i)}")
        self.count(i)
        self.seen |= expected
        self.begun, self.trap, self.halt = True, bool(i.trap), bool(i.halt)
        self.order, self.next = i.order + 1 & 2**64 - 1, i.next
        dut.rvfi_valid.value = 0

    async def good(self, count):
        """Instructions that break nothing, with pauses."""
        for _ in range(count):
            if self.rng.random() < 0.3:
                await ClockCycles(self.dut.clk, self.rng.randrange(1, 4))
                assert not self.dut.broken.value
            await self.send(Insn(self))

    def breaking(self, rule):
        """An instruction that breaks one rule and no other; HALT: the one before has `halt`."""
        rng = self.rng
        i = Insn(self, trap=False, intr=False, pc=self.next)
        if rule == ORDER:
            i.order = (i.order + rng.choice((1, 2, rng.getrandbits(63), 2**64 - 1))) & 2**64 - 1
        elif rule == TRAP:
            i.trap, i.wmask = True, 1 << rng.randrange(XLEN // 8)
        elif rule == MODE:
            i.mode = 2
        elif rule == IXL:
            i.ixl = rng.choice((0, 2, 3) if XLEN == 32 else (0, 3))
        elif rule == PC:
            elsewhere = self.next ^ 2 if rng.random() < 0.5 else rng.getrandbits(XLEN) & ~1
            odd = self.trap or elsewhere == self.next or rng.random() < 0.5
            i.pc = elsewhere | odd
        elif rule == INSN:
            i.insn = rng.choice([code for code in CODES if code & 3 != 3]) | 1 << rng.randrange(16, 32)
        return i

    def wild(self):
        """Any fields, but a code that is known."""
        rng = self.rng
        i = Insn(self, order=rng.getrandbits(64), trap=rng.getrandbits(1), halt=rng.getrandbits(1),
                 intr=rng.getrandbits(1), mode=rng.getrandbits(2), ixl=rng.getrandbits(2), pc=rng.getrandbits(XLEN),
                 next=rng.getrandbits(XLEN), wmask=rng.getrandbits(XLEN // 8))
        if i.insn & 3 != 3:
            i.insn |= rng.getrandbits(16) << 16
        return i


class Bus:
    """Accesses beside the stream, until stop(); every answer comes in time."""

    def __init__(self, dut, host, stream):
        self.dut, self.host, self.stream, self.going, self.accesses, self.worst = dut, host, stream, True, 0, 0
        self.tasks = [cocotb.start_soon(self.access()), cocotb.start_soon(self.watch())]

    async def watch(self):
        waits = 0
        while self.going:
            await RisingEdge(self.dut.clk)
            waits = waits + 1 if self.dut.asks.value and not self.dut.answers.value else 0
            self.worst = max(self.worst, waits)
            assert waits <= LIMIT, f"no answer in {waits} cycles"

    async def access(self):
        host, rng = self.host, random.Random(self.host.rng.random())
        while self.going:
            what = rng.randrange(5)
            if what == 0:
                before = self.stream.counts[INSTRUCTIONS]
                found = await host.read64(MINSTRET)
                after = self.stream.counts[INSTRUCTIONS] + 1
                assert before <= found <= after, f"{found} instructions, not from {before} to {after}"
            elif what == 1:
                value = rng.getrandbits(7)
                await host.write(address(MCOUNTEREN), value)
                assert await host.read(address(MCOUNTEREN)) == value & 0x7F
            elif what == 2:
                assert await refused(host.write(address(MCOUNTINHIBIT, "U"), 0xFF))
            elif what == 3:
                assert await refused(host.read(address(NOWHERE[1])))
            else:
                await host.read64(rng.choice((MHPMCOUNTER3, MHPMEVENT3, HPMCOUNTER3)) + rng.randrange(4))
            self.accesses += 1

    async def stop(self):
        self.going = False
        for task in self.tasks:
            await task
        assert self.accesses


async def start(dut, events):
    """The unit out of reset, counters 3 to 6 with their events, everything 0."""
    rng = random.Random(int(os.environ["SEED"]))
    host = Host(dut, rng)
    await host.reset()
    await ClockCycles(dut.clk, 40)
    for n, event in enumerate(events):
        await host.write64(MHPMEVENT3 + n, event)
    await host.write64(MINSTRET, 0)
    return host, Stream(dut, rng)


async def compare(host, stream, events):
    for num, event in [(MINSTRET, INSTRUCTIONS), *((MHPMCOUNTER3 + n, event) for n, event in enumerate(events))]:
        expected = stream.counts["below M" if event == INSTRUCTIONS | MINH else event]
        found = await host.read64(num)
        assert found == expected, f"event {event:x}: expected {expected}, found {found}"
    assert int(host.dut.broken_seen.value) == stream.seen, f"{int(host.dut.broken_seen.value):07b}"


async def each(dut):
    events = (LOADS, EXCEPTIONS, INTERRUPTS, INSTRUCTIONS | MINH)
    host, stream = await start(dut, events)
    for rule in range(len(NAMES)):
        for _ in range(4):
            await stream.good(stream.rng.randrange(3, 12))
            bus = Bus(dut, host, stream)
            if rule == HALT:
                await stream.send(Insn(stream, halt=1))
            i = stream.breaking(rule)
            broken = stream.rules(i)
            assert broken == (0 if rule == MODE and WINDOWS == 1 else 1 << rule), f"{NAMES[rule]}: {broken:07b}"
            await stream.send(i)
            await stream.good(stream.rng.randrange(10, 20))
            await bus.stop()
        assert int(dut.broken_seen.value) == stream.seen
    await compare(host, stream, events)
    assert stream.seen == (1 << len(NAMES)) - 1 - ((1 << MODE) if WINDOWS == 1 else 0)
    await host.reset()
    assert not dut.broken_seen.value


async def wild(dut):
    events = (COMPRESSED, STORES, EXCEPTIONS, INSTRUCTIONS | MINH)
    host, stream = await start(dut, events)
    counter = stream.rng.randrange(20, 60)
    await host.write64(MHPMCOUNTER3 + 1, (1 << 64) - counter)
    bus = Bus(dut, host, stream)
    for _ in range(800):
        chance = stream.rng.random()
        if chance < 0.4:
            await stream.send(stream.wild())
        elif chance < 0.7:
            await stream.send(stream.breaking(stream.rng.randrange(len(NAMES))))
        else:
            await stream.good(1)
    await bus.stop()
    # the interrupt, and its pc
    assert len(stream.stores) > counter and dut.irq.value
    assert await host.read64(MHPMEVENT3 + 1) == OF | STORES
    expected = stream.stores[counter - 1] & ~1
    found = await host.read(address(SHPMSPC))
    assert found == expected & 0xFFFFFFFF, f"shpmspc: expected {expected:x}, found {found:x}"
    await host.write(address(MIP, way=CLEAR), LCOFI)
    await ClockCycles(dut.clk, 2)
    assert not dut.irq.value
    stream.counts[STORES] -= counter
    await compare(host, stream, events)
    dut._log.warning("seed %s: %d instructions, %d accesses, the longest of %d cycles", os.environ["SEED"],
                     sum(stream.counts[event] for event in (INSTRUCTIONS, EXCEPTIONS)), bus.accesses, bus.worst)


@cocotb.test()
async def each_rule(dut):
    """Each rule by itself: its bit, its name, and nothing else."""
    await with_timeout(each(dut), 500, "us")


@cocotb.test()
async def wild_streams(dut):
    """Streams in which nothing holds."""
    await with_timeout(wild(dut), 500, "us")
