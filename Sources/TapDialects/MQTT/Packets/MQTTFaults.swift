// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A fault of a single packet.
struct MQTTFault {
  var code: Finding.Code
  var severity: Finding.Severity
  var text: String
  var rule: MQTTRule

  /// `0010`
  static func bits(_ value: UInt8, _ count: Int) -> String {
    let digits = String(value, radix: 2)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// At most 64 bytes of it.
  static func quoted(_ bytes: RawSpan) -> String {
    let shown = bytes.extracting(0..<min(bytes.byteCount, 64))
    return String(decoding: shown.copied(), as: Unicode.UTF8.self)
      + (bytes.byteCount > 64 ? "…" : "")
  }
}

/// The faults of one packet, in the order in which they were found.
struct MQTTFaults {
  private(set) var all = ContiguousArray<MQTTFault>()

  mutating func removeAll() {
    if !all.isEmpty { all.removeAll(keepingCapacity: true) }
  }

  mutating func add(
    _ code: Finding.Code, _ severity: Finding.Severity, _ text: String, _ rule: MQTTRule = .none
  ) {
    all.append(MQTTFault(code: code, severity: severity, text: text, rule: rule))
  }
}
