// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The line of a client's trace that names a message.
///
///     [Trace - 9:32:36 PM] Received response 'x/y - (3)' in 5ms. Request failed: no (-32601).
struct ClientTraceHead {
  private enum Kind { case request, notification, response }

  private let kind: Kind
  /// The prefix that a log collector put before this line and the following ones.
  let margin: NarratedMargin
  /// As seen from the tracing client.
  let direction: Direction
  private let method: [UInt8]
  /// As JSON; empty for a notification.
  private let id: [UInt8]
  /// For a failed response: the message and the code of the error.
  private let failure: (words: [UInt8], code: [UInt8])?

  private static let mark: StaticString = "[Trace - "
  private static let directions: [(StaticString, Direction)] = [
    ("Sending ", .toServer), ("Received ", .toClient),
  ]
  private static let kinds: [(StaticString, Kind)] = [
    ("request '", .request), ("notification '", .notification), ("response '", .response),
  ]

  /// It is the request that opens an LSP conversation.
  var begins: Bool {
    kind == .request && direction == .toServer && method.span.bytes.equals("initialize")
  }

  /// The placeholder for a content that is not read. Parameters must not be a string.
  var unread: [UInt8] { Array((kind == .response ? #""…""# : #"["…"]"#).utf8) }

  static func mayBegin(_ line: RawSpan) -> Bool { line.contains(mark) }

  /// Nil when the line is not such a line.
  init?(_ line: RawSpan) {
    guard let open = Self.start(line),
      let close = line.firstIndex(of: UInt8(ascii: "]"), from: open), close + 2 < line.byteCount
    else { return nil }
    margin = NarratedMargin(line.extracting(0..<open))
    var rest = line.dropping(close + 2)
    let said = Self.directions.first { rest.starts(with: $0.0) }
    guard let (verb, direction) = said else { return nil }
    rest = rest.dropping(verb.utf8CodeUnitCount)
    guard let (name, kind) = Self.kinds.first(where: { rest.starts(with: $0.0) }) else {
      return nil
    }
    rest = rest.dropping(name.utf8CodeUnitCount)
    guard let quote = rest.firstIndex(of: UInt8(ascii: "'")) else { return nil }
    let named = rest.extracting(0..<quote)
    (self.kind, self.direction) = (kind, direction)
    failure = Self.failure(rest.dropping(quote + 1))
    if kind == .notification {
      (method, id) = (named.copied(), [])
      return
    }
    // `method - (id)`
    guard let parts = Self.parts(named) else { return nil }
    method = named.extracting(0..<parts.method).copied()
    id = Self.json(id: named.extracting(parts.id..<named.byteCount - 1))
  }

  /// The position of its mark, unless that is inside a string of a log record.
  private static func start(_ line: RawSpan) -> Int? {
    var at = 0
    while let open = line.firstIndex(of: .openBracket, from: at), open < NarratedMargin.longest {
      if line.dropping(open).starts(with: mark) {
        return line.extracting(0..<open).firstIndex(of: .quote) == nil ? open : nil
      }
      at = open + 1
    }
    return nil
  }

  private static func parts(_ named: RawSpan) -> (method: Int, id: Int)? {
    guard named.byteCount > 5, named.byte(at: named.byteCount - 1) == UInt8(ascii: ")") else {
      return nil
    }
    let divider: StaticString = " - ("
    let last = (1..<named.byteCount - 4).last { named.dropping($0).starts(with: divider) }
    return last.map { ($0, $0 + divider.utf8CodeUnitCount) }
  }

  /// The id as JSON: a number if it looks like one, as a trace does not show the type.
  private static func json(id: RawSpan) -> [UInt8] {
    let text = id.copied()
    let isNumber = !text.isEmpty && text.count < 16 && text.allSatisfy { $0.isDigit }
    if isNumber && (text[0] != UInt8(ascii: "0") || text.count == 1) { return text }
    var json = TextBuffer(capacity: 32)
    json.append(jsonString: id)
    return json.bytes.copied()
  }

  /// ` in 5ms. Request failed: no such method (-32601).`
  private static func failure(_ rest: RawSpan) -> (words: [UInt8], code: [UInt8])? {
    let words: StaticString = "Request failed: "
    guard let start = rest.firstIndex(of: words),
      let open = (start..<rest.byteCount).last(where: { rest.byte(at: $0) == UInt8(ascii: "(") }),
      let close = rest.firstIndex(of: UInt8(ascii: ")"), from: open)
    else { return nil }
    let code = rest.extracting(open + 1..<close).copied()
    let digits = code.drop { $0 == UInt8(ascii: "-") }
    guard code.count < 16, code.count - digits.count < 2, !digits.isEmpty,
      digits.allSatisfy({ $0.isDigit }), digits.first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    let first = start + words.utf8CodeUnitCount
    return (rest.extracting(first..<max(first, open - 1)).copied(), code)
  }

  /// Writes the message as it was sent, as far as the trace shows it.
  ///
  /// - Parameter content: its parameters, its result, or the data of its error, as JSON.
  func write(_ content: RawSpan, to text: inout TextBuffer) {
    text.append(#"{"jsonrpc":"2.0""#)
    if !id.isEmpty { text.member("id", json: id.span.bytes) }
    if kind != .response {
      text.member("method", method.span.bytes)
      if !content.isEmpty { text.member("params", json: content) }
    } else if let failure {
      text.append(#","error":{"#)
      text.member("code", json: failure.code.span.bytes)
      text.member("message", failure.words.span.bytes)
      if !content.isEmpty { text.member("data", json: content) }
      text.append("}")
    } else if content.isEmpty {
      text.member("result", word: "…")
    } else {
      text.member("result", json: content)
    }
    text.append("}")
  }
}
