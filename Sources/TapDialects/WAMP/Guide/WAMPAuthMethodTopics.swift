// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPAuthMethodTopics {
  static let all: [Topic] = [
    method(
      "anonymous", "Anybody may join; nothing is proved.", challenge: "none: WELCOME follows HELLO",
      signature: "none", beware: "The router chooses the authid, and an authrole for strangers."),
    method(
      "ticket", "The client shows a password or a token.", challenge: "{}",
      signature: "the ticket itself",
      beware: """
        It is readable by everybody on the way unless the connection is wss://. It is masked here \
        unless --show-secrets is given.
        """, source: "WAMP, \"Ticket-based Authentication\""),
    method(
      "wampcra", "The client signs a challenge with a secret that the router knows too.",
      challenge: """
        challenge, a JSON text with a nonce and the session; for salted secrets also salt, keylen \
        and iterations
        """,
      signature: "base64 of HMAC-SHA256 of the challenge, 44 characters",
      beware: """
        It must be computed over the text exactly as it was sent. A capture of it allows \
        guessing a weak secret.
        """, aliases: ["wamp-cra", "cra"],
      source: "WAMP, \"Challenge Response Authentication\""),
    method(
      "wamp-scram", "The client and the router prove to each other that they know a password.",
      challenge: "nonce, salt, kdf (pbkdf2 or argon2id13), iterations, memory",
      signature: "base64 of the proof of the client",
      beware: """
        The nonce of the client stands in HELLO.Details.authextra, and the router's proof in \
        WELCOME.Details.authextra.verifier. Autobahn calls the method scram. A capture of it \
        allows guessing a weak password.
        """, aliases: ["scram"], source: "WAMP, \"Salted Challenge Response Authentication\""),
    method(
      "cryptosign", "The client signs a challenge with its Ed25519 key.",
      challenge: "challenge, 32 bytes in hexadecimal; channel_binding",
      signature: "192 hexadecimal digits: the signature of 64 bytes, and the message signed",
      beware: """
        With channel binding, what is signed is the challenge xor the id of the TLS channel: a \
        proxy that ends TLS breaks it. The public key stands in HELLO.Details.authextra.pubkey.
        """, source: "WAMP, \"Cryptosign-based Authentication\""),
    method(
      "tls", "The certificate of the TLS connection is the proof.",
      challenge: "none: WELCOME follows HELLO", signature: "none",
      beware: "It is lost where a proxy ends TLS.", source: "Crossbar and Autobahn"),
    method(
      "cookie", "A cookie of the HTTP upgrade, set at an earlier login, is the proof.",
      challenge: "none: WELCOME follows HELLO", signature: "none",
      beware: "It fails once the router has forgotten the cookie.",
      source: "Crossbar and Autobahn"),
  ]

  private static func method(
    _ name: String, _ summary: String, challenge: String, signature: String, beware: String,
    aliases: [String] = [], source: String = "WAMP, \"Authentication Methods\""
  ) -> Topic {
    Topic(
      Topic.Group("WAMP authentication methods", "WAMP authentication method"), name, summary,
      aliases: aliases,
      [
        Topic.Part("Offered in", .prose("HELLO.Details.authmethods")),
        Topic.Part("CHALLENGE", .prose(challenge)), Topic.Part("AUTHENTICATE", .prose(signature)),
        Topic.Part(
          "If it fails", .prose("ABORT, with wamp.error.authentication_denied or the like")),
        .beware(beware),
      ], source: source)
  }
}
