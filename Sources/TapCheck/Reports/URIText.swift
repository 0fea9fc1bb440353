// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A path as a relative reference (RFC 3986 §4.2).
enum URIText {
  static func of(_ path: String) -> String {
    var uri = ""
    for byte in path.utf8 {
      let isPlain =
        byte.isWord || "-.~/".utf8.contains(byte)
      if isPlain {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    // A colon in the first part would mean a scheme, but it is escaped above.
    return uri.hasPrefix("./") ? String(uri.dropFirst(2)) : uri
  }
}
