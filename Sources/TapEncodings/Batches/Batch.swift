// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Splits a batch, which the subprotocols that end in `.batched` send in one WebSocket message,
/// into its messages.
///
/// Call `next` until it returns nil, then check `problem`. A batch without any message is a problem
/// too.
public struct Batch: Sendable {
  public enum Form: UInt8, Sendable, BitwiseCopyable {
    /// JSON texts, each followed by a separator: 0x1E, or 0x18 as Autobahn writes it by mistake
    /// (octal 30). Neither can occur in a JSON text.
    case separated
    /// Each message after its length in four bytes, big-endian.
    case prefixed
  }

  public enum Problem: UInt8, Sendable, BitwiseCopyable {
    /// No message at all: the transport must be failed.
    case empty
    /// An empty message.
    case emptyMessage
    /// The last message lacks its separator; it is returned anyway.
    case unterminated
    /// Too few bytes for a length are left.
    case incompleteLength
    /// A length beyond the end of the batch; the rest is not a complete message.
    case overlong
  }

  public let form: Form
  /// The first problem and its offset in bytes; one that stopped the reading takes precedence.
  public private(set) var problem: Problem?
  public private(set) var problemOffset = 0
  /// How many messages were returned.
  public private(set) var count = 0
  /// A separator was 0x18, where the specification says 0x1E.
  public private(set) var hasOctalSeparator = false
  private var at = 0

  public init(_ form: Form) { self.form = form }

  /// The range of the next message; nil at the end.
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
