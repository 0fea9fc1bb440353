// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The group in which lines are counted: all, or those of one session, connection, subject or
/// client.
struct GroupKey: Hashable {
  private var kind: Expectation.Grouping?
  private var key: UInt64

  static let all = GroupKey(kind: nil, key: 0)

  private init(kind: Expectation.Grouping?, key: UInt64) { (self.kind, self.key) = (kind, key) }

  init(
    _ grouping: Expectation.Grouping?, connection: UInt32, session: UInt16, subject: Int32,
    _ context: CheckContext
  ) {
    kind = grouping
    key =
      switch grouping {
      case nil: 0
      case .session: UInt64(connection) << 16 | UInt64(session)
      case .connection: UInt64(connection)
      case .subject: UInt64(subject)
      case .client: UInt64(context[connection].client)
      }
  }

  /// `#3`, `#3 session 2`, a subject, an address; empty for all.
  func text(_ context: CheckContext) -> String {
    switch kind {
    case nil: return ""
    case .session:
      let session = key & 0xFFFF
      return session == 0 ? "#\(key >> 16)" : "#\(key >> 16) session \(session + 1)"
    case .connection: return "#\(key)"
    case .subject: return key == 0 ? "no subject" : context.text(Int32(key))
    case .client: return key == 0 ? "client unknown" : context.text(Int32(key))
    }
  }
}
