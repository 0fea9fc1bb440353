// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What a handshake with authentication has said so far, as far as its messages must agree. No
/// secret is kept: nonces and challenges are sent in the open.
struct WAMPProof {
  /// HELLO.authextra.nonce.
  var clientNonce: [UInt8] = []
  /// HELLO.authextra.pubkey, and what the router is to sign itself, HELLO.authextra.challenge.
  var clientKey: [UInt8] = []
  var clientChallenge: [UInt8] = []
  /// Of the last CHALLENGE.
  var method: [UInt8] = []
  var nonce: [UInt8] = []
  var challenge: [UInt8] = []
  var isChannelBound = false
  var time = Instant.unknown
  /// What the text of a WAMP-CRA challenge says of the session that will be.
  var session: UInt64?
  var authid: [UInt8]?
  var authrole: [UInt8]?

  /// Longer values are not kept, and nothing is said of them.
  static let mostOctets = 1024

  /// Whether the nonce of both sides begins with that of the client. In base64 the last character
  /// of a padded text goes on in what follows. What an earlier run has masked says nothing.
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
