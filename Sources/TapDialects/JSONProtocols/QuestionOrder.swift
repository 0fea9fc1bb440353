// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Numbers questions without an id, and their answers, for a protocol that answers in order: the
/// number is the key of both.
struct QuestionOrder {
  /// By asking side: the client, the server.
  private var asked = SIMD2<UInt64>(repeating: 0)
  private var answered = SIMD2<UInt64>(repeating: 0)

  /// The key of the exchange of a message without an id; nil when it belongs to none.
  mutating func key(_ role: JSONKind.Role, _ direction: Direction) -> UInt64? {
    if direction == .unknown { return nil }
    let sender = direction == .toServer ? 0 : 1
    switch role {
    case .asks:
      asked[sender] += 1
      return asked[sender]
    case .answers:
      answered[1 - sender] += 1
      return answered[1 - sender]
    default: return nil
    }
  }
}
