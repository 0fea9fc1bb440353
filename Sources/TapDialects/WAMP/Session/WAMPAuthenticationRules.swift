// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapLibraries
import TapTraffic

/// Checks the authentication handshake: whether its messages agree, without knowing any secret
/// (wamp-proto, "Authentication Methods").
struct WAMPAuthenticationRules {
  /// The methods that the client offered, in its order, kept until WELCOME; nil when it named none.
  private var offered: [[UInt8]]?
  /// The other values of the handshake so far, if any, kept until WELCOME.
  private var said: Cell<WAMPProof>?
  private var proof: WAMPProof {
    get { said?.value ?? WAMPProof() }
    _modify {
      let place = said ?? Cell(WAMPProof())
      said = place
      yield &place.value
    }
  }

  /// The least number of PBKDF2 rounds; with fewer, guessing the password is easy (RFC 7677 §4).
  private static let leastIterations: UInt64 = 4096
  /// An answer to CHALLENGE that takes longer probably waits for a person; nanoseconds.
  private static let slowProof: Int64 = 5_000_000_000

  private static func text(
    _ key: StaticString, in object: ByteRange?, _ bytes: RawSpan
  ) -> [UInt8]? {
    guard let object else { return nil }
    return text(JSON.value(of: key, in: object, bytes), bytes)
  }

  private static func text(_ value: JSONElement?, _ bytes: RawSpan) -> [UInt8]? {
    guard let value, value.kind == .string, value.content.count <= WAMPProof.mostOctets else {
      return nil
    }
    return JSON.unescaped(bytes[value.content])
  }

  /// HELLO.
  mutating func offer(_ array: inout WAMPArray, _ bytes: RawSpan, _ shared: WAMPShared) {
    if let methods = array.details.value(of: "authmethods", bytes), methods.kind == .array {
      offered = shared.offers.value.methods(bytes[methods.range])
    }
    let extra = array.details.value(of: "authextra", bytes).flatMap {
      $0.kind == .object ? $0.range : nil
    }
    // The specification shows the nonce in both places.
    let nonce =
      Self.text("nonce", in: extra, bytes)
      ?? Self.text(array.details.value(of: "nonce", bytes), bytes)
    if let nonce { proof.clientNonce = nonce }
    if let key = Self.text("pubkey", in: extra, bytes) { proof.clientKey = key }
    if let text = Self.text("challenge", in: extra, bytes) { proof.clientChallenge = text }
  }

  mutating func challenge(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let method = WAMPProof.plain(JSON.unescaped(bytes[array.string(1)]))
    let name = String(decoding: method, as: Unicode.UTF8.self)
    (proof.method, proof.time) = (method, message.origin.time)
    if let offered, offered.count < 32, !offered.contains(method) {
      context.report(
        .methodNotOffered, .warning, message,
        "CHALLENGE asks for \(name), which the client did not offer", listener)
    }
    let extra = array.dictionary(2)
    proof.nonce = Self.text("nonce", in: extra, bytes) ?? []
    proof.challenge = Self.text("challenge", in: extra, bytes) ?? []
    let binding = Self.text("channel_binding", in: extra, bytes)
    proof.isChannelBound = binding != nil && binding != Array("null".utf8)
    guard let extra else { return }
    checkIterations(extra, name, bytes, &message, context, listener)
    if name == "scram" && !proof.nonce.isEmpty && !proof.nonceContinues {
      mismatch(
        "the nonce of CHALLENGE does not begin with that of HELLO", &message, context, listener)
    }
    if name == "wampcra" { readChallenge() }
    if name == "cryptosign" { checkRouter(extra, bytes, &message, context, listener) }
  }

  /// Checks the router's own signature, which the client can ask for.
  private func checkRouter(
    _ extra: ByteRange, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let key = Self.text("pubkey", in: extra, bytes),
      let text = Self.text("signature", in: extra, bytes), let signature = WAMPSignature(text)
    else { return }
    let isValid = check(signature, key, &message, context, listener)
    if isValid == false {
      mismatch(
        "the router's signature was not made with the key that it names", &message, context,
        listener)
    } else if !proof.isChannelBound && proof.clientChallenge.count == 64
      && !signature.isOf(challenge: proof.clientChallenge)
    {
      mismatch("what the router has signed is not what HELLO gave", &message, context, listener)
    }
  }

