// SPDX-License-Identifier: Apache-2.0

/// The sessions of one run that HTTP exchanges carry, by what dialects read in URLs. A closed
/// session stays known for a while, as requests for it may still come.
public final class SpanningSessions {
  private let flows: FlowNumbers
  private let limits: Limits
  private var sessions: [[UInt8]: SpanningSession] = [:]
  /// In the order in which they began.
  private var order: ContiguousArray<SpanningSession> = []

  init(_ flows: FlowNumbers, limits: Limits) { (self.flows, self.limits) = (flows, limits) }

  /// The key of a session. It includes the addresses, as its name is known to that server only.
  ///
  /// - Parameters:
  ///   - connection: a TCP connection that carries it.
  ///   - name: the path of its URLs and its id.
  public static func key(_ connection: Opening, _ name: [UInt8]) -> [UInt8] {
    "\(connection.network) \(connection.server) ".utf8 + name
  }

  public subscript(key: [UInt8]) -> SpanningSession? { sessions[key] }
  public var isEmpty: Bool { sessions.isEmpty }

  /// Adds a session; the listener hears of it with its first message.
  ///
  /// - Parameters:
  ///   - opening: what the listener is told of it.
  ///   - above: the layer that reads its messages.
  public func add(
    _ key: [UInt8], _ opening: Opening, above: any Layer, _ listener: any Listener
  ) -> SpanningSession {
    if order.count >= limits.connections { forget(listener) }
    let session = SpanningSession(key, opening, flows, above: above)
    sessions[key] = session
    order.append(session)
    return session
  }

  /// There are too many: forgets the eighth that began first.
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
