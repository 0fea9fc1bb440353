// SPDX-License-Identifier: Apache-2.0

/// The fields that a filter can test; the names are those of wamptap-ndjson(5).
enum Field: UInt8, Sendable, CaseIterable {
  case event, index, answers, carries, connection, time, direction, `protocol`, name, subject
  case names, latency, body, input, packet
  case client, server, url, subprotocol, writer, carrier
  case tlsVersion, tlsServerName, tlsCipherSuite
  case realm, error, failed, answered, unanswered, size
  case finding, severity, security, source, text
  case closeCode, closeReason, closeBy, closeReset
  /// `ids.NAME`, for any name.
  case id

  /// The kinds of lines that have it.
  struct Bearers: OptionSet, Sendable {
    let rawValue: UInt8
    static let message = Bearers(rawValue: 1)
    static let finding = Bearers(rawValue: 2)
    /// The beginning and the end of a connection.
    static let connection = Bearers(rawValue: 4)
    static let all: Bearers = [.message, .finding, .connection]
  }

  var entry: FieldEntry { FieldEntry.all[Int(rawValue)] }
}

/// A row of the table of fields.
struct FieldEntry: Sendable {
  var field: Field
  var name: String
  /// Other names.
  var aliases: [String] = []
  var type: FieldType
  var bearers: Field.Bearers
  /// A short description.
  var summary: String

  /// By `Field.rawValue`.
  static let all: [FieldEntry] = Field.allCases.map(entry)

  private static func entry(_ field: Field) -> FieldEntry {
    func row(
      _ name: String, _ type: FieldType, _ bearers: Field.Bearers, _ summary: String,
      or aliases: [String] = []
    ) -> FieldEntry {
      FieldEntry(
        field: field, name: name, aliases: aliases, type: type, bearers: bearers, summary: summary)
    }
    switch field {
    case .event:
      return row(
        "event", .word(["connection", "message", "finding"]), .all, "what the line is about")
    case .index: return row("index", .integer, .message, "number of the message, from 1")
    case .answers:
      return row("answers", .integer, .message, "index of the message that it answers")
    case .carries:
      return row("carries", .integer, .message, "index of the PUBLISH that an EVENT carries")
    case .connection: return row("connection", .integer, .all, "number of the connection; #2 is it")
    case .time:
      return row("time", .time, .all, "when; on the clock of -t a, or +5s since the first message")
    case .direction:
      return row(
        "direction", .word(["toServer", "toClient", "unknown"]), .message, "where it was sent")
    case .protocol:
      return row("protocol", .word([]), .message, "the protocol of the message: wamp, mqtt")
    case .name: return row("name", .word([]), .message, "the name of the message: EVENT")
    case .subject:
      return row(
        "subject", .uri, [.message, .finding], "topic, procedure, destination, method")
    case .names: return row("names", .text, .message, "what a names file calls a value")
    case .latency: return row("latency", .duration, .message, "how long the answer took")
    case .body: return row("body", .text, .message, "the whole message, as text", or: ["raw"])
    case .input: return row("origin.input", .text, .all, "the file that it is from")
    case .packet:
      return row(
        "origin.packet", .integer, .all, "number of the packet, or of the line of a log",
        or: ["packet", "origin.line", "line"])
    case .client: return row("client", .endpoint, .all, "address of the client")
    case .server: return row("server", .endpoint, .all, "address of the server")
    case .url: return row("url", .text, .all, "ws://host/path of the connection")
    case .subprotocol: return row("subprotocol", .text, .all, "subprotocol that the server chose")
    case .writer: return row("writer", .text, .all, "who logged or exported it")
    case .carrier:
      return row(
        "carrier", .word(["stream", "websocket", "rawsocket", "http"]), .all,
        "what carries the messages")
    case .tlsVersion: return row("tls.version", .text, .all, "TLS 1.3")
    case .tlsServerName: return row("tls.serverName", .text, .all, "the server that was asked for")
    case .tlsCipherSuite: return row("tls.cipherSuite", .text, .all, "TLS_AES_128_GCM_SHA256")
    case .realm: return row("realm", .text, .message, "the realm of the session")
    case .error: return row("error", .uri, .message, "the error that it reports")
    case .failed: return row("failed", .flag, .message, "it reports an error")
    case .answered:
      return row(
        "answered", .flag, .message, "a request with an answer, or that its own side has ended")
    case .unanswered: return row("unanswered", .flag, .message, "a request without an answer")
    case .size: return row("size", .size, .message, "bytes of the message")
    case .finding: return row("finding", .uri, .finding, "code of the finding")
    case .severity:
      return row("severity", .rank(["note", "warning", "error"]), .finding, "of the finding")
    case .security: return row("security", .flag, .finding, "the finding concerns security")
    case .source: return row("source", .text, .finding, "where the rule stands that is broken")
    case .text: return row("text", .text, .finding, "the sentence of the finding")
    case .closeCode:
      return row(
        "close.code", .integer, [.message, .connection], "status code of CLOSE, and of the end")
    case .closeReason:
      return row("close.reason", .text, [.message, .connection], "what CLOSE gives as the reason")
    case .closeBy:
      return row("close.by", .word(["client", "server"]), .connection, "who began to close")
    case .closeReset: return row("close.reset", .flag, .connection, "it ended by a reset")
    case .id: return row("ids", .id, .message, "ids by name: ids.request, ids.session")
    }
  }

  /// Short names of ids; the others are written `ids.NAME`.
  static let shortIDs = ["request", "subscription", "registration", "publication"]
  /// Ids that dialects use; those of JSON of applications are called as the application calls them.
  static let knownIDs =
    shortIDs + [
      "session", "call", "code", "receipt", "message", "ack", "transaction", "packet", "channel",
      "id", "prefix", "document",
    ]

  static func named(_ name: String) -> Field? {
    all.first { ($0.name == name || $0.aliases.contains(name)) && $0.field != .id }?.field
  }

  /// The possible beginnings of a path into a message.
  static let roots = ["args", "kwargs", "payload", "options", "headers", "properties", "body"]
}
