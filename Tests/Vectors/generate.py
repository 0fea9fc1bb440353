# SPDX-License-Identifier: Apache-2.0
"""Writes serialized values, and the JSON text that each stands for, as the implementations of PyPI
read them: msgpack, cbor2, py-ubjson, bjdata.

    pip install msgpack cbor2 py-ubjson bjdata 'numpy<2'
    python3 generate.py

Half of the values are written by the implementation, the other half by this program, which uses
every form that the format has (any width of a number, lengths that are not known beforehand,
types that are shared). What is expected is always what the implementation reads.
"""

import base64
import json
import math
import random
import struct
from decimal import Decimal

import bjdata
import cbor2
import msgpack
import numpy
import ubjson


def number(value):
    """A float with the words of JavaScript for what is not finite."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def text(value):
    """WAMP's JSON."""
    if value is None or value is cbor2.undefined or isinstance(value, cbor2.CBORSimpleValue):
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return number(float(value))
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (bytes, bytearray)):
        return '"\\u0000' + base64.b64encode(value).decode() + '"'
    if isinstance(value, msgpack.ExtType):
        return text(value.data)
    if isinstance(value, msgpack.Timestamp):
        whole = value.seconds * 10**9 + value.nanoseconds
        sign, whole = "-" if whole < 0 else "", abs(whole)
        fraction = ".%09d" % (whole % 10**9) if value.nanoseconds else ""
        return sign + str(whole // 10**9) + fraction
    if isinstance(value, cbor2.CBORTag):
        return text(value.value)
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return "[" + ",".join(map(text, value)) + "]"
    if hasattr(value, "items"):
        return "{" + ",".join(key(k) + ":" + text(v) for k, v in value.items()) + "}"
    raise TypeError(type(value))


def key(value):
    shown = text(value)
    return shown if shown.startswith('"') else json.dumps(shown, ensure_ascii=False)


WORDS = ["", "a", "com.example.add2", "Grüße, 世界 😀", 'say "hi"\\', "tab\tline\nnul\x00\x1f",
         "x" * 40, "é" * 130, "\x7f\x80\u2028", "wamp.error.no_such_procedure"]
INTEGERS = [0, 1, 23, 24, 31, 32, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31,
            2**32 - 1, 2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]
FLOATS = [0.0, -0.0, 1.0, 0.1, -1.5, 1e16, 1.2345e16, 2.0**53, 2.0**54, 1e300, 5e-324, 1e-5, 65504.0,
          5.960464477539063e-08, 3.4028234663852886e38, float("inf"), float("-inf"), float("nan")]


class Values:
    """Random values that an implementation takes."""

    def __init__(self, seed, largest=2**64, finite=False):
        self.random, self.largest, self.finite = random.Random(seed), largest, finite

    def integer(self):
        r = self.random
        value = r.choice(INTEGERS) if r.random() < 0.5 else r.getrandbits(r.randrange(1, 64))
        value = -value if r.random() < 0.3 else value
        return value if -(2**63) <= value < self.largest else 7

    def float(self):
        r = self.random
        while True:
            if r.random() < 0.5:
                value = r.choice(FLOATS)
            else:
                value = struct.unpack(">d", r.randbytes(8))[0]
            if math.isfinite(value) or not self.finite:
                return value

    def word(self):
        r = self.random
        return r.choice(WORDS) if r.random() < 0.7 else "".join(
            chr(r.choice([r.randrange(32, 127), r.randrange(0xA0, 0xD800), 0x1F600]))
            for _ in range(r.randrange(12)))

    def octets(self):
        return self.random.randbytes(self.random.choice([0, 1, 2, 3, 20, 60]))

    def value(self, depth=3):
        r = self.random
        kind = r.randrange(10 if depth else 7)
        if kind < 2:
            return self.integer()
        if kind == 2:
            return self.float()
        if kind < 5:
            return self.word()
        if kind == 5:
            return r.choice([None, True, False])
        if kind == 6:
            return self.octets()
        if kind < 9:
            return [self.value(depth - 1) for _ in range(r.randrange(5))]
        return {self.word(): self.value(depth - 1) for _ in range(r.randrange(5))}


def call(values):
    r = values.random
    return [48, r.getrandbits(20), {"receive_progress": True}, "com.example.add2",
            [values.value(2) for _ in range(r.randrange(4))], {"key": values.value(1)}]


# Every form that a format has, by hand.

def msgpack_wire(v, depth=3):
    r = v.random
    kind = r.randrange(9 if depth else 7)
    if kind == 0:
        width, code = r.choice([(1, 0xCC), (2, 0xCD), (4, 0xCE), (8, 0xCF)])
        return bytes([code]) + r.getrandbits(r.randrange(1, width * 8 + 1)).to_bytes(width, "big")
    if kind == 1:
        width, code = r.choice([(1, 0xD0), (2, 0xD1), (4, 0xD2), (8, 0xD3)])
        return bytes([code]) + r.randbytes(width)
    if kind == 2:
        single = bytes([r.choice([0, 127, 0xE0, 0xFF, 0xC0, 0xC2, 0xC3])])
        return r.choice([b"\xca" + r.randbytes(4), b"\xcb" + r.randbytes(8), single])
    if kind == 3:
        word = v.word().encode()
        return r.choice([lambda: b"\xda" + struct.pack(">H", len(word)),
                         lambda: b"\xdb" + struct.pack(">I", len(word))])() + word
    if kind == 4:
        octets = v.octets()
        return r.choice([b"\xc4" + bytes([len(octets)]), b"\xc5" + struct.pack(">H", len(octets)),
                         b"\xc6" + struct.pack(">I", len(octets))]) + octets
    if kind == 5:
        octets, kind = r.randbytes(r.choice([1, 2, 4, 8, 16])), bytes([r.choice([1, 5, 0x85])])
        fixed = bytes([0xD4 + len(octets).bit_length() - 1])
        return r.choice([fixed, b"\xc7" + bytes([len(octets)]),
                         b"\xc9" + struct.pack(">I", len(octets))]) + kind + octets
    if kind == 6:
        seconds, nanos = r.getrandbits(32), r.randrange(10**9)
        return r.choice([b"\xd6\xff" + struct.pack(">I", seconds),
                         b"\xd7\xff" + struct.pack(">Q", nanos << 34 | seconds),
                         b"\xc7\x0c\xff" + struct.pack(">Iq", nanos, -seconds)])
    count = r.randrange(4)
    if kind == 7:
        head = r.choice([bytes([0x90 + count]), b"\xdc" + struct.pack(">H", count),
                         b"\xdd" + struct.pack(">I", count)])
        return head + b"".join(msgpack_wire(v, depth - 1) for _ in range(count))
    head = r.choice([bytes([0x80 + count]), b"\xde" + struct.pack(">H", count),
                     b"\xdf" + struct.pack(">I", count)])
    keys = [b"\xa1a", b"\x07", b"\xc4\x01\xff", b"\xcb\x40\x45\x00\x00\x00\x00\x00\x00", b"\xc0"]
    r.shuffle(keys)
    return head + b"".join(k + msgpack_wire(v, depth - 1) for k in keys[:count])


def cbor_head(r, major, argument):
    if argument < 24 and r.random() < 0.5:
        return bytes([major << 5 | argument])
    forms = [(24, ">B"), (25, ">H"), (26, ">I"), (27, ">Q")]
    fits = [f for f in forms if argument < 256 ** struct.calcsize(f[1])]
    code, form = r.choice(fits)
    return bytes([major << 5 | code]) + struct.pack(form, argument)


def cbor_wire(v, depth=3):
    r = v.random
    kind = r.randrange(10 if depth else 7)
    if kind < 2:
        return cbor_head(r, kind, r.choice(INTEGERS))
    if kind == 2:
        return r.choice([b"\xf9" + r.randbytes(2), b"\xfa" + r.randbytes(4),
                         b"\xfb" + r.randbytes(8), b"\xf4", b"\xf5", b"\xf6", b"\xf7", b"\xf0",
                         b"\xf8\xff"])
    if kind < 5:
        major, pieces = (2, [v.octets(), v.octets()]) if kind == 3 else (
            3, [v.word().encode(), v.word().encode()])
        chunks = [cbor_head(r, major, len(p)) + p for p in pieces]
        return r.choice([chunks[0], bytes([major << 5 | 31]) + b"".join(chunks) + b"\xff"])
    if kind == 5:
        octets = r.randbytes(r.choice([0, 1, 8, 9, 30]))
        return bytes([r.choice([0xC2, 0xC3])]) + cbor_head(r, 2, len(octets)) + octets
    if kind == 6:
        return cbor_head(r, 6, r.choice([4711, 70000])) + cbor_wire(v, 0)
    count, endless = r.randrange(4), r.random() < 0.5
    if kind < 9:
        head = b"\x9f" if endless else cbor_head(r, 4, count)
        body = b"".join(cbor_wire(v, depth - 1) for _ in range(count))
    else:
        head = b"\xbf" if endless else cbor_head(r, 5, count)
        keys = [b"\x61a", b"\x07", b"\x41\xff", b"\x7f\x61b\x61c\xff", b"\x38\x63"]
        r.shuffle(keys)
        body = b"".join(k + cbor_wire(v, depth - 1) for k in keys[:count])
    return head + body + (b"\xff" if endless else b"")


def ubjson_number(v, little, value=None):
    r, order = v.random, "<" if little else ">"
    forms = ["ib", "UB", "Ih", "li", "Lq"] + (["uH", "mI", "MQ", "BB"] if little else [])
    if value is not None:
        form = r.choice([f for f in forms if value < 128 or f[0] not in "i"
                         and (value < 256 or f[0] not in "UB")])
        return form[0].encode() + struct.pack(order + form[1], value)
    form = r.choice(forms + ["df", "Dd"])
    return form[0].encode() + r.randbytes(struct.calcsize(order + form[1]))


def ubjson_wire(v, little, depth=3):
    r = v.random
    kind = r.randrange(8 if depth else 5)
    if kind < 2:
        return ubjson_number(v, little)
    if kind == 2:
        word = v.word().encode()
        return b"S" + ubjson_number(v, little, len(word)) + word
    if kind == 3:
        return r.choice([b"Z", b"T", b"F", b"Cx", b"Hi\x040.25", b"Hi\x0218"])
    count = r.randrange(5)
    if kind == 4:
        octets = r.randbytes(count)
        return b"[$" + (b"B" if little else b"U") + b"#" + ubjson_number(v, little, count) + octets
    if kind == 5:
        order, form = "<" if little else ">", r.choice(["ib", "Ih", "li", "Lq", "df", "Dd"])
        return (b"[$" + form[0].encode() + b"#" + ubjson_number(v, little, count)
                + r.randbytes(count * struct.calcsize(order + form[1])))
    values = [ubjson_wire(v, little, depth - 1) for _ in range(count)]
    counted = r.random() < 0.5
    head = b"#" + ubjson_number(v, little, count) if counted else b""
    if kind == 6:
        return b"[" + head + b"".join(values) + (b"" if counted else b"]")
    names = [b"k%d" % i for i in range(count)]
    members = [ubjson_number(v, little, len(n)) + n + x for n, x in zip(names, values)]
    return b"{" + head + b"".join(members) + (b"" if counted else b"}")


FORMATS = {
    "messagePack": (
        lambda b: msgpack.unpackb(b, strict_map_key=False, raw=False), msgpack.packb, msgpack_wire,
        Values(1)),
    "cbor": (cbor2.loads, cbor2.dumps, cbor_wire, Values(2)),
    "ubjson": (
        ubjson.loadb, ubjson.dumpb, lambda v: ubjson_wire(v, False),
        Values(3, 2**63, finite=True)),
    "bjdata": (
        bjdata.loadb, bjdata.dumpb, lambda v: ubjson_wire(v, True),
        Values(4, 2**64, finite=True)),
}

for name, (read, write, wire, values) in FORMATS.items():
    lines, skipped = set(), 0
    while len(lines) < 900:
        count = len(lines)
        if count % 2:
            octets = wire(values)
        else:
            octets = write(call(values) if count % 6 == 0 else values.value())
        if len(octets) > 220:
            continue
        try:
            lines.add(octets.hex() + " " + text(read(octets)))
        except (ValueError, TypeError, KeyError, OverflowError, msgpack.UnpackException) as error:
            # Values that Python has no place for, such as a list as a key.
            skipped += 1
            if skipped > 500:
                raise error
    with open(name + ".txt", "w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in sorted(lines, key=lambda line: (len(line), line)))
    print(name, len(lines), "skipped", skipped)
