# SPDX-License-Identifier: Apache-2.0
"""A strict reader of pprof's files (profile.proto)."""

# Messages of profile.proto: number of a field -> name, kind. Everything that is not here is an error.
VALUE_TYPE = {1: ("type", int), 2: ("unit", int)}
PROFILE = {
    1: ("sample_type", VALUE_TYPE),
    2: ("sample", {1: ("location", list), 2: ("value", list)}),
    3: ("mapping", {1: ("id", int), 2: ("start", int), 3: ("limit", int), 4: ("offset", int), 5: ("file", int),
                    6: ("build_id", int), 7: ("functions", int), 8: ("files", int), 9: ("lines", int),
                    10: ("inlined", int)}),
    4: ("location", {1: ("id", int), 2: ("mapping", int), 3: ("address", int),
                     4: ("line", {1: ("function", int), 2: ("line", int)})}),
    5: ("function", {1: ("id", int), 2: ("name", int), 3: ("system_name", int), 4: ("file", int)}),
    6: ("string", bytes),
    11: ("period_type", VALUE_TYPE),
    12: ("period", int),
    13: ("comment", list),
    14: ("default_sample_type", int),
}


class Proto(dict):
    """A strict decoder: unknown fields, wrong wire types, numbers cut short or longer than needed are errors."""

    def __init__(self, data, fields):
        super().__init__({name: [] for name, _ in fields.values()})
        self.data, self.at = data, 0
        while self.at < len(data):
            tag = self.varint()
            name, kind = fields[tag >> 3]
            assert tag & 7 == (0 if kind is int else 2), name
            if kind is int:
                assert not self[name], f"{name} twice"
                self[name].append(self.varint())
            else:
                self[name] += self.inner(kind)

    def inner(self, kind):
        size = self.varint()
        part = self.data[self.at:self.at + size]
        assert len(part) == size, "cut short"
        if kind is bytes:
            self.at += size
            return [part]
        if isinstance(kind, dict):
            self.at += size
            return [Proto(part, kind)]
        end, out = self.at + size, []
        while self.at < end:
            out.append(self.varint())
        assert self.at == end
        return out

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                assert byte or shift == 7, "longer than needed"
                assert value < 1 << 64
                return value

    def one(self, name):
        (value,) = self[name] or (0,)
        return value
