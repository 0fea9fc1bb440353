// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The messages of one batch: what the subprotocols that end in `.batched` send in one WebSocket
/// message.
///
/// Ask `next` until it answers nil, then look at what was wrong. A batch without any message is
/// wrong too.
public struct Batch: Sendable {
  public enum Form: UInt8, Sendable, BitwiseCopyable {
    /// JSON texts, each followed by a separator: 0x1E, or 0x18 as autobahn writes it by mistake
    /// (octal 30). Neither can stand in a JSON text.
    case separated
    /// Each message after its length in four bytes, the highest first.
    case prefixed
  }

  public enum Problem: UInt8, Sendable, BitwiseCopyable {
    /// No message at all: the transport must be failed.
    case empty
    /// A message of no bytes.
    case emptyMessage
    /// The last message lacks its separator; it is answered all the same.
    case unterminated
    /// The end is no whole length.
    case incompleteLength
    /// A length that reaches beyond the end; what there is behind it is no whole message.
    case overlong
  }

  public let form: Form
  /// The first thing that was wrong, and where, in bytes; what kept the rest from being read goes
  /// before what did not.
  public private(set) var problem: Problem?
  public private(set) var problemOffset = 0
  /// How many messages were answered.
  public private(set) var count = 0
  /// A separator was 0x18, where the specification says 0x1E.
  public private(set) var hasOctalSeparator = false
  private var at = 0

  public init(_ form: Form) { self.form = form }

  /// Where the next message stands; nil at the end.
  public mutating func next(_ bytes: RawSpan) -> Range<Int>? {
    while at < bytes.byteCount {
      let start = at
      guard let found = form == .separated ? separated(bytes) : prefixed(bytes) else { return nil }
      guard found.isEmpty else {
        count &+= 1
        return found
      }
      note(.emptyMessage, start)
    }
    if count == 0 { note(.empty, 0) }
    return nil
  }

  private mutating func note(_ problem: Problem, _ offset: Int) {
    if self.problem == nil || problem == .incompleteLength || problem == .overlong {
      (self.problem, problemOffset) = (problem, offset)
    }
  }

  private mutating func separated(_ bytes: RawSpan) -> Range<Int> {
    let start = at
    while at < bytes.byteCount {
      // Most bytes of most texts are above both.
      let byte = bytes.byte(at: at)
      if byte == 0x1E || byte == 0x18 {
        if byte == 0x18 { hasOctalSeparator = true }
        at &+= 1
        return start..<at &- 1
      }
      at &+= 1
    }
    note(.unterminated, at)
    return start..<at
  }

  private mutating func prefixed(_ bytes: RawSpan) -> Range<Int>? {
    let start = at
    let left = bytes.byteCount &- start &- 4
    at = bytes.byteCount
    guard left >= 0 else {
      note(.incompleteLength, start)
      return nil
    }
    let length = Int(bytes.uint32(at: start))
    guard length <= left else {
      note(.overlong, start)
      return nil
    }
    at = start &+ 4 &+ length
    return start &+ 4..<at
  }
}