  private func checkIterations(
    _ extra: ByteRange, _ method: String, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let value = JSON.value(of: "iterations", in: extra, bytes), value.kind == .natural,
      let iterations = JSON.natural(bytes, value.range), iterations < Self.leastIterations
    else { return }
    // Argon2 also costs memory, so few rounds are enough.
    if let kdf = Self.text("kdf", in: extra, bytes), kdf.starts(with: "argon2".utf8) { return }
    context.report(
      .weakKDF, .warning, message,
      "the key of \(method) is derived in \(iterations) rounds, less than"
        + " \(Self.leastIterations): an eavesdropper can guess the password from this handshake",
      isSecurity: true, listener)
  }

  /// A WAMP-CRA challenge is a JSON text that names the session.
  private mutating func readChallenge() {
    let text = proof.challenge
    let bytes = text.span.bytes
    var scanner = JSONScanner(maximumDepth: 8)
    guard scanner.scan(bytes) != nil else { return }
    let start = text.firstIndex { $0 > 0x20 } ?? 0
    guard start < bytes.byteCount, bytes.byte(at: start) == .openBrace else { return }
    let object = ByteRange(start, bytes.byteCount)
    if let id = JSON.value(of: "session", in: object, bytes), id.kind == .natural {
      proof.session = JSON.natural(bytes, id.range)
    }
    proof.authid = Self.text("authid", in: object, bytes)
    proof.authrole = Self.text("authrole", in: object, bytes)
  }

  /// AUTHENTICATE.
  ///
  /// - Parameter isReadable: the connection is not encrypted.
  func prove(
    _ array: inout WAMPArray, isReadable: Bool, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let method = String(decoding: proof.method, as: Unicode.UTF8.self)
    if method == "ticket" && isReadable && !array.string(1).isEmpty {
      context.report(
        .cleartextTicket, .warning, message,
        "the ticket is sent over a connection that is not encrypted: an eavesdropper can use it",
        isSecurity: true, listener)
    }
    if let passed = message.origin.leastSince(proof.time), passed > Self.slowProof {
      context.report(
        .authenticationSlow, .note, message,
        "AUTHENTICATE came \(message.origin.isCoarse ? "at least " : "")\(passed / 1_000_000_000) s"
          + " after CHALLENGE", listener)
    }
    if method == "scram", !proof.nonce.isEmpty,
      let nonce = Self.text("nonce", in: array.dictionary(2), bytes), nonce != proof.nonce
    {
      mismatch("the nonce of AUTHENTICATE is not that of CHALLENGE", &message, context, listener)
    }
    if method == "cryptosign", let signature = WAMPSignature(bytes[array.string(1)].copied()) {
      if !proof.isChannelBound && proof.challenge.count == 64
        && !signature.isOf(challenge: proof.challenge)
      {
        mismatch(
          "what AUTHENTICATE has signed is not what CHALLENGE gave", &message, context, listener)
      }
      if check(signature, proof.clientKey, &message, context, listener) == false {
        mismatch(
          "the signature of AUTHENTICATE was not made with the key that HELLO names", &message,
          context, listener)
      }
    }
  }

  mutating func welcome(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let proof = said?.value, !proof.method.isEmpty else { return }
    if let session = proof.session, session != message.second.key {
      mismatch(
        "CHALLENGE was for session \(session), WELCOME is for \(message.second.key)", &message,
        context, listener)
    }
    for (key, expected) in [
      ("authid" as StaticString, proof.authid), ("authrole", proof.authrole),
    ] {
      if let expected, let granted = Self.text(array.details.value(of: key, bytes), bytes),
        granted != expected
      {
        mismatch("the \(key) of WELCOME is not that of CHALLENGE", &message, context, listener)
      }
    }
    if let method = Self.text(array.details.value(of: "authmethod", bytes), bytes),
      WAMPProof.plain(method) != proof.method
    {
      mismatch("the authmethod of WELCOME is not that of CHALLENGE", &message, context, listener)
    }
    (offered, said) = (nil, nil)
  }

  /// Whether a signature was made with a key; nil when that cannot be checked.
  private func check(
    _ signature: WAMPSignature, _ key: [UInt8], _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) -> Bool? {
    let isValid = signature.isValid(by: key)
    if isValid == nil && WAMPSignature.isKey(key) {
      context.report(
        .signatureUnchecked, .note, message,
        "a signature is not checked: \(SharedLibrary.libcrypto.isMissing)", listener)
    }
    return isValid
  }

  private func mismatch(
    _ text: String, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    context.report(.bindingMismatch, .warning, message, text, isSecurity: true, listener)
  }
}
