// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``TLSFindings``.
extension Finding.Code {
  static let noSecrets: Self = "tls.no-secrets"
  static let keyMissing: Self = "tls.key-missing"
  static let keyLate: Self = "tls.key-late"
  static let libraryMissing: Self = "tls.library-missing"
  static let unsupported: Self = "tls.unsupported"
  static let handshakeMissing: Self = "tls.handshake-missing"
  static let recordIncomplete: Self = "tls.record-incomplete"
  static let recordUnopened: Self = "tls.record-unopened"
  static let badRecord: Self = "tls.bad-record"
  static let resynchronised: Self = "tls.resynchronised"
  static let framingLost: Self = "tls.framing-lost"
  static let alert: Self = "tls.alert"
  static let earlyDataUnread: Self = "tls.early-data-unread"
}

/// Explanations of findings about TLS.
public enum TLSFindings {
  private static let keyLog = """
    Let the client or the server write a key log: browsers, curl and Python do when SSLKEYLOGFILE \
    is set before they start, node with --tls-keylog, Go with tls.Config.KeyLogWriter. Then read \
    the capture with --keylog FILE.
    """

  public static let all: [Explanation] = [
    Explanation(
      .noSecrets, .note, isLoss: true,
      "The connection is TLS, and there is no secret to open it with.",
      cause: "A wss or https connection in a capture that was read without a key log.",
      remedy: keyLog, source: "RFC 9850"),
    Explanation(
      .keyMissing, .warning, isLoss: true,
      "The key log has no secret for this TLS connection, so that it stays closed.",
      cause: """
        The log was begun after the connection, is of another process or of another run, or was \
        cleaned since; or the program that wrote it has no part in this connection.
        """,
      remedy: """
        Begin the log before the client starts, and take it from one of the two ends of this \
        connection. A secret that is written later while the capture is read is found.
        """,
      source: "RFC 9850"),
    Explanation(
      .keyLate, .warning,
      "The secret of a TLS connection came late: what had gone by until then stays closed.",
      cause: """
        More was sent than can wait for a secret, as with a key log that is copied, or that its \
        writer holds back in a buffer, while the capture is read.
        """,
      remedy: "Read the capture again with the whole key log: nothing of it is late then.",
      source: "RFC 9850"),
    Explanation(
      .libraryMissing, .warning, or: .note, isLoss: true,
      """
      There are secrets for TLS connections, but OpenSSL's libcrypto, which opens their records, \
      cannot be loaded.
      """,
      cause: "OpenSSL 3 is not installed, or is another version.",
      remedy: """
        Install the package that the finding names, and read the capture again. wamptap doctor \
        says which libraries there are.
        """,
      source: "RFC 8446 §5.2"),
    Explanation(
      .unsupported, .warning, isLoss: true,
      "The version or the cipher suite of a TLS connection is one that is not decrypted here.",
      cause: "TLS 1.1 or older, or a suite with RC4, 3DES, Camellia, ARIA or no encryption.",
      remedy: "Allow TLS 1.2 or 1.3 with AES or ChaCha20-Poly1305 for the capture.",
      source: "RFC 8446 §B.4, RFC 5246 §A.5"),
    Explanation(
      .handshakeMissing, .note, isLoss: true,
      "The TLS handshake was not captured whole, and it says how what follows is encrypted.",
      cause: "The capture began after the connection, or it lost the hello of one side.",
      remedy: """
        Start the capture before the client connects. Secrets of TLS 1.3 are tried all the same; \
        a record that opens proves which one it is.
        """,
      source: "RFC 8446 §4.1"),
    Explanation(
      .recordIncomplete, .warning, isLoss: true,
      "A TLS record was not captured whole, and so nothing of it can be opened.",
      cause: "Packets that the capture lost, a short snap length, or a capture that ended within.",
      remedy: "See the gap before it. A record opens as a whole or not at all.",
      source: "RFC 8446 §5.2"),
    Explanation(
      .recordUnopened, .warning,
      "A TLS record does not open with the secret that the key log has for its connection.",
      cause: """
        The record was changed on the way, or the capture mixed up segments; or the secret is of \
        another session.
        """,
      remedy: """
        See whether findings of TCP stand near it. Nothing of such a record is shown; what comes \
        behind it is, as soon as it opens.
        """,
      source: "RFC 8446 §5.2, RFC 5246 §6.2.3"),
    Explanation(
      .badRecord, .warning,
      "Something that is no TLS record stands where one has to begin.",
      cause: "Another protocol behind a first message that looks like TLS, or damage.",
      remedy: """
        See what stands before it. Where keys are in use, the next record that opens is looked for.
        """,
      source: "RFC 8446 §5.1"),
    Explanation(
      .resynchronised, .warning, or: .note, isLoss: true,
      """
      Behind a gap, a TLS record was found again by trying: it opened. As a note, in a capture \
      without the handshake.
      """,
      cause: "Packets that were not captured, of a connection whose secrets are known.",
      remedy: """
        Its content is certain, as each record is authenticated. Its number says how many are \
        missing, but not what was in them.
        """,
      source: "RFC 8446 §5.3"),
    Explanation(
      .framingLost, .warning, isLoss: true,
      "Behind a gap, no TLS record has opened again.",
      cause: """
        Too little was captured behind the gap for a whole record, too much is missing for its \
        number to be found, or the keys have changed within it.
        """,
      remedy: "Capture again without losses: a larger buffer (tcpdump -B), a filter, less load.",
      source: "RFC 8446 §5.3"),
    Explanation(
      .alert, .warning, or: .note,
      "One side sent a TLS alert that is no orderly close.",
      cause: """
        Before the handshake is over, often a certificate that the client does not accept \
        (unknown_ca, bad_certificate, certificate_expired), no common version or suite \
        (protocol_version, handshake_failure), or a name that the server does not have \
        (unrecognized_name).
        """,
      remedy: "Look at the side that sent it: its log says why. Nothing follows a fatal alert.",
      source: "RFC 8446 §6"),
    Explanation(
      .earlyDataUnread, .note, or: .warning,
      "Early data (0-RTT) of the client were passed over.",
      cause: """
        The server refused them, and the client sends their content again; or the key log \
        lacks their secret.
        """,
      remedy: "When they were accepted, let the client log CLIENT_EARLY_TRAFFIC_SECRET too.",
      source: "RFC 8446 §4.2.10"),
  ]
}
