// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names of files are bytes to the system and text to the rest of the program. Bytes that are no
/// UTF-8 go through text as characters that stand for them, each for one, of a plane for private
/// use: nothing is lost on the way back.
public enum FileName {
  /// What stands for byte 0x80 is U+10FE80.
  private static let strays: UInt32 = 0x10FE00

  private static func isStray(_ scalar: UInt32) -> Bool {
    scalar >= strays + 0x80 && scalar <= strays + 0xFF
  }

  /// An argument, a variable or an entry of a folder as text.
  public static func text(_ octets: [UInt8]) -> String {
    let bytes = octets.span.bytes
    if UTF8.firstInvalid(in: bytes) == nil && !mayHaveStray(octets) {
      return String(decoding: octets, as: Unicode.UTF8.self)
    }
    var text = String.UnicodeScalarView()
    var at = 0
    while at < octets.count {
      // A character that would be taken for a byte is four bytes.
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

  /// The same of text that ends with a NUL.
  public static func text(_ octets: UnsafePointer<CChar>) -> String {
    var count = 0
    while octets[count] != 0 { count += 1 }
    return text((0..<count).map { UInt8(bitPattern: octets[$0]) })
  }

  /// What text stands for.
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

  /// For the system: with a NUL behind them.
  public static func system(_ text: String) -> [CChar] {
    octets(text).map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether the first byte of such a character is there.
  private static func mayHaveStray(_ octets: [UInt8]) -> Bool { octets.contains(0xF4) }
}
