// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Findings about messages that break a rule, or that cannot be shown.
extension Finding {
  /// Why a message is not shown.
  ///
  /// - Parameters:
  ///   - size: bytes of it on the wire that were captured.
  ///   - missing: bytes of it that were not captured.
  static func unreported(
    _ trouble: Half.Trouble, _ size: Int, _ origin: Origin, missing: Int = 0
  ) -> Finding {
    var finding: Finding
    switch trouble {
    case .none, .incomplete, .unfounded:
      finding = Finding(
        .messageIncomplete, .warning, origin,
        missing > 0
          ? counted(missing, "byte")
            + " of a message \(missing == 1 ? "was" : "were") not captured;"
            + " \(size) were, and are not shown"
          : "the beginning of a message is missing; \(counted(size, "byte")) of it"
            + " \(size == 1 ? "is" : "are") not shown")
    case .tooLarge:
      finding = Finding(
        .messageTooLarge, .warning, origin,
        "a message is larger than the limit; its \(size) bytes on the wire are not shown")
    case .noRoom:
      finding = Finding(
        .messageTooLarge, .warning, origin,
        "what other connections keep leaves no room for a message; its \(size) bytes on the wire"
          + " are not shown")
    case .contextLost:
      finding = Finding(
        .contextLost, .warning, origin,
        "a compressed message of \(size) bytes refers to messages that were not captured, so what"
          + " it says cannot be known")
    case .contextDamaged:
      finding = Finding(
        .contextLost, .warning, origin,
        "a compressed message of \(size) bytes refers to messages that could not be inflated, so"
          + " what it says cannot be known")
    case .contextBroken:
      finding = Finding(
        .inflateFailed, .error, origin,
        "a compressed message of \(size) bytes refers to what was never sent, or must not be"
          + " referred to, so what it says cannot be known")
    case .corrupt:
      finding = Finding(
        .inflateFailed, .error, origin,
        "a compressed message of \(size) bytes is not a valid deflate stream")
    }
    finding.lostMessages = 1
    return finding
  }

  /// A message was compressed against what its sender had agreed to; it can still be read.
  static func breach(_ breach: Decompression.Breach, _ origin: Origin) -> Finding {
    let isClient = origin.direction == .toServer
    let who = isClient ? "client" : "server"
    var finding = Finding(.badCompression, .error, origin, "", isAboutLastMessage: true)
    switch breach {
    case .context:
      finding.text =
        "the \(who) compresses with references to earlier messages, though"
        + " \(who)_no_context_takeover was agreed on; its messages are read with them"
      finding.source = "RFC 7692 §7.1.1.\(isClient ? 2 : 1)"
    case .window(let distance, let bits):
      finding.text =
        "the \(who) compresses with references \(distance) bytes back, though"
        + " \(who)_max_window_bits=\(bits) was agreed on, which is \(1 << bits); its messages are"
        + " read with them"
      finding.source = "RFC 7692 §7.1.2.\(isClient ? 2 : 1)"
    }
    return finding
  }

  /// A compressed message does not end as it must.
  static func end(_ end: Half.CompressedEnd, _ origin: Origin) -> Finding {
    let text =
      switch end {
      case .empty: "a compressed message has no bytes; an empty one has one"
      case .withTail:
        "a compressed message ends with 00 00 ff ff, which has to be left out; it is read without"
      case .cutOff, .regular:
        "a compressed message ends within a block of deflate: some of it was left out"
      }
    var finding = Finding(.badCompression, .error, origin, text, isAboutLastMessage: true)
    finding.source = "RFC 7692 §7.2.1"
    return finding
  }
}
