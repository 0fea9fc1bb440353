// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The packets in the body of a polling request or answer (engine.io-protocol, "HTTP
/// long-polling").
enum EngineIOPayload {
  /// Separates packets from revision 4 on.
  static let separator: UInt8 = 0x1E

  /// Whether a pasted text is a body with several packets: with separators (revision 4) or lengths
  /// (revision 3).
  static func isPasted(_ text: RawSpan, _ scanner: inout JSONScanner) -> Bool {
    if text.firstIndex(of: separator) != nil {
      var (areAllPackets, isAnyKnown) = (true, false)
      eachRecord(text) { record in
        let isBinary = record.starts(with: "b")
        if EngineIOType(record) == nil && !isBinary { areAllPackets = false }
        if EngineIORecogniser.grade(record, &scanner) != .none { isAnyKnown = true }
      }
      return areAllPackets && isAnyKnown
    }
    guard let first = EngineIOLengths.next(text, from: 0, .codeUnits) else { return false }
    return EngineIORecogniser.grade(text[first.packet], &scanner) != .none
      && EngineIOLengths.measure(of: text) != nil
  }

  /// Calls `take` with each packet of a body that has several. False, without calls, when it has
  /// only one.
  static func each(_ body: RawSpan, _ take: (RawSpan) -> Void) -> Bool {
    if body.firstIndex(of: separator) != nil {
      eachRecord(body, take)
      return true
    }
    return EngineIOLengths.next(body, from: 0, .bytes) != nil && eachMeasured(body, take)
  }

  /// Calls `take` with each packet after its length; false when the lengths do not fit the body.
  static func eachMeasured(_ body: RawSpan, _ take: (RawSpan) -> Void) -> Bool {
    guard let measure = EngineIOLengths.measure(of: body) else { return false }
    var at = 0
    while at < body.byteCount, let found = EngineIOLengths.next(body, from: at, measure) {
      if !found.packet.isEmpty { take(body[found.packet]) }
      at = found.packet.end
    }
    return true
  }

  /// Calls `take` with each record of a revision 4 body.
  static func eachRecord(_ body: RawSpan, _ take: (RawSpan) -> Void) {
    var start = 0
    while let end = body.firstIndex(of: separator, from: start) {
      take(body.extracting(start..<end))
      start = end + 1
    }
    take(body.dropping(start))
  }
}

/// Packets of revision 3 and older in a text: a sequence of `<length>:<packet>`.
enum EngineIOLengths {
  /// The unit of lengths: libraries differ.
  enum Measure: CaseIterable {
    /// UTF-16 code units, as in JavaScript.
    case codeUnits
    /// UTF-8 bytes, as in python-engineio 3.
    case bytes
  }

  /// The most digits of a length.
  private static let mostDigits = 9

  /// The unit with which the lengths fit the whole body; nil when none does.
  static func measure(of body: RawSpan) -> Measure? {
    Measure.allCases.first { measure in
      var at = 0
      while at < body.byteCount {
        guard let found = next(body, from: at, measure) else { return false }
        // `0:` is a body without a packet.
        if found.packet.isEmpty { return body.byteCount == 2 }
        let first = body.byte(at: found.packet.start)
        guard first &- 0x30 < 7 || first == UInt8(ascii: "b") else { return false }
        at = found.packet.end
      }
      return body.byteCount > 0
    }
  }

  /// The packet whose length begins at an offset.
  static func next(
    _ body: RawSpan, from start: Int, _ measure: Measure
  ) -> (packet: ByteRange, length: Int)? {
    var at = start
    var length = 0
    while at < body.byteCount, body.byte(at: at).isDigit, at - start < mostDigits {
      length = length * 10 + Int(body.byte(at: at) &- 0x30)
      at += 1
    }
    guard at > start, at < body.byteCount, body.byte(at: at) == UInt8(ascii: ":") else {
      return nil
    }
    let first = at + 1
    guard let end = end(of: length, body, from: first, measure) else { return nil }
    return (ByteRange(first, end), length)
  }

  private static func end(
    of length: Int, _ body: RawSpan, from start: Int, _ measure: Measure
  ) -> Int? {
    if measure == .bytes {
      return length <= body.byteCount - start ? start + length : nil
    }
    var (at, left) = (start, length)
    while left > 0 {
      guard at < body.byteCount else { return nil }
      // Each character begins with a byte that is not a continuation byte; a character of four
      // bytes is two units.
      let byte = body.byte(at: at)
      left -= byte >= 0xF0 ? 2 : 1
      at += 1
      while at < body.byteCount, body.byte(at: at) & 0xC0 == 0x80 { at += 1 }
    }
    return left == 0 ? at : nil
  }
}
