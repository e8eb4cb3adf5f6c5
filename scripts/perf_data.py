#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make perf.data of the machine's perf (Linux 6.12) readable by Debian's perf (6.1), in place.

    scripts/perf_data.py FILE...

Older perf refuses attributes that are longer than its own, even if the rest is 0. The attributes are cut to the length
that it knows (Linux, tools/perf/Documentation/perf.data-file-format.txt); nothing else changes. A file that needs
nothing is left alone. Exit status 2: not such a file, or one that uses the rest.
"""

import pathlib
import struct
import sys

MAGIC = b"PERFILE2"
KNOWN = 128  # PERF_ATTR_SIZE_VER7
IDS = 16  # behind each attribute: offset and size of its ids
HEADER = struct.Struct("<8sQQQQ")  # magic, size, attr_size, attrs.offset, attrs.size
SIZE_AT = 4  # of perf_event_attr.size


def shortened(data):
    """The file's bytes with attributes of KNOWN bytes; None if they are not longer."""
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        raise ValueError("not a perf.data file")
    magic, size, each, start, total = HEADER.unpack_from(data)
    if each - IDS <= KNOWN:
        return None
    if total % each or start + total > len(data):
        raise ValueError("its attributes are cut short")
    attributes = b""
    for at in range(start, start + total, each):
        attribute, ids = data[at:at + each - IDS], data[at + each - IDS:at + each]
        if any(attribute[KNOWN:]):
            raise ValueError("an attribute uses a field that older perf lacks")
        attributes += attribute[:SIZE_AT] + struct.pack("<I", KNOWN) + attribute[SIZE_AT + 4:KNOWN] + ids
    header = HEADER.pack(magic, size, KNOWN + IDS, start, len(attributes))
    attributes += bytes(total - len(attributes))
    return header + data[HEADER.size:start] + attributes + data[start + total:]


def main(paths):
    if not paths:
        sys.exit(__doc__)
    for path in map(pathlib.Path, paths):
        try:
            changed = shortened(path.read_bytes())
        except (OSError, ValueError) as error:
            print(f"perf_data.py: {path}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
            return 2
        if changed:
            part = path.with_name(path.name + ".part")
            part.write_bytes(changed)
            part.replace(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
