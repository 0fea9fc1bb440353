// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Why a server refuses a polling request. The JavaScript server answers with
/// `{"code":1,"message":"…"}` (engine.io, lib/server.ts), python-engineio with a message as a JSON
/// string.
struct EngineIORefusal: Equatable {
  /// How many bytes of an answer are read.
  static let longest = 1024

  let code: Finding.Code
  let severity: Finding.Severity
  let text: String

  /// Nil for answers that are not specific to Engine.IO.
  init?(status: Int, _ body: RawSpan) {
    if status == 413 {
      (code, severity) = (.eioBodyTooLarge, .error)
      text = "the server answered 413: what was sent is larger than it takes"
      return
    }
    guard (400...405).contains(status) else { return nil }
    let answer = Self.words(body)
    let known = Self.kinds.first { kind in
      kind.number == answer.number
        || kind.words.contains { answer.text.hasPrefix($0) || answer.text.hasSuffix($0) }
    }
    // An application may use its own text.
    let isForbidden = status == 401 || status == 403
    guard let kind = known ?? (isForbidden ? Self.forbidden : nil) else { return nil }
    (code, severity) = (kind.code, kind.severity)
    let said = kind.isQuoted && !answer.text.isEmpty ? ": “\(answer.text)”" : ""
    text = "the server answered \(status): \(kind.meaning)\(said)"
  }

  private struct Kind: Sendable {
    let number: UInt64
    let words: [String]
    let code: Finding.Code
    let severity: Finding.Severity
    let meaning: String
    /// Quote the server's text, which says more.
    var isQuoted = false
  }

  private static let kinds = [
    Kind(
      number: 0, words: ["Transport unknown", "Invalid transport"], code: .eioTransportUnknown,
      severity: .error, meaning: "it does not have this transport"),
    // python-engineio's text for a POST without a session.
    Kind(
      number: 2, words: ["Bad handshake method", "Invalid session None"], code: .eioBadHandshake,
      severity: .error, meaning: "a session begins with a GET"),
    Kind(
      number: 1, words: ["Session ID unknown", "Invalid session "], code: .eioSessionUnknown,
      severity: .warning, meaning: "it does not know this session"),
    Kind(
      number: 3,
      words: [
        "Bad request", "Bad Request", "Invalid websocket upgrade", "Invalid JSONP index number",
        "is not an accepted origin.",
      ], code: .eioBadRequest, severity: .warning, meaning: "the request does not fit",
      isQuoted: true),
    forbidden,
    Kind(
      number: 5,
      words: ["Unsupported protocol version", "The client is using an unsupported version"],
      code: .eioVersionUnsupported, severity: .error,
      meaning: "it does not speak the revision that the client asks for"),
  ]

  private static let forbidden = Kind(
    number: 4, words: ["Forbidden"], code: .eioForbidden, severity: .warning,
    meaning: "it does not let this client in", isQuoted: true)

  private static func words(_ body: RawSpan) -> (number: UInt64?, text: String) {
    var scanner = JSONScanner(maximumDepth: 4)
    guard scanner.scan(body) == body.byteCount else { return (nil, text(body)) }
    let all = ByteRange(0, body.byteCount)
    if let code = JSON.value(of: "code", in: all, body), !scanner.isArray,
      let number = JSON.natural(body, code.range)
    {
      let message = JSON.value(of: "message", in: all, body)
      return (number, message.map { text(JSON.unescaped(body[$0.content]).span.bytes) } ?? "")
    }
    guard body.byteCount > 1, body.byte(at: 0) == UInt8(ascii: "\"") else { return (nil, "") }
    return (nil, text(JSON.unescaped(body.extracting(1..<body.byteCount - 1)).span.bytes))
  }

  private static func text(_ bytes: RawSpan) -> String {
    String(
      decoding: bytes.extracting(0..<min(bytes.byteCount, 120)).copied(), as: Unicode.UTF8.self)
  }
}
