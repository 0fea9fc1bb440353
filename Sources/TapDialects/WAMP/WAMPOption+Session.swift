// SPDX-License-Identifier: Apache-2.0

extension WAMPOption {
  /// HELLO.Details, WELCOME.Details, ABORT.Details and GOODBYE.Details.
  static let session: [WAMPOption] = [
    WAMPOption("roles", [1, 2], .dictionary, "what this side can do; each role with its features"),
    WAMPOption("agent", [1, 2], .string, "the software that speaks"),
    WAMPOption("realm", [2], .string, "the realm that was joined"),
    WAMPOption(
      "authmethods", [1], .list, "ways to authenticate that the client offers, preferred first",
      element: .string),
    WAMPOption("authid", [1], .string, "the identity that the client wants"),
    WAMPOption("authid", [2], .string, "the identity that the router granted"),
    WAMPOption("authrole", [1], .string, "the role that the client wants", isExtension: true),
    WAMPOption("authrole", [2], .string, "the role whose permissions the session has"),
    WAMPOption("authmethod", [2], .string, "the way of authentication that succeeded"),
    WAMPOption("authprovider", [2], .string, "who checked the credentials"),
    WAMPOption("authextra", [1, 2], .dictionary, "what the way of authentication adds"),
    WAMPOption("transport", [1], .dictionary, "what the transport knows of the client"),
    WAMPOption("resumable", [1, 2, 6], .boolean, "whether the session may be resumed later"),
    WAMPOption("resumed", [2], .boolean, "whether an earlier session goes on", isExtension: true),
    WAMPOption("resume-session", [1], .id, "the session to resume", isExtension: true),
    WAMPOption("resume_session", [1], .id, "the session to resume", isExtension: true),
    WAMPOption("resume-token", [1, 2], .string, "the secret that resumes it", isExtension: true),
    WAMPOption("resume_token", [1, 2], .string, "the secret that resumes it", isExtension: true),
    WAMPOption("resume-ticket", [1, 2], .string, "the secret that resumes it", isExtension: true),
    WAMPOption("message", [3, 6], .string, "the reason in words for people"),
    WAMPOption("scram", [3], .string, "why SCRAM failed (RFC 5802 server-error-value)"),
  ]

  /// CHALLENGE.Extra, AUTHENTICATE.Extra, and `authextra` of HELLO and WELCOME.
  static let authentication: [WAMPOption] = [
    WAMPOption("challenge", [4], .string, "the text to sign"),
    WAMPOption("salt", [4], .string, "goes into the key that is derived from the password"),
    WAMPOption("keylen", [4], .integer, "bytes of the derived key"),
    WAMPOption("iterations", [4], .integer, "rounds of the derivation: what a guess costs"),
    WAMPOption("memory", [4], .integer, "memory of the derivation: what a guess costs"),
    WAMPOption("kdf", [4], .string, "how the key is derived: pbkdf2 or argon2id13"),
    WAMPOption("nonce", [4], .string, "the nonces of both sides, joined"),
    WAMPOption("nonce", [5], .string, "the nonce of the CHALLENGE, repeated"),
    WAMPOption("channel_binding", [4, 5], .anything, "how the proof is bound to the TLS channel"),
    WAMPOption("cbind_data", [5], .string, "the bytes that bind it to the TLS channel"),
    WAMPOption("pubkey", [4], .string, "the router's public key, for the client to trust"),
    WAMPOption("signature", [4], .string, "the router's answer to the client's challenge"),
    WAMPOption("attest", [4], .list, "platform registers that the client is to attest"),
    WAMPOption("quote", [5], .string, "the attestation of the platform"),
    WAMPOption("measurement", [5], .string, "what the attestation covers"),
    WAMPOption("nonce", [1], .string, "the client's random number", inside: "authextra"),
    WAMPOption("pubkey", [1], .string, "the key that will sign", inside: "authextra"),
    WAMPOption(
      "channel_binding", [1], .anything, "how the proof is bound to the TLS channel",
      inside: "authextra"),
    WAMPOption(
      "challenge", [1], .string, "what the router is to sign as a proof", inside: "authextra"),
    WAMPOption(
      "trustroot", [1], .string, "the authority behind the certificates", inside: "authextra"),
    WAMPOption(
      "certificates", [1], .anything, "who vouches for the public key", inside: "authextra"),
    WAMPOption(
      "verifier", [2], .string, "the proof that the server knows the password too",
      inside: "authextra"),
    WAMPOption(
      "scram_server_signature", [2], .string, "the proof that the server knows the password too",
      inside: "authextra", isExtension: true),
    WAMPOption(
      "x_cb_node", [2], .anything, "the node of Crossbar.io", inside: "authextra",
      isExtension: true),
    WAMPOption(
      "x_cb_worker", [2], .anything, "the worker of Crossbar.io", inside: "authextra",
      isExtension: true),
    WAMPOption(
      "x_cb_peer", [2], .anything, "the client's address as Crossbar.io sees it",
      inside: "authextra", isExtension: true),
    WAMPOption(
      "x_cb_pid", [2], .anything, "the process of Crossbar.io", inside: "authextra",
      isExtension: true),
    WAMPOption(
      "x_cb_node", [1, 2], .anything, "the node of Crossbar.io", isExtension: true),
    WAMPOption(
      "x_cb_worker", [1, 2], .anything, "the worker of Crossbar.io", isExtension: true),
    WAMPOption(
      "x_cb_peer", [1, 2], .anything, "the client's address as Crossbar.io sees it",
      isExtension: true),
    WAMPOption(
      "x_cb_pid", [1, 2], .anything, "the process of Crossbar.io", isExtension: true),
  ]
}
