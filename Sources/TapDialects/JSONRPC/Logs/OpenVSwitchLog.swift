// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The log of module `jsonrpc` of Open vSwitch and OVN at DBG, which prints the members of each
/// message of OVSDB and of their control sockets, in C and in Python.
///
///     2026-11-29T16:16:24Z|00012|jsonrpc|DBG|unix#0: received request, method="list_dbs",
///     params=[], id=0
struct OpenVSwitchLog: NarratedLog {
  private(set) var isKnown = false
  let waiting: Origin? = nil
  private var scanner: JSONScanner
  /// Which side writes, by the name of a connection.
  private var isServer: [String: Bool] = [:]
  /// The limit of these, which is that of connections.
  private let most: Int

  init(limits: Limits) {
    scanner = JSONScanner(maximumDepth: limits.nesting)
    most = limits.connections
  }

  func mayReport(_ line: RawSpan) -> Bool { Self.begin(of: line) != nil }

  mutating func look(at line: RawSpan) -> Bool {
    guard let line = Line(line), scanner.scan(line.json.span.bytes) == line.json.count else {
      return false
    }
    isKnown = true
    return true
  }

  mutating func read(
    _ text: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    guard let line = Line(text), scanner.scan(line.json.span.bytes) == line.json.count else {
      return false
    }
    if isServer[line.connection] == nil, isServer.count < most {
      isServer[line.connection] = line.isOfServer
    }
    var origin = origin
    if let isServer = isServer[line.connection] {
      origin.direction = line.isSent == isServer ? .toClient : .toServer
    }
    narrations.append(
      Narration(
        program: "Open vSwitch", dialect: "jsonrpc", connection: line.connection, begins: false,
        origin: origin, event: .message(line.json)))
    return true
  }

  func settle(_: inout ContiguousArray<Narration>) {}

  /// Where the name of the connection stands.
  private static func begin(of line: RawSpan) -> Int? {
    guard line.contains("jsonrpc") else { return nil }
    for mark: StaticString in ["|DBG|", "| DBG | "] {
      if let start = line.firstIndex(of: mark) { return start + mark.utf8CodeUnitCount }
    }
    return nil
  }

  private struct Line {
    let connection: String
    let isSent: Bool
    /// Whether the server has written it; nil where either side may have.
    let isOfServer: Bool?
    let json: [UInt8]

    /// Nil when the line reports no message.
    init?(_ line: RawSpan) {
      guard let start = begin(of: line) else { return nil }
      let text = line.dropping(start)
      let sent = text.firstIndex(of: ": send ")
      guard let end = sent ?? text.firstIndex(of: ": received ") else { return nil }
      isSent = sent != nil
      connection = String(decoding: text.extracting(0..<end).copied(), as: Unicode.UTF8.self)
      var rest = text.dropping(end + (isSent ? 7 : 11))
      guard let comma = rest.firstIndex(of: .comma) else { return nil }
      let kind = rest.extracting(0..<comma)
      rest = rest.dropping(comma)
      let isCall = kind.equals("request") || kind.equals("notification")
      guard isCall || kind.equals("reply") || kind.equals("error") else { return nil }
      var id = Array("null".utf8)
      if !kind.equals("notification") {
        let last = (0..<rest.byteCount).last { rest.dropping($0).starts(with: ", id=") }
        guard let place = last else { return nil }
        id = rest.dropping(place + 5).copied()
        rest = rest.extracting(0..<place)
      }
      var json = TextBuffer(capacity: 256)
      json.append("{")
      var method = RawSpan()
      if isCall {
        let name: StaticString = ", method=\""
        guard rest.starts(with: name) else { return nil }
        rest = rest.dropping(name.utf8CodeUnitCount)
        guard let quote = rest.firstIndex(of: .quote) else { return nil }
        method = rest.extracting(0..<quote)
        rest = rest.dropping(quote + 1)
        json.member("method", method)
      }
      // What the library adds when it sends a message is not printed.
      for (mark, name, other) in Self.contents where rest.starts(with: mark) {
        json.member(name, json: rest.dropping(mark.utf8CodeUnitCount))
        if let other { json.member(other, word: nil as Symbol?) }
      }
      json.member("id", json: id.span.bytes)
      json.append("}")
      self.json = json.bytes.copied()
      isOfServer = Self.isOfServer(kind, method, connection, isSent)
    }

    private static let contents: [(mark: StaticString, name: StaticString, other: StaticString?)] =
      [
        (", params=", "params", nil), (", result=", "result", "error"),
        (", error=", "error", "result"),
      ]

    /// Clients ask; both sides send `echo`. A server names the connections it accepts `unix#0`.
    private static func isOfServer(
      _ kind: RawSpan, _ method: RawSpan, _ connection: String, _ isSent: Bool
    ) -> Bool? {
      if connection.hasPrefix("unix#") { return true }
      if method.starts(with: "update") { return isSent }
      return kind.equals("request") && !method.equals("echo") ? !isSent : nil
    }
  }
}
