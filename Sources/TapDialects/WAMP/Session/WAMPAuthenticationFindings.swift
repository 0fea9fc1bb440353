// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPAuthenticationFindings``.
extension Finding.Code {
  static let methodNotOffered: Self = "wamp.challenge-method-not-offered"
  static let bindingMismatch: Self = "wamp.auth-binding-mismatch"
  static let signatureUnchecked: Self = "wamp.signature-unchecked"
  static let cleartextTicket: Self = "wamp.cleartext-ticket"
  static let weakKDF: Self = "wamp.weak-kdf"
  static let authenticationSlow: Self = "wamp.auth-slow"
  static let roleNotAnnounced: Self = "wamp.role-not-announced"
  static let featureNotAnnounced: Self = "wamp.feature-not-announced"
  static let sessionIDReuse: Self = "wamp.session-id-reuse"
}

/// Explanations of findings about announcements and authentication.
enum WAMPAuthenticationFindings {
  static let all: [Explanation] = [
    Explanation(
      .methodNotOffered, .warning,
      "CHALLENGE asks for a way of authentication that the client did not offer.",
      cause: "A router that is configured for one way only.",
      remedy: "The client will abort. Offer the method in HELLO.Details.authmethods.",
      source: "WAMP, \"Authentication Methods\""),
    Explanation(
      .bindingMismatch, .warning, isSecurity: true,
      "Messages of one authentication contradict each other.",
      cause: "A relay between client and router, a replayed handshake, or an error of the router.",
      remedy: "Find the sender: the signature was not made for this session.",
      source: "WAMP, \"Authentication Methods\""),
    Explanation(
      .signatureUnchecked, .note,
      """
      A signature of cryptosign was not checked, as OpenSSL's libcrypto, which does that, cannot \
      be loaded.
      """,
      cause: "OpenSSL 3 is not installed, or is another version.",
      remedy: "Install the package that the finding names, and read the capture again.",
      source: "WAMP, \"Cryptosign-based Authentication\""),
    Explanation(
      .cleartextTicket, .warning, isSecurity: true,
      "A ticket is sent over a connection that is not encrypted.",
      cause: "A URL with ws:// where wss:// is needed.",
      remedy: "Use TLS, or a way of authentication that does not send the secret itself.",
      source: "WAMP, \"Ticket-based Authentication\""),
    Explanation(
      .weakKDF, .warning, isSecurity: true,
      "The key is derived from the password in few rounds.",
      cause: "The default of 1000 rounds of many implementations.",
      remedy: "Use at least 4096 rounds, better 100,000 and more, or cryptosign.",
      source: "RFC 7677 §4"),
    Explanation(
      .authenticationSlow, .note,
      "AUTHENTICATE came long after CHALLENGE.",
      cause: "A user who is asked for a password, or a slow key derivation.",
      remedy: "Routers give up after some seconds; ask before HELLO is sent."),
    Explanation(
      .roleNotAnnounced, .warning,
      "A request needs a role that HELLO or WELCOME did not announce.",
      cause: "A HELLO that lists too few roles.",
      remedy: "Announce all roles that are used: strict routers refuse the others.",
      source: "WAMP, \"Role and Feature Announcement\""),
    Explanation(
      .featureNotAnnounced, .warning, or: .note,
      "A request uses a feature that was not announced.",
      cause: "An option that this router does not know, or a HELLO that lists no features.",
      remedy: """
        A router that has not announced it ignores the option. It is a note when only the client \
        has not: most routers bear it.
        """,
      source: "WAMP, \"Role and Feature Announcement\""),
    Explanation(
      .sessionIDReuse, .warning,
      "A session id is given while another session of the realm has it.",
      cause: "A router that draws its ids badly, or two routers behind one address.",
      remedy: "Report it to the authors of the router: ids of sessions are global.",
      source: "WAMP, \"IDs\""),
  ]
}
