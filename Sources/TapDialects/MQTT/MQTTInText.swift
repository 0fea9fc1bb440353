// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Packets CONNECT in base64 that a text quotes: the password stands in them.
enum MQTTInText {
  /// The name of the protocol in base64 (MQTT 5.0 §3.1.2.1; that of 3.1 is `MQIsdp`), for lengths
  /// of the packet of one byte and of two. Four characters stand before it.
  private static let names: [StaticString] = ["BE1RVFQ", "AARNUVRU", "Bk1RSXNk", "AAZNUUlz"]

  static func connects(_ text: RawSpan) -> [Range<Int>] {
    names.flatMap { name in
      var found: [Range<Int>] = []
      var at = 0
      while let place = text.firstIndex(of: name, from: at) {
        at = place + name.utf8CodeUnitCount
        // The first byte is 0x10.
        guard place >= 4, text.byte(at: place - 4) == UInt8(ascii: "E") else { continue }
        while at < text.byteCount, isDigit(text.byte(at: at)) { at += 1 }
        found.append(place - 4..<at)
      }
      return found
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte.isAlpha || byte.isDigit || byte == UInt8(ascii: "+") || byte == .slash
      || byte == UInt8(ascii: "=")
  }
}
