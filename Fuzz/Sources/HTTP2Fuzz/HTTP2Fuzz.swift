// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapHTTP
import TapTraffic

/// With any frames, as bytes or made from orders: each byte is HTTP, unread, lost with others, or
/// passed on. The bytes of a conversation were sent on its stream, in this order.
@_cdecl("HTTP2Fuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
    if mode & 1 == 0 { return play(rest, mode, nil) }
    var made = MadeFrames(rest)
    made.writeAll()
    made.writer.bytes.withUnsafeBytes { play($0, mode, made.isKnown ? made : nil) }
  }
}

private func play(_ script: UnsafeRawBufferPointer, _ mode: UInt8, _ made: MadeFrames?) {
  var lent: [Int: [[UInt8]]] = [:]
  expectAccounted(
    script, mayCut: { _ in mode & 2 == 0 },
    prepare: { bench in
      lent = [:]
      if made == nil { return }
      bench.onBytes = { bytes, delivery, number in
        let octets = bytes.withUnsafeBytes { Array($0) }
        lent[number, default: [[], []]][Int(delivery.origin.direction.rawValue)] += octets
      }
    }
  ) { bench in
    HTTP2Layer(
      Opening(.stream, isFromStart: mode & 8 == 0), bench, flows: FlowNumbers(above: 1),
      limits: mode & 2 == 0 ? Limits() : .tight, isFromStart: mode & 8 == 0,
      reportsHeads: mode & 4 != 0)
  } finish: { bench in
    guard let made else { return }
    // In the middle of a stream, a conversation may begin with any frame, and after a gap with
    // bytes that only look like one.
    if !bench.isWhole && (mode & 8 != 0 || made.mimics) { return }
    for (number, both) in lent where !made.sent.values.contains(where: { isPart(both, of: $0) }) {
      fail("what conversation \(number) was lent nobody sent: \(both) of \(made.sent)")
    }
  }
}

private func isPart(_ lent: [[UInt8]], of sent: [[UInt8]]) -> Bool {
  zip(lent, sent).allSatisfy { lent, sent in
    var rest = sent[...]
    return lent.allSatisfy { octet in
      guard let place = rest.firstIndex(of: octet) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
  }
}
