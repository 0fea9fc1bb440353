#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares wamptap with tshark, field by field, on random packets of MQTT 3.1, 3.1.1 and 5.0.

    compare.py PATH-OF-WAMPTAP [SEED]

It writes a capture of 60 connections with 63 packets each, of every type, reads it with both
programs, and prints each field in which they differ. Binary properties are of letters, as tshark
shows them as text. Exit status 77 means that tshark is not installed.
"""

import base64, json, os, random, shutil, struct, subprocess, sys, tempfile

if not shutil.which('tshark'):
    sys.exit(77)
wamptap = os.path.abspath(sys.argv[1])
random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 5)
R = random.randrange
folder = tempfile.mkdtemp()
path = os.path.join(folder, 'mqtt.pcap')


def cs(b):
    if len(b) % 2:
        b += b'\0'
    s = sum(struct.unpack('!%dH' % (len(b) // 2), b))
    s = (s >> 16) + (s & 0xFFFF)
    s += s >> 16
    return ~s & 0xFFFF


def s(x):
    x = x if isinstance(x, bytes) else x.encode()
    return struct.pack('!H', len(x)) + x


def v(n):
    o = b''
    while 1:
        b = n % 128
        n //= 128
        o += bytes([b | (128 if n else 0)])
        if not n:
            return o


def pk(first, body):
    return bytes([first]) + v(len(body)) + body


word = lambda: ''.join(random.choice('abcdefghij/ üé') for _ in range(R(1, 30))).replace(' ', 'x')
PR = {
    1: 'b',
    2: '4',
    3: 's',
    8: 's',
    9: 'n',
    11: 'v',
    17: '4',
    18: 's',
    19: '2',
    21: 's',
    22: 'n',
    23: 'b',
    24: '4',
    25: 'b',
    26: 's',
    28: 's',
    31: 's',
    33: '2',
    34: '2',
    35: '2',
    36: 'b',
    37: 'b',
    38: 'p',
    39: '4',
    40: 'b',
    41: 'b',
    42: 'b',
}


def props(ids):
    o = b''
    for i in ids:
        if random.random() < 0.5:
            continue
        t = PR[i]
        o += bytes([i])
        o += {
            'b': lambda: bytes([R(2)]),
            '2': lambda: struct.pack('!H', R(1, 65535)),
            '4': lambda: struct.pack('!I', R(1, 2**32 - 1)),
            's': lambda: s(word()),
            'n': lambda: s(''.join(random.choice('abc') for _ in range(R(8)))),
            'v': lambda: v(R(1, 2**28 - 1)),
            'p': lambda: s(word()) + s(word()),
        }[t]()
    return v(len(o)) + o


def gen(l):
    p = lambda ids: props(ids) if l == 5 else b''
    i = struct.pack('!H', R(1, 65535))
    k = R(12)
    if k < 4:
        q = R(3)
        return 1, pk(
            0x30 | q << 1 | R(2) | (8 if q and R(2) else 0),
            s(word())
            + (i if q else b'')
            + p([1, 2, 3, 8, 9, 38, 38])
            + bytes(
                random.choice([word().encode(), bytes(R(256) for _ in range(R(300))), b'{"a":1}'])
            ),
        )
    if k == 4:
        return R(2), pk(
            random.choice([0x40, 0x50, 0x62, 0x70]),
            i + (b'' if l < 5 or R(2) else bytes([random.choice([0, 0x10, 0x92])]) + p([31, 38])),
        )
    if k == 5:
        return 1, pk(
            0x82,
            i
            + p([11, 38])
            + b''.join(
                s(word()) + bytes([R(3) | ((R(2) << 2 | R(2) << 3 | R(3) << 4) if l == 5 else 0)])
                for _ in range(R(1, 4))
            ),
        )
    if k == 6:
        return 0, pk(
            0x90, i + p([31, 38]) + bytes(random.choice([0, 1, 2, 0x80]) for _ in range(R(1, 4)))
        )
    if k == 7:
        return 1, pk(0xA2, i + p([38]) + b''.join(s(word()) for _ in range(R(1, 4))))
    if k == 8:
        return 0, pk(
            0xB0, i + (p([31, 38]) + bytes([random.choice([0, 0x11])]) if l == 5 else b'')
        )
    if k == 9:
        return R(2), bytes([random.choice([0xC0, 0xD0]), 0])
    if l == 5 and k == 10:
        code = random.choice([0, 0x18, 0x19])
        return R(2), pk(0xF0, bytes([code]) + props([21, 22, 31, 38, 38]))
    return 1, b'\xc0\0'


# Names and codes of tshark for what has a reason code.
CODES = {
    'CONNACK': ['mqtt.connack.reason_code', 'mqtt.conack.val'],
    'PUBACK': ['mqtt.puback.reason_code'],
    'PUBREC': ['mqtt.pubrec.reason_code'],
    'PUBREL': ['mqtt.pubrel.reason_code'],
    'PUBCOMP': ['mqtt.pubcomp.reason_code'],
    'DISCONNECT': ['mqtt.disconnect.reason_code'],
    'AUTH': ['mqtt.auth.reason_code'],
}


f = open(path, 'wb')
f.write(struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
t = 1700000000.0
seq = {}


def pkt(c, up, flags, data):
    global t
    t += 0.000005
    a = bytes([10, 1, c // 256, c % 256 + 2])
    b = bytes([10, 0, 0, 1])
    sp, dp = (49152 + c, 1883) if up else (1883, 49152 + c)
    s, d = (a, b) if up else (b, a)
    st = seq.setdefault(c, [1000, 2000])
    q, k = (st[0], st[1]) if up else (st[1], st[0])
    tcp = struct.pack('!HHIIBBHHH', sp, dp, q, k if flags & 16 else 0, 0x50, flags, 65000, 0, 0)
    ps = s + d + struct.pack('!BBH', 0, 6, 20 + len(data)) + tcp + data
    c2 = cs(ps)
    tcp = tcp[:16] + struct.pack('!H', c2) + tcp[18:]
    ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 40 + len(data), 1, 0x4000, 64, 6, 0, s, d)
    ip = ip[:10] + struct.pack('!H', cs(ip)) + ip[12:]
    fr = b'\0\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x08\0' + ip + tcp + data
    f.write(struct.pack('<IIII', int(t), int((t - int(t)) * 1e6), len(fr), len(fr)) + fr)
    n = len(data) + (1 if flags & 2 else 0)
    if up:
        st[0] += n
    else:
        st[1] += n


total = 0
for c in range(60):
    l = [3, 4, 5][c % 3]
    pkt(c, 1, 2, b'')
    pkt(c, 0, 18, b'')
    pkt(c, 1, 16, b'')
    fl = R(2) << 1 | (R(2) and 4 | R(3) << 3 | R(2) << 5) | (R(2) and 0xC0)
    b = (
        (s('MQIsdp') if l == 3 else s('MQTT'))
        + bytes([l, fl])
        + struct.pack('!H', R(65536))
        + (props([17, 33, 34, 39, 23, 25, 38, 21]) if l == 5 else b'')
        + s(word())
    )
    if fl & 4:
        b += (
            (props([24, 1, 2, 3, 8, 9, 38]) if l == 5 else b'')
            + s(word())
            + s(bytes(R(256) for _ in range(R(20))))
        )
    if fl & 0x80:
        b += s(word())
    if fl & 0x40:
        b += s(word())
    pkt(c, 1, 24, pk(0x10, b))
    pkt(
        c,
        0,
        24,
        pk(
            0x20,
            bytes([R(2), 0])
            + (
                props([17, 33, 36, 37, 39, 18, 34, 31, 38, 40, 41, 42, 19, 26, 28, 21])
                if l == 5
                else b''
            ),
        ),
    )
    total += 2
    for _ in range(60):
        up, d = gen(l)
        pkt(c, up, 24, d)
        total += 1
    bye = bytes([0]) + props([17, 31, 38]) if l == 5 and R(2) else b''
    pkt(c, 1, 24, pk(0xE0, bye))
    total += 1
f.close()
out = subprocess.run(
    ['tshark', '-r', path, '-T', 'json', '-Y', 'mqtt', '--no-duplicate-keys'],
    capture_output=True,
    text=True,
).stdout
ts = json.loads(out)
w = [
    json.loads(x)
    for x in subprocess.run(
        [wamptap, path, '-o', 'ndjson', '--show-secrets'], capture_output=True, text=True
    ).stdout.splitlines()
]
w = {x['origin']['packet']: x for x in w if x['event'] == 'message'}
print('packets:', total, 'tshark:', len(ts), 'wamptap:', len(w))
bad = 0
checked = 0
for o in ts:
    n = int(o['_source']['layers']['frame']['frame.number'])
    m = o['_source']['layers']['mqtt']
    x = w.get(n)
    if not x:
        bad += 1
        print('missing', n)
        continue

    def flat(d, acc):
        for k, vv in d.items():
            if isinstance(vv, dict):
                flat(vv, acc)
            elif isinstance(vv, list):
                for e in vv:
                    if isinstance(e, dict):
                        flat(e, acc)
                    else:
                        acc.setdefault(k, []).append(e)
            else:
                acc.setdefault(k, []).append(vv)
        return acc

    a = flat(m, {})
    names = [
        '',
        'CONNECT',
        'CONNACK',
        'PUBLISH',
        'PUBACK',
        'PUBREC',
        'PUBREL',
        'PUBCOMP',
        'SUBSCRIBE',
        'SUBACK',
        'UNSUBSCRIBE',
        'UNSUBACK',
        'PINGREQ',
        'PINGRESP',
        'DISCONNECT',
        'AUTH',
    ]

    def cmp(what, p, q):
        global bad, checked
        checked += 1
        if p != q:
            bad += 1
            if bad < 15:
                print(n, x['name'], what, repr(p)[:90], repr(q)[:90])

    cmp('type', names[int(a['mqtt.msgtype'][0])], x['name'])
    b = x['body']
    if 'mqtt.msgid' in a:
        cmp('id', int(a['mqtt.msgid'][0]), x['ids'].get('packet'))
    if x['name'] == 'PUBLISH':
        cmp('topic', a['mqtt.topic'][0], b['topic'])
        cmp('qos', int(a['mqtt.qos'][0]), b['qos'])
        cmp('retain', a['mqtt.retain'][0] in ('1', 'True'), b['retain'])
        cmp('dup', a['mqtt.dupflag'][0] in ('1', 'True'), b['dup'])
        pl = a.get('mqtt.msg', [''])[0].replace(':', '')
        raw = b['payload']
        raw = raw.encode() if isinstance(raw, str) else base64.b64decode(raw['base64'])
        cmp('payload', pl if pl else '', raw.hex())
    if x['name'] in ('SUBSCRIBE',):
        subs = b['subscriptions']
        cmp('filters', a['mqtt.topic'], [y['topicFilter'] for y in subs])
        if 'mqtt.subscription_options_qos' in a:
            for field, key in (('qos', 'qos'), ('nl', 'noLocal'), ('rap', 'retainAsPublished'),
                               ('retain', 'retainHandling')):
                theirs = [int(c) for c in a['mqtt.subscription_options_' + field]]
                cmp(key, theirs, [int(y[key]) for y in subs])
        else:
            cmp('qos', [int(c) for c in a['mqtt.sub.qos']], [y['qos'] for y in subs])
    for field in CODES.get(x['name'], []):
        if field in a:
            cmp('code', int(a[field][0], 0), b['reasonCode'])
    if 'mqtt.conack.flags.sp' in a:
        cmp('present', a['mqtt.conack.flags.sp'][0] in ('1', 'True'), b['sessionPresent'])
    if x['name'] == 'UNSUBACK' and 'mqtt.unsuback.reason_code' in a:
        cmp('codes', [int(c) for c in a['mqtt.unsuback.reason_code']], b['reasonCodes'])
    if x['name'] == 'UNSUBSCRIBE':
        cmp('filters', a['mqtt.topic'], b['topicFilters'])
    if x['name'] == 'SUBACK':
        cmp(
            'codes',
            [int(c) for c in a.get('mqtt.suback.qos', a.get('mqtt.suback.reason_code', []))],
            b['reasonCodes'],
        )
    if x['name'] == 'CONNECT':
        cmp('client', a.get('mqtt.clientid', [''])[0], b['clientId'])
        cmp('ka', int(a['mqtt.kalive'][0]), b['keepAlive'])
        cmp('user', a.get('mqtt.username', [None])[0], b.get('username'))
        cmp('passwd', a.get('mqtt.passwd', [None])[0], b.get('password'))
        cmp('will', a.get('mqtt.willtopic', [None])[0], b.get('will', {}).get('topic'))
        cmp('name', a['mqtt.protoname'][0], b['protocolName'])
        cmp('level', int(a['mqtt.ver'][0]), b['protocolVersion'])
        cmp('clean', a['mqtt.conflag.cleansess'][0] in ('1', 'True'), b['cleanStart'])
        if 'will' in b:
            cmp('will QoS', int(a['mqtt.conflag.qos'][0]), b['will']['qos'])
            cmp('will retain', a['mqtt.conflag.retain'][0] in ('1', 'True'), b['will']['retain'])
            raw = b['will']['payload']
            raw = raw.encode() if isinstance(raw, str) else base64.b64decode(raw['base64'])
            cmp('will payload', a.get('mqtt.willmsg', [''])[0].replace(':', ''), raw.hex())
    numbers = ('mqtt.prop_number', 'mqtt.property.max_qos', 'mqtt.property.topic_alias')
    nums = sorted(int(z) for k in numbers for z in a.get(k, []))
    theirs = [t for k in ('mqtt.prop_string', 'mqtt.property.content_type') for t in a.get(k, [])]
    pr = dict(b.get('properties', {}))
    wp = b.get('will', {}).get('properties', {})
    mine, texts = [], []
    for d in (pr, wp):
        for k, z in d.items():
            if k == 'userProperties':
                continue
            if isinstance(z, bool):
                mine.append(int(z))
            elif isinstance(z, int):
                mine.append(z)
            elif isinstance(z, str):
                texts.append(z)
    cmp('propnums', nums, sorted(mine))
    cmp('proptexts', sorted(filter(None, theirs)), sorted(filter(None, texts)))
    pairs = [one for d in (pr, wp) for one in d.get('userProperties', [])]
    cmp('pairs', sorted(a.get('mqtt.prop_key', [])), sorted(k for k, _ in pairs))
    cmp('values', sorted(a.get('mqtt.prop_value', [])), sorted(v for _, v in pairs))
print('fields:', checked, 'differences:', bad)
shutil.rmtree(folder)
sys.exit(1 if bad or len(ts) != total or len(w) != total else 0)
