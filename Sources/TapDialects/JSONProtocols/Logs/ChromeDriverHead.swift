// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The first line of a message in chromedriver's log.
///
///     DevTools WebSocket Response: Page.enable (id=4) (session_id=8F) 574500152CFCF757 {
struct ChromeDriverHead {
  private enum Kind { case command, response, event }

  private let kind: Kind
  private let method: [UInt8]
  /// Digits; empty for an event.
  private let id: [UInt8]
  /// Empty for the browser.
  let session: [UInt8]
  /// What a collector put before it and before the lines below.
  let margin: NarratedMargin
  /// Where the value begins on the line.
  let length: Int
  /// The value is complete on the line, as only errors are.
  private let isOneLine: Bool

  private static let mark: StaticString = "DevTools WebSocket "
  private static let kinds: [(StaticString, Kind)] = [
    ("Command: ", .command), ("Response: ", .response), ("Event: ", .event),
  ]

  static func mayBegin(_ line: RawSpan) -> Bool { line.contains(mark) }

  var direction: Direction { isCommand ? .toServer : .toClient }

  var isCommand: Bool { kind == .command }
  var isEvent: Bool { kind == .event }
  /// Its id; 0 for an event.
  var number: UInt64 { id.reduce(0) { $0 * 10 + UInt64($1 & 0xF) } }

  /// chromedriver counts what it asks on a connection from 1.
  var begins: Bool { isCommand && session.isEmpty && number == 1 }

  /// An event that announces a new session.
  var opensSession: Bool {
    kind == .event && method.span.bytes.equals("Target.attachedToTarget")
  }

  /// Nil for any other line.
  init?(_ line: RawSpan) {
    guard let (start, open) = Self.start(line) else { return nil }
    margin = NarratedMargin(line.extracting(0..<open))
    var words = Words(at: start + Self.mark.utf8CodeUnitCount)
    guard let (_, kind) = Self.kinds.first(where: { words.take($0.0, line) }),
      let name = words.next(line), line.extracting(name).firstIndex(of: .period) != nil
    else { return nil }
    (self.kind, method) = (kind, line.extracting(name).copied())
    id = words.value(of: "(id=", line).map { line.extracting($0).copied() } ?? []
    guard id.allSatisfy({ $0.isDigit }), id.isEmpty == (kind == .event), id.count < 16,
      let session = words.value(of: "(session_id=", line), words.next(line) != nil
    else { return nil }
    self.session = line.extracting(session).copied()
    length = words.at
    isOneLine = line.byteCount > length + 1
  }

  /// The places of the mark and of the time before it, `[1795885109.782][DEBUG]: `; nil inside
  /// strings of records.
  private static func start(_ line: RawSpan) -> (mark: Int, time: Int)? {
    let near = line.extracting(0..<min(line.byteCount, NarratedMargin.longest))
    var (at, brackets) = (0, (last: -1, before: -1))
    while at < near.byteCount {
      switch near.byte(at: at) {
      case .quote: return nil
      case .openBracket: brackets = (at, brackets.last)
      case UInt8(ascii: "D") where near.dropping(at).starts(with: mark):
        let isBehindLevel = at > 2 && near.extracting(at - 3..<at).equals("]: ")
        return isBehindLevel && brackets.before >= 0 ? (at, brackets.before) : nil
      default: break
      }
      at += 1
    }
    return nil
  }

  /// Writes the message as it was sent, as far as the log shows it.
  ///
  /// - Parameter value: the parameters, the result or the error, as JSON.
  func write(_ value: RawSpan, to text: inout TextBuffer) {
    text.append("{")
    if kind != .event { text.member("id", json: id.span.bytes) }
    if kind == .response {
      text.member(isOneLine ? "error" : "result", json: value)
    } else {
      text.member("method", method.span.bytes)
      text.member("params", json: value)
    }
    if !session.isEmpty { text.member("sessionId", session.span.bytes) }
    text.append("}")
  }
}

/// Reads the words of a line one after the other.
private struct Words {
  private(set) var at: Int

  mutating func take(_ words: StaticString, _ line: RawSpan) -> Bool {
    guard line.dropping(at).starts(with: words) else { return false }
    at += words.utf8CodeUnitCount
    return true
  }

  /// The next word; nil when there is none, or no space after it.
  mutating func next(_ line: RawSpan) -> Range<Int>? {
    guard let end = line.firstIndex(of: .space, from: at), end > at else { return nil }
    defer { at = end + 1 }
    return at..<end
  }

  /// The value of `(name=value) `; nil for anything else.
  mutating func value(of name: StaticString, _ line: RawSpan) -> Range<Int>? {
    guard line.dropping(at).starts(with: name),
      let end = line.firstIndex(of: UInt8(ascii: ")"), from: at), end + 1 < line.byteCount,
      line.byte(at: end + 1) == .space
    else { return nil }
    defer { at = end + 2 }
    return at + name.utf8CodeUnitCount..<end
  }
}
