// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The header in which a proxy names the original client of a connection, in text or binary
/// (HAProxy, proxy-protocol.txt). Its content is not read.
public enum ProxyHeader {
  /// The longest line of version 1, in bytes.
  private static let mostOctets = 107

  /// Length of the header that begins here: 0 for none, nil when more bytes are needed to decide.
  public static func length(_ bytes: RawSpan) -> Int? {
    if bytes.starts(with: "PROXY ") {
      if let end = bytes.firstIndex(of: .lineFeed), end < mostOctets { return end + 1 }
      return bytes.byteCount < mostOctets ? nil : 0
    }
    guard bytes.starts(with: "\r\n\r\n\0\r\nQUIT\n") else { return 0 }
    if bytes.byteCount < 16 { return nil }
    let length = 16 + Int(bytes.uint16(at: 14))
    return bytes.byteCount < length ? nil : length
  }
}
