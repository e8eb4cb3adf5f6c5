# SPDX-License-Identifier: Apache-2.0
"""Writes files of sample records. Fields and offsets come from spec/record.yaml, the header from docs/profile.md."""

import pathlib
import struct

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORD = yaml.safe_load((ROOT / "spec" / "record.yaml").read_text(encoding="utf-8"))
MASK = {32: (1 << 32) - 1, 64: (1 << 64) - 1}


def pack_word(word, values):
    """One word from its fields' names and values."""
    out = 0
    for field in RECORD["fields"][word]:
        value = values.pop(field["name"], 0)
        msb, _, lsb = str(field["location"]).partition("-")
        lsb = int(lsb or msb)
        assert value < 1 << (int(msb) - lsb + 1), field["name"]
        out |= value << lsb
    return out


def pack(xlen, pc, time=0, adr1=0, adr2=0, **fields):
    """One record as the unit writes it."""
    out = bytearray(RECORD["bytes"][f"rv{xlen}"])
    values = {"pdispc": pc, "pdistime": time, "pdisadr1": adr1, "pdisadr2": adr2}
    for word in ("pdishdrev", "pdislat"):
        values[word] = pack_word(word, fields)
    assert not fields, fields
    for word in RECORD["words"]:
        name = word["name"]
        wide = xlen == 64 or name in RECORD["fields"]
        struct.pack_into("<Q" if wide else "<I", out, word[f"rv{xlen}"], values[name] & MASK[64 if wide else 32])
    return bytes(out)


def stack(addresses):
    """A record of version 3 with a call stack."""
    return struct.pack("<Q7Q", 7 << 61 | len(addresses) << 58, *addresses, *[0] * (7 - len(addresses)))


def header(xlen, count, *, name="test", time_clock=10_000_000, core_clock=100_000_000, period=1000, bias=0, pid=7,
           version=2, size=None, header_size=None, magic=b"TALLYREC", lost=0, begin=0, end=0, modes=0, build_id=b"",
           id_size=None):
    text = name.encode()
    fixed = 72 if version == 1 else 128
    whole_header = fixed + (len(text) + 7) // 8 * 8
    out = magic + struct.pack("<IIIIQQQQQII", version, header_size or whole_header, xlen,
                              size or RECORD["bytes"][f"rv{xlen}" if xlen in MASK else "rv64"], count, time_clock,
                              core_clock, period, bias, pid, len(text))
    if version > 1:
        size = len(build_id) if id_size is None else id_size
        out += struct.pack("<QQQII", lost, begin, end, modes, size) + build_id.ljust(24, b"\0")
    return out + text.ljust(whole_header - fixed, b"\0")


def whole(xlen, records, **options):
    return header(xlen, len(records), **options) + b"".join(records)
