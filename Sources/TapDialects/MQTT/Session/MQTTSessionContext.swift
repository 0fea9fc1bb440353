// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What all that judges a connection must know of it: what it speaks, how far it has come, and how
/// much of it was seen.
struct MQTTSessionContext: Sendable, BitwiseCopyable {
  /// Everything since the connection began was captured, and could be read.
  var knowsAll: Bool
  /// CONNECT and CONNACK have come.
  var hasConnect = false
  var hasConnack = false
  /// CONNACK has refused the connection.
  var isRefused = false
  /// CONNACK took up a session of before: its identifiers and filters are not known.
  var goesOn = false
  /// 3, 4 or 5; 0 until CONNECT has told.
  var level: UInt8 = 0

  init(knowsAll: Bool) { self.knowsAll = knowsAll }

  /// Tells of the packet that was told last.
  func tell(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    _ rule: MQTTRule = .none, _ listener: any Listener
  ) {
    listener.finding(
      Finding(
        code, severity, origin, text + rule.suffix(level: level), isAboutLastMessage: true))
  }

  /// A finding about the connection.
  func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    _ rule: MQTTRule = .none
  ) -> Finding {
    Finding(code, severity, origin, text + rule.suffix(level: level))
  }
}
