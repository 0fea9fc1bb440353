// SPDX-License-Identifier: Apache-2.0

import TapBytes
/// Bytes as tcpdump -A and followed streams print them: those of ASCII that can be seen, blanks
/// and ends of lines as they are, and a dot for all others. Of the two bytes CR LF some print only
/// the second.
enum PrintedOctet {
  static let dot = UInt8(ascii: ".")

  /// Whether a byte may have been printed as that character.
  static func fits(_ character: UInt8, _ octet: UInt8) -> Bool {
    switch octet {
    case 0x20...0x7E, .tab, .lineFeed: character == octet
    // Alone it is a dot, or itself; before LF it may be nothing.
    case .carriageReturn: character == dot || character == .carriageReturn || character == .lineFeed
    default: character == dot
    }
  }

  /// Whether a number in network byte order may have been printed as these characters.
  static func fits(_ characters: ArraySlice<UInt8>, _ number: Int) -> Bool {
    var rest = number
    for character in characters.reversed() {
      if !fits(character, UInt8(rest & 0xFF)) { return false }
      rest >>= 8
    }
    return rest == 0
  }
}
