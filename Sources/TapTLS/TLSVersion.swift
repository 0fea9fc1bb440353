// SPDX-License-Identifier: Apache-2.0

/// A version number of a hello (RFC 8446 §4.1.2, §4.2.1).
struct TLSVersion: Hashable {
  static let tls12 = TLSVersion(number: 0x0303)
  static let tls13 = TLSVersion(number: 0x0304)

  var number: UInt16

  var name: String {
    switch number {
    case 0x0300: "SSL 3.0"
    case 0x0301: "TLS 1.0"
    case 0x0302: "TLS 1.1"
    case 0x0303: "TLS 1.2"
    case 0x0304: "TLS 1.3"
    default: "TLS 0x\(String(number, radix: 16))"
    }
  }
}
