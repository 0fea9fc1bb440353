// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Masks the credentials of calls whose parameters are a list, where no name stands beside them.
enum CallSecrets {
  /// Methods, and where in the list credentials stand: 0 is the first parameter, -1 the last.
  private static let places: [(method: StaticString, places: [Int])] = [
    // Stratum, by which miners log in at a pool, and that of Ethereum.
    ("mining.authorize", [1]),
    ("eth_submitLogin", [1]),
    // Bitcoin Core, and its descendants.
    ("walletpassphrase", [0]),
    ("walletpassphrasechange", [0, 1]),
    ("encryptwallet", [0]),
    ("createwallet", [3]),
    ("importprivkey", [0]),
    ("sethdseed", [1]),
    ("signmessagewithprivkey", [0]),
    ("signrawtransactionwithkey", [1]),
    // geth and other nodes of Ethereum.
    ("personal_newAccount", [0]),
    ("personal_importRawKey", [0, 1]),
    ("personal_unlockAccount", [1]),
    ("personal_sendTransaction", [1]),
    ("personal_signTransaction", [1]),
    ("personal_sign", [2]),
    // Deluge, which sends a password alone, and TrueNAS, with a user's name before it and a code
    // behind it.
    ("auth.login", [1, -1]),
    ("auth.change_password", [0, 1]),
    ("auth.login_with_api_key", [0]),
    ("auth.login_with_token", [0]),
    ("auth.token", [0]),
  ]

  /// Whether a message of no dialect names such a method, maybe inside of a string.
  static func isAny(in bytes: RawSpan) -> Bool {
    bytes.contains("method")
      && places.contains { call in
        var at = 0
        while let quote = bytes.firstIndex(of: .quote, from: at) {
          at = quote + 1
          let rest = bytes.dropping(at)
          guard rest.starts(with: call.method) else { continue }
          let behind = rest.dropping(call.method.utf8CodeUnitCount)
          if behind.starts(with: "\"") || behind.starts(with: "\\\"") { return true }
        }
        return false
      }
  }

  /// - Parameters:
  ///   - method: the name of what is called.
  ///   - params: the value that holds what it is called with.
  static func append(
    to notes: inout WorkingList<Note>, _ method: RawSpan, _ params: ByteRange, _ bytes: RawSpan
  ) {
    guard !params.isEmpty, bytes.byte(at: params.start) == .openBracket,
      let call = places.first(where: { method.equals($0.method) })
    else { return }
    var count = 0
    var elements = JSON.Members(ofArray: params)
    while elements.next(bytes) != nil { count += 1 }
    elements = JSON.Members(ofArray: params)
    var place = 0
    while let value = elements.next(bytes)?.value {
      if call.places.contains(place) || call.places.contains(place - count) {
        append(value, to: &notes)
      }
      place += 1
    }
  }

  private static func append(_ value: JSONElement, to notes: inout WorkingList<Note>) {
    switch value.kind {
    case .string:
      if !value.isEmptyContent { notes.append(Note(.secret, "secret", value.content)) }
    case .null, .yes, .no: break
    // It gets quotes when it is masked.
    default: notes.append(Note(.secret, "number", value.range))
    }
  }
}
