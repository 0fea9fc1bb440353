// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Goes over a text that may have records, `{…}` of JSON and its like, and tells where they and
/// their members begin and end. What is in strings is none of it.
struct RecordWalk {
  enum Step {
    case nothing
    /// A record or a list, at the depth that is now.
    case begin
    case end
    /// The name of a member ends before the byte that was passed.
    case name
  }

  /// Brackets that are open.
  private(set) var depth = 0
  /// A bit for each level that is a record.
  private var objects: UInt64 = 0
  /// Of the next byte.
  private(set) var at: Int
  /// The quotation mark of the string that is open, 0 for none, and where that begins.
  private(set) var quote: UInt8 = 0
  private(set) var opened = 0

  init(from start: Int) { at = start }

  /// Whether a level is a record, and no list.
  func isObject(_ level: Int) -> Bool { level < 64 && objects >> UInt64(level) & 1 == 1 }

  /// Passes over bytes that are nothing of it.
  @inline(__always)
  mutating func pass(to end: Int) { at = max(at, end) }

  /// Passes over what is known.
  mutating func skip(_ line: RawSpan, to end: Int) {
    if quote != 0 && end > at && line.byte(at: end - 1) == quote { quote = 0 }
    at = max(at, end)
  }

  @inline(__always)
  mutating func step(_ line: RawSpan) -> Step {
    let byte = line.byte(at: at)
    at += 1
    if quote != 0 {
      inString(line, byte)
      return .nothing
    }
    switch byte {
    case 0x22: (quote, opened) = (byte, at - 1)
    case 0x27: if Self.isOpening(line, at - 1) { (quote, opened) = (byte, at - 1) }
    case 0x7B, 0x5B:
      depth += 1
      if depth < 64 {
        let bit = UInt64(1) << UInt64(depth)
        objects = byte == 0x7B ? objects | bit : objects & ~bit
      }
      return .begin
    case 0x7D, 0x5D:
      depth = max(0, depth - 1)
      return .end
    case 0x3A, 0x3D: return .name
    default: break
    }
    return .nothing
  }

  private mutating func inString(_ line: RawSpan, _ byte: UInt8) {
    if byte == 0x0A {
      // None goes on in the next line.
      quote = 0
    } else if byte == 0x5C {
      at += 1
    } else if byte == quote {
      quote = 0
    }
  }

  /// Whether an apostrophe begins a string: it stands where a value or a name does.
  static func isOpening(_ line: RawSpan, _ mark: Int) -> Bool {
    var before = mark - 1
    while before >= 0, isJSONSpace(line.byte(at: before)) { before -= 1 }
    if before < 0 { return true }
    switch line.byte(at: before) {
    case 0x7B, 0x5B, 0x28, 0x2C, 0x3A, 0x3D: return true
    default: return false
    }
  }
}
