// SPDX-License-Identifier: Apache-2.0

/// The sessions of one run that exchanges of HTTP carry, by what the dialects that read them find
/// in URLs. Those that were closed stay known for a while, as requests may still come for them.
public final class SpanningSessions {
  private let flows: FlowNumbers
  private let limits: Limits
  private var sessions: [[UInt8]: SpanningSession] = [:]
  /// In the order in which they began.
  private var order: ContiguousArray<SpanningSession> = []

  init(_ flows: FlowNumbers, limits: Limits) { (self.flows, self.limits) = (flows, limits) }

  /// What one session is known by: the addresses say which server knows its name.
  ///
  /// - Parameters:
  ///   - connection: a TCP connection that carries it.
  ///   - name: the path of its URLs and its id.
  public static func key(_ connection: Opening, _ name: [UInt8]) -> [UInt8] {
    "\(connection.network) \(connection.server) ".utf8 + name
  }

  public subscript(key: [UInt8]) -> SpanningSession? { sessions[key] }
  public var isEmpty: Bool { sessions.isEmpty }

  /// A session that was not told yet; it is told with its first message.
  ///
  /// - Parameters:
  ///   - opening: what is told of it.
  ///   - above: reads its messages.
  public func add(
    _ key: [UInt8], _ opening: Opening, above: any Layer, _ listener: any Listener
  ) -> SpanningSession {
    if order.count >= limits.connections { forget(listener) }
    let session = SpanningSession(key, opening, flows, above: above)
    sessions[key] = session
    order.append(session)
    return session
  }

  /// There are too many: the eighth that began first is forgotten.
  private func forget(_ listener: any Listener) {
    let count = max(1, order.count / 8)
    for session in order.prefix(count) {
      session.close(unfinished: listener)
      if sessions[session.key] === session { sessions[session.key] = nil }
    }
    order.removeFirst(count)
  }

  /// The end of all evidence.
  public func finish(_ listener: any Listener) {
    for session in order { session.close(unfinished: listener) }
    (sessions, order) = ([:], [])
  }
}
