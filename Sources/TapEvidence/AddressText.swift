// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Addresses as exports write them.
public enum AddressText {
  /// `10.1.0.1`, `fd77::1` or `[fd77::1]`; empty for what is no address.
  public static func octets(_ text: some StringProtocol) -> [UInt8] {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let bare = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
    return bare.contains(":") ? version6(bare) : version4(bare)
  }

  /// `10.1.0.1:8080` or `[fd77::1]:8080`; unknown for what is none.
  public static func endpoint(_ text: String) -> Endpoint {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { return .unknown }
    let address = octets(text[..<colon])
    return address.isEmpty ? .unknown : Endpoint(address: address, port: port)
  }

  private static func version4(_ text: String) -> [UInt8] {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let octets = parts.compactMap { UInt8($0) }
    return octets.count == 4 && parts.count == 4 ? octets : []
  }

  /// RFC 4291 §2.2; a zone behind `%` is passed over.
  private static func version6(_ text: String) -> [UInt8] {
    let bare = text.prefix { $0 != "%" }
    let halves = bare.split(separator: "::", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count) else { return [] }
    var groups: [[UInt8]] = []
    for half in halves {
      var octets: [UInt8] = []
      for part in half.split(separator: ":") {
        if part.contains(".") {
          let last = version4(String(part))
          if last.isEmpty { return [] }
          octets += last
        } else {
          guard part.count <= 4, let group = UInt16(part, radix: 16) else { return [] }
          octets += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
      }
      groups.append(octets)
    }
    let missing = 16 - groups.reduce(0) { $0 + $1.count }
    if groups.count == 1 { return missing == 0 ? groups[0] : [] }
    guard missing >= 0 else { return [] }
    return groups[0] + [UInt8](repeating: 0, count: missing) + groups[1]
  }
}
