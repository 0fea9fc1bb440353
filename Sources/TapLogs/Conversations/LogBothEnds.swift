// SPDX-License-Identifier: Apache-2.0

/// Whether both ends of a connection write into one log under the same name, as a station and its
/// central system in a test do: what one has sent, the other prints when it comes in. It is
/// reported once. Who sends is then what messages themselves say.
struct LogBothEnds {
  /// Sent messages that are remembered.
  private static let most = 16

  /// What was sent, and has not been printed as received.
  private var sent: [UInt64] = []
  private(set) var areBoth = false

  /// Whether a message was printed before, when the other end sent it.
  ///
  /// - Parameter text: a fingerprint of it.
  mutating func isPrintedTwice(_ direction: LogDirection, _ text: UInt64) -> Bool {
    if direction == .sent {
      if sent.count >= Self.most { sent.removeFirst() }
      sent.append(text)
    }
    guard direction == .received, let index = sent.firstIndex(of: text) else { return false }
    sent.remove(at: index)
    areBoth = true
    return true
  }
}
