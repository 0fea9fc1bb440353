// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What all rules of a connection need: its protocol level, its stage, and how much of it was
/// captured.
struct MQTTSessionContext: Sendable, BitwiseCopyable {
  /// Everything since the connection began was captured and readable.
  var knowsAll: Bool
  /// CONNECT and CONNACK have come.
  var hasConnect = false
  var hasConnack = false
  /// CONNACK has refused the connection.
  var isRefused = false
  /// An earlier session may go on, whose identifiers and filters are not known: CONNACK says so, or
  /// cannot say it, as in MQTT 3.1.
  var goesOn = false
  /// 3, 4 or 5; 0 before CONNECT.
  var level: UInt8 = 0

  init(knowsAll: Bool) { self.knowsAll = knowsAll }

  /// Reports a finding about the packet that was reported last.
  func report(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    _ rule: MQTTRule = .none, _ listener: any Listener
  ) {
    listener.remark(
      code, severity, origin, text + rule.suffix(level: level))
  }

  /// A finding about the connection.
  func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    _ rule: MQTTRule = .none
  ) -> Finding {
    Finding(code, severity, origin, text + rule.suffix(level: level))
  }
}

extension Origin {
  var isFromClient: Bool { direction == .toServer }
}
