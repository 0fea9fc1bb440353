// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapBytes
import TapDialects
import TapEncodings
import TapTraffic

/// FlatBuffers messages, each after two bytes of length. Every field of a table is inside the
/// message or is a fault; the WAMP output is clean.
@_cdecl("FlatBuffersFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var bench = DialectBench(mode, subprotocol: "wamp.2.flatbuffers") {
      WAMPLayer($0, limits: $1)
    }
    var rest = bytes.dropFirst()
    while rest.count >= 2 {
      let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      let message = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
      rest = rest.dropFirst(length)
      lend(message, walk)
      bench.say(message, 0, .binary)
    }
    bench.finish()
  }
}

/// Reads each field as every possible type.
private func walk(_ message: RawSpan) {
  var buffer = FlatBuffer()
  guard let root = buffer.root(message) else {
    if buffer.fault == nil { fail("no root and no fault") }
    return
  }
  walk(root, message, depth: 3)
}

private func walk(_ table: FlatBuffer.Table, _ message: RawSpan, depth: Int) {
  if table.position < 0 || table.position + 4 > message.byteCount {
    fail("a table at \(table.position) of \(message.byteCount)")
  }
  for slot in 0..<min(table.slots, 8) {
    var buffer = FlatBuffer()
    for width in [1, 2, 4, 8] where buffer.fault == nil {
      let value = buffer.natural(slot, of: table, width, message)
      if value != nil && !buffer.has(slot, of: table, message) { fail("\(slot) is not there") }
      if width < 8, let value, value >> UInt64(8 * width) != 0 { fail("\(value) in \(width)") }
    }
    for width in [1, 4, 8] {
      var buffer = FlatBuffer()
      guard let range = buffer.vector(slot, of: table, elementOctets: width, message) else {
        continue
      }
      if range.lowerBound < 0 || range.upperBound > message.byteCount || range.count % width != 0 {
        fail("a vector at \(range) of \(message.byteCount)")
      }
      if width != 4 || depth == 0 { continue }
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 4).prefix(4) {
        var elements = FlatBuffer()
        if let element = elements.table(message, at: place) {
          walk(element, message, depth: depth - 1)
        }
        if let text = elements.vector(message, at: place), text.upperBound > message.byteCount {
          fail("a string at \(text) of \(message.byteCount)")
        }
      }
    }
    if depth == 0 { continue }
    var inner = FlatBuffer()
    if let table = inner.table(slot, of: table, message) { walk(table, message, depth: depth - 1) }
  }
}
