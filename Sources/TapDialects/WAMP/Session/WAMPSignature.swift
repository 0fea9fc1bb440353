// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapLibraries

/// A cryptosign signature as sent, in hexadecimal digits: the 64 bytes of the Ed25519 signature and
/// the 32 signed bytes (wamp-proto, "Cryptosign-based Authentication").
struct WAMPSignature {
  private let signature: [UInt8]
  /// The signed bytes: the challenge, or the challenge combined with the channel id.
  let signed: [UInt8]

  /// Nil when the text is not a signature.
  init?(_ text: [UInt8]) {
    guard let octets = Self.octets(text, count: 96) else { return nil }
    (signature, signed) = (Array(octets[..<64]), Array(octets[64...]))
  }

  /// Whether the signature is valid for a public key (64 digits); nil when the text is not a key,
  /// or libcrypto is missing.
  func isValid(by key: [UInt8]) -> Bool? {
    guard let key = Self.octets(key, count: 32) else { return nil }
    return Libcrypto.isSigned(signed, signature, key: key)
  }

  /// Whether a text is a public key.
  static func isKey(_ text: [UInt8]) -> Bool { octets(text, count: 32) != nil }

  /// Whether exactly this challenge (64 digits) was signed.
  func isOf(challenge: [UInt8]) -> Bool { Self.octets(challenge, count: 32) == signed }

  private static func octets(_ digits: [UInt8], count: Int) -> [UInt8]? {
    digits.count == 2 * count ? digits.span.bytes.hexOctets() : nil
  }
}
