// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether bytes that no dialect decodes contain the name of a credential as a key of a serializer,
/// that is, after a length (MessagePack, CBOR, UBJSON) or before a zero (BSON).
public enum BinaryCredentials {
  /// Bytes of the longest key that is compared.
  private static let longestKey = 24

  public static func isAny(in bytes: RawSpan, _ names: CredentialNames = .standard) -> Bool {
    let shortest = names.table.shortest
    guard bytes.byteCount > 2, 1...longestKey ~= shortest else { return false }
    for at in 0..<bytes.byteCount - 2 {
      let byte = bytes.byte(at: at)
      // Most serializers put the length in the lower five bits of the type byte, or in a byte of
      // its own.
      for length in [Int(byte & 0x1F), Int(byte)] where shortest...longestKey ~= length {
        if isName(bytes, at + 1, length, names) { return true }
      }
      // BSON ends its keys with a zero; 0x02 is its type for a string.
      let key = bytes.extracting(at + 1..<min(at + 2 + longestKey, bytes.byteCount))
      if byte == 0x02, let count = key.firstIndex(of: 0), isName(bytes, at + 1, count, names) {
        return true
      }
    }
    return false
  }

  private static func isName(
    _ bytes: RawSpan, _ start: Int, _ count: Int, _ names: CredentialNames
  ) -> Bool {
    let end = start + count
    guard count > 0, end <= bytes.byteCount,
      names.table.endings.contains(bytes.byte(at: end - 2), bytes.byte(at: end - 1))
    else { return false }
    let key = bytes.extracting(start..<end).copied()
    return key.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) && names.contains(key.letters)
  }
}

extension [UInt8] {
  /// In lower case, without the characters that are ignored in names of credentials.
  fileprivate var letters: [UInt8] {
    filter { !CredentialNames.isIgnored($0) }.map(CredentialNames.lower)
  }
}
