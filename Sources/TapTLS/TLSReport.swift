// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapLibraries
import TapTraffic

/// Reports findings about a connection, most of them once.
struct TLSReport {
  let opening: Opening
  let secrets: TLSSecrets
  /// A side has ended the connection, so that an alert of the other is no cause.
  var hasEnd = false
  private var reported: Set<String> = []

  init(_ opening: Opening, _ secrets: TLSSecrets) {
    (self.opening, self.secrets) = (opening, secrets)
  }

  /// `10.0.0.7:51234 → 10.1.0.1:443`.
  private var ends: String { "\(opening.client) → \(opening.server)" }

  /// Reports a finding that may be repeated.
  func report(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ listener: any Listener,
    _ text: String
  ) {
    listener.finding(code, severity, origin, "\(ends): \(text)")
  }

  mutating func reportOnce(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ listener: any Listener,
    _ text: String
  ) {
    if isNew(code.name) { report(code, severity, origin, listener, text) }
  }

  /// Whether something was not reported before.
  mutating func isNew(_ key: String) -> Bool { reported.insert(key).inserted }

  /// Reports that the connection stays encrypted and why, with the handshake's details.
  mutating func reportClosed(
    _ code: Finding.Code, _ severity: Finding.Severity, _ session: HandshakeState, _ origin: Origin,
    _ listener: any Listener, _ why: String
  ) {
    guard isNew("closed") else { return }
    var (code, why) = (code, why)
    if secrets.hasSource && code != .unsupported && !Libcrypto.isLoaded {
      code = .libraryMissing
      why = "stays closed: \(SharedLibrary.libcrypto.isMissing)"
    }
    var finding = Finding(code, severity, origin, "\(ends): \(session.words) \(why)")
    finding.sealed = Sealed(
      client: opening.client, server: opening.server, session.security)
    if code == .noSecrets && !secrets.hasAdvised {
      secrets.hasAdvised = true
      finding.text += Self.advice
    }
    listener.finding(finding)
  }

  private static let advice =
    ". To read such connections, let an end write a key log: start a browser, curl or Python with"
    + " SSLKEYLOGFILE=keys.txt, node with --tls-keylog=keys.txt, in Go set tls.Config.KeyLogWriter;"
    + " then give --keylog keys.txt"

  /// Reports an alert that one side sent.
  func report(alert content: RawSpan, _ who: String, _ origin: Origin, _ listener: any Listener) {
    guard content.byteCount == 2 else { return }
    let alert = Alert(isFatal: content.byte(at: 0) == 2, code: content.byte(at: 1))
    if alert.isCloseNotify || alert.isUserCanceled { return }
    let consequence =
      hasEnd
      ? ", after the other side had ended the connection"
      : alert.isFatal ? ", which ends the connection" : ""
    report(
      .alert, hasEnd ? .note : .warning, origin, listener,
      "\(who) sent the TLS alert \(alert.name)\(consequence)")
  }

  /// Reports that early data stays encrypted.
  ///
  /// - Parameter isAccepted: what the server said; nil when that cannot be read.
  mutating func reportEarlyData(isAccepted: Bool?, _ origin: Origin, _ listener: any Listener) {
    let reason =
      switch isAccepted {
      case true?: "the key log has no CLIENT_EARLY_TRAFFIC_SECRET for them"
      case false?: "the server refused them"
      case nil: "whether the server accepted them cannot be read"
      }
    reportOnce(
      .earlyDataUnread, isAccepted == true ? .warning : .note, origin, listener,
      "early data of the client are passed over, as \(reason)")
  }

  mutating func reportHelloMissing(
    _ session: HandshakeState, _ origin: Origin, _ listener: any Listener
  ) {
    let what =
      session.clientRandom.isEmpty
      ? "client was not captured, whose random number names its secret in a key log"
      : "server was not captured, which says how it is encrypted"
    reportClosed(
      .handshakeMissing, .note, session, origin, listener,
      "stays closed: the hello of the \(what)")
  }

  /// - Parameter closed: the directions that stay encrypted if a part of the connection is
  ///   decrypted; nil when nothing is.
  mutating func reportKeyMissing(
    _ session: HandshakeState, closed: [Half]?, _ origin: Origin, _ listener: any Listener
  ) {
    guard secrets.hasSource else {
      let known =
        secrets.isExpected ? "has brought no secret for it so far" : "has no secret for it"
      return reportClosed(
        .noSecrets, .note, session, origin, listener,
        "stays closed: there is no key log, and the capture \(known)")
    }
    guard let closed else {
      let more = secrets.refused > 0 ? " (of \(secrets.refused) more secrets none was kept)" : ""
      let known =
        secrets.count == 0
        ? "has no secret so far" : "has secrets, but none for this connection\(more)"
      return reportClosed(
        .keyMissing, .warning, session, origin, listener, "stays closed: the key log \(known)")
    }
    for half in closed where isNew("closed \(half.who)") {
      report(
        .keyMissing, .warning, origin, listener,
        "what \(half.who) sent stays closed: the key log has secrets for this connection, but not"
          + " the one that opens it")
    }
  }
}
