// SPDX-License-Identifier: Apache-2.0
import TapBytes

extension Opening {
  /// A subprotocol as it is shown: `***` if it is a token. Browsers cannot set headers for a
  /// WebSocket, so some applications send a token as a subprotocol.
  public static func shown(subprotocol: [UInt8]) -> [UInt8] {
    isToken(subprotocol: subprotocol) ? Array("***".utf8) : subprotocol
  }

  /// Whether a subprotocol is long and has parts that are not words.
  public static func isToken(subprotocol: [UInt8]) -> Bool {
    if subprotocol.count < 16 { return false }
    let parts = subprotocol.split {
      $0 == .period || $0 == .hyphen || $0 == UInt8(ascii: "_") || $0 == .slash
    }
    return !parts.allSatisfy(isWord)
  }

  /// `graphql`, `k8s`, `base64`, `v2`: letters and then digits, or short. Unlike a word of a URL
  /// (`URLCredentials.isWord`), it begins with a letter.
  private static func isWord(_ part: ArraySlice<UInt8>) -> Bool {
    if part.count <= 4 { return true }
    return part.count <= 20 && part[part.startIndex].isAlpha
      && part.drop { $0.isAlpha }.allSatisfy(\.isDigit)
  }
}
