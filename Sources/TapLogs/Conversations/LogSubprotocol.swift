// SPDX-License-Identifier: Apache-2.0

/// What the handshakes say whose heads a log prints: the client offers subprotocols, and the server
/// chooses one of them (RFC 6455 §1.9).
struct LogSubprotocol {
  /// The one that was chosen last, of a handshake whose offer is in the log.
  private(set) var chosen: [UInt8]?
  /// How requests go, as the writer of the log sees them.
  private let request: LogDirection
  private var isOffered = false

  /// - Parameters:
  ///   - first: how the first line goes that names any: a request comes before its answer.
  ///   - side: who writes, where lines say so.
  init(_ first: LogDirection, _ side: LogFormat.Side) {
    request =
      switch side {
      case .client: .sent
      case .server: .received
      case .unknown: first
      }
  }

  /// Another connection is requested.
  mutating func forget() { (chosen, isOffered) = (nil, false) }

  mutating func note(_ names: [UInt8], _ direction: LogDirection) {
    if direction == request {
      (chosen, isOffered) = (nil, true)
    } else if isOffered {
      (chosen, isOffered) = (names, false)
    }
  }
}
