// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

extension Message {
  /// Whether pieces of it were not captured.
  @usableFromInline var isUncertain: Bool { !traits.isDisjoint(with: [.isPartial, .hidesText]) }

  /// Whether it may be any message: pieces of it were not captured, and no dialect could read the
  /// rest.
  @inlinable public var isUnread: Bool { traits.contains(.isUnclaimed) && isUncertain }

  /// Whether it may answer any request of its connection.
  @inlinable public var mayAnswerAny: Bool {
    isUnread || traits.contains(.isPartial) && first.role == .none
  }

  /// Whether the evidence says only how long the payload was.
  func lacksPayload(_ bytes: RawSpan) -> Bool {
    traits.contains([.isNarrated, .isBytes]) && !payload.isEmpty
      && bytes.byte(at: payload.start).isDigit
  }

  /// Whether it is an object that lacks members, which may have been any.
  func isCutObject(_ bytes: RawSpan) -> Bool {
    traits.contains(.hidesText) && !bytes.isEmpty && bytes.byte(at: 0) == .openBrace
  }

  /// Whether ids may be among what was not captured.
  func mayHideIDs(_ bytes: RawSpan) -> Bool {
    if isCutObject(bytes) { return true }
    // In a list they come before what they are about: nothing behind them was read.
    guard isUncertain, second.role == .none, subject.isEmpty, keywords.isEmpty else { return false }
    return payload.isEmpty || isOnlyNumbers(bytes, before: payload)
  }

  /// Whether nothing but numbers stands before the “…” that is shown as the payload.
  private func isOnlyNumbers(_ bytes: RawSpan, before cut: ByteRange) -> Bool {
    guard traits.contains(.hidesText), bytes[cut].equals("…") else { return false }
    // It may stand in quotes.
    let isQuoted = cut.start > 0 && bytes.byte(at: cut.start - 1) == .quote
    let begin = bytes.extracting(0..<cut.start - (isQuoted ? 1 : 0))
    return begin.firstIndex(of: .openBrace) == nil && begin.firstIndex(of: .quote) == nil
  }
}
