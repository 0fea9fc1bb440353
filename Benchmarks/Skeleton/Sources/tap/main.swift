// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import TapInspector
import TapTransport
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

func consume(
  _ all: RawSpan, _ started: inout Bool, _ record: inout UInt32, _ transport: inout Transport,
  _ inspector: Inspector
) -> Int {
  var at = 0
  let have = all.byteCount
  if !started { at = 24; started = true }
  while have - at >= 16 {
    let len = Int(all.unsafeLoadUnaligned(fromByteOffset: at + 8, as: UInt32.self))
    if have - at < 16 + len { break }
    let sec = Int64(all.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)),
      us = Int64(all.unsafeLoadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
    record += 1
    transport.receive(
      all.extracting(at + 16..<at + 16 + len),
      time: Instant(nanoseconds: sec * 1_000_000_000 + us * 1000), record: record, inspector)
    at += 16 + len
  }
  return at
}
func run() {
  let fd = open(CommandLine.arguments[1], O_RDONLY)
  let inspector = Inspector(); var transport = Transport(stack)
  let size = 1 << 18
  var buf = ContiguousArray<UInt8>(repeating: 0, count: size * 2)
  var have = 0, started = false, record: UInt32 = 0
  while true {
    let n = buf.withUnsafeMutableBytes { read(fd, $0.baseAddress! + have, size) }
    if n <= 0 { break }
    have += n
    let at = consume(buf.span.bytes.extracting(0..<have), &started, &record, &transport, inspector)
    let rest = have - at
    buf.withUnsafeMutableBytes { p in
      p.baseAddress!.copyMemory(from: p.baseAddress! + at, byteCount: rest)
    }
    have = rest
    inspector.write()
  }
  let m = "\(inspector.count) messages\n"; _ = m.withCString { write(2, $0, strlen($0)) }
}
run()
