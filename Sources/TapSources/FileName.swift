// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// File names are bytes to the system and text to the rest of the program. Bytes that are not UTF-8
/// become private-use characters, one for each byte, so nothing is lost in the conversion back.
public enum FileName {
  /// Byte 0x80 becomes U+10FE80.
  private static let strays: UInt32 = 0x10FE00

  private static func isStray(_ scalar: UInt32) -> Bool {
    scalar >= strays + 0x80 && scalar <= strays + 0xFF
  }

  /// An argument, a variable or a folder entry as text.
  public static func text(_ octets: [UInt8]) -> String {
    let bytes = octets.span.bytes
    if UTF8.firstInvalid(in: bytes) == nil && !mayHaveStray(octets) {
      return String(decoding: octets, as: Unicode.UTF8.self)
    }
    var text = String.UnicodeScalarView()
    var at = 0
    while at < octets.count {
      // A real character of this private-use range is treated as its four bytes.
      if let scalar = UTF8.scalar(in: bytes, at: at), !isStray(scalar.value) {
        text.append(Unicode.Scalar(scalar.value)!)
        at += scalar.length
      } else {
        text.append(Unicode.Scalar(strays + UInt32(octets[at]))!)
        at += 1
      }
    }
    return String(text)
  }

  /// The same for NUL-terminated text.
  public static func text(_ octets: UnsafePointer<CChar>) -> String {
    var count = 0
    while octets[count] != 0 { count += 1 }
    return text((0..<count).map { UInt8(bitPattern: octets[$0]) })
  }

  /// The bytes of such text.
  public static func octets(_ text: String) -> [UInt8] {
    var octets = Array(text.utf8)
    if !mayHaveStray(octets) { return octets }
    octets.removeAll()
    for scalar in text.unicodeScalars {
      if isStray(scalar.value) {
        octets.append(UInt8(scalar.value - strays))
      } else {
        octets += Array(String(scalar).utf8)
      }
    }
    return octets
  }

  /// The same with a trailing NUL, for system calls.
  public static func system(_ text: String) -> [CChar] {
    octets(text).map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether the first byte of such a character occurs.
  private static func mayHaveStray(_ octets: [UInt8]) -> Bool { octets.contains(0xF4) }
}
