// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The values of an authentication handshake so far that its messages must agree on. They are no
/// secrets: nonces and challenges are sent in the clear.
struct WAMPProof {
  /// HELLO.authextra.nonce.
  var clientNonce: [UInt8] = []
  /// HELLO.authextra.pubkey, and HELLO.authextra.challenge, which the router must sign.
  var clientKey: [UInt8] = []
  var clientChallenge: [UInt8] = []
  /// Of the last CHALLENGE.
  var method: [UInt8] = []
  var nonce: [UInt8] = []
  var challenge: [UInt8] = []
  var isChannelBound = false
  var time = Instant.unknown
  /// What the text of a WAMP-CRA challenge says about the session to be opened.
  var session: UInt64?
  var authid: [UInt8]?
  var authrole: [UInt8]?

  /// Longer values are not kept, and not checked.
  static let mostOctets = 1024

  /// Whether the combined nonce begins with the client's. In base64, padding and the character
  /// before it change when the text continues, so they are not compared. Values that an earlier run
  /// masked are accepted.
  var nonceContinues: Bool {
    let masked = "<secret-".utf8
    if nonce.starts(with: masked) || clientNonce.starts(with: masked) { return true }
    let padding = clientNonce.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let own = clientNonce.dropLast(padding > 0 ? padding + 1 : 0)
    return nonce.starts(with: own)
  }

  /// The specification has `wamp-scram`, Autobahn `scram`.
  static func plain(_ method: [UInt8]) -> [UInt8] {
    method == Array("wamp-scram".utf8) ? Array("scram".utf8) : method
  }
}
