// SPDX-License-Identifier: Apache-2.0

/// Reads the numbers and vectors of a handshake message in sequence (RFC 8446 §3.4).
struct VectorReader {
  private var rest: ArraySlice<UInt8>

  init(_ octets: some Collection<UInt8>) { rest = ArraySlice(octets) }

  /// A number of `octets` bytes; nil when there are fewer.
  mutating func number(_ octets: Int) -> Int? {
    take(octets).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }

  /// A vector after its length, which has `lengthOctets` bytes.
  mutating func vector(_ lengthOctets: Int) -> [UInt8]? {
    number(lengthOctets).flatMap { take($0) }
  }

  /// Extensions by type (RFC 8446 §4.2); those after a malformed one are left out.
  mutating func extensions() -> [Int: [UInt8]] {
    var found: [Int: [UInt8]] = [:]
    guard let all = vector(2) else { return found }
    var reader = VectorReader(all)
    while let type = reader.number(2), let content = reader.vector(2) { found[type] = content }
    return found
  }

  /// ALPN protocol names (RFC 7301 §3.1).
  static func protocolNames(_ content: [UInt8]) -> [[UInt8]] {
    var outer = VectorReader(content)
    var names: [[UInt8]] = []
    guard let list = outer.vector(2) else { return names }
    var reader = VectorReader(list)
    while let name = reader.vector(1) { names.append(name) }
    return names
  }
}

/// The extension types that are used here (IANA, "TLS ExtensionType Values").
enum ExtensionType {
  static let serverName = 0
  static let applicationLayerProtocolNegotiation = 16
  static let encryptThenMAC = 22
  static let earlyData = 42
  static let supportedVersions = 43
}
