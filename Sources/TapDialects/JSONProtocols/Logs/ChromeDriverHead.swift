// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The line of chromedriver's log that says what was sent.
///
///     DevTools WebSocket Response: Page.enable (id=4) (session_id=8F) 574500152CFCF757 {
///
/// Before it named sessions, each target had a connection of its own.
struct ChromeDriverHead {
  private enum Kind { case command, response, event }

  private let kind: Kind
  private let method: [UInt8]
  /// Digits; empty for an event.
  private let id: [UInt8]
  /// Empty for the browser.
  let session: [UInt8]
  /// Of a connection that only one target has; nil where all share one.
  let target: [UInt8]?
  /// What a collector has put ahead of it, and of the lines behind it.
  let margin: NarratedMargin
  /// Where the value begins on the line.
  let length: Int
  /// It is whole on the line, as only errors are.
  private let isOneLine: Bool

  private static let mark: StaticString = "DevTools WebSocket "
  private static let kinds: [(StaticString, Kind)] = [
    ("Command: ", .command), ("Response: ", .response), ("Event: ", .event),
  ]
  /// Bytes ahead of the mark.
  private static let furthest = 160

  static func mayBegin(_ line: RawSpan) -> Bool { line.contains(mark) }

  var direction: Direction { isCommand ? .toServer : .toClient }

  var isCommand: Bool { kind == .command }
  var isEvent: Bool { kind == .event }
  /// Its id; 0 for an event.
  var number: UInt64 { id.reduce(0) { $0 * 10 + UInt64($1 & 0xF) } }

  /// chromedriver counts what it asks on a connection from 1.
  var begins: Bool { isCommand && session.isEmpty && number == 1 }

  /// An event that names a session which begins.
  var opensSession: Bool {
    kind == .event && method.span.bytes.equals("Target.attachedToTarget")
  }

  /// Nil where the line is another one.
  init?(_ line: RawSpan) {
    guard let (start, open) = Self.start(line) else { return nil }
    margin = NarratedMargin(line.extracting(0..<open))
    var words = Words(at: start + Self.mark.utf8CodeUnitCount)
    guard let (_, kind) = Self.kinds.first(where: { words.take($0.0, line) }),
      let name = words.next(line), line.extracting(name).firstIndex(of: .period) != nil
    else { return nil }
    (self.kind, method) = (kind, line.extracting(name).copied())
    id = words.value(of: "(id=", line).map { line.extracting($0).copied() } ?? []
    let session = words.value(of: "(session_id=", line)
    self.session = session.map { line.extracting($0).copied() } ?? []
    guard id.allSatisfy({ $0.isDigit }), id.isEmpty == (kind == .event), id.count < 16,
      let word = words.next(line)
    else { return nil }
    let target = line.extracting(word)
    let isShared = session != nil && (!self.session.isEmpty || target.equals("browser"))
    self.target = isShared ? nil : target.copied()
    length = words.at
    isOneLine = line.byteCount > length + 1
  }

  /// Where its mark is, and its time, `[1795885109.782][DEBUG]: `: in no string of a record.
  private static func start(_ line: RawSpan) -> (mark: Int, time: Int)? {
    let near = line.extracting(0..<min(line.byteCount, furthest))
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

  /// The message as it was sent, as far as the log has it.
  ///
  /// - Parameter value: its parameters, its result or its error, as JSON.
  func write(_ value: RawSpan, to text: inout TextBuffer) {
    text.append("{")
    if kind != .event {
      text.append(#""id":"#)
      text.append(id.span.bytes)
      text.append(",")
    }
    if kind == .response {
      text.append(isOneLine ? #""error":"# : #""result":"#)
    } else {
      text.append(#""method":"#)
      text.append(jsonString: method.span.bytes)
      text.append(#","params":"#)
    }
    text.append(value)
    if !session.isEmpty {
      text.append(#","sessionId":"#)
      text.append(jsonString: session.span.bytes)
    }
    text.append("}")
  }
}

/// Where the next word of a line stands.
private struct Words {
  private(set) var at: Int

  mutating func take(_ words: StaticString, _ line: RawSpan) -> Bool {
    guard line.dropping(at).starts(with: words) else { return false }
    at += words.utf8CodeUnitCount
    return true
  }

  /// The next word; nil where none stands there, or no space behind it.
  mutating func next(_ line: RawSpan) -> Range<Int>? {
    guard let end = line.firstIndex(of: .space, from: at), end > at else { return nil }
    defer { at = end + 1 }
    return at..<end
  }

  /// The value of `(name=value) `; nil where something else stands there.
  mutating func value(of name: StaticString, _ line: RawSpan) -> Range<Int>? {
    guard line.dropping(at).starts(with: name),
      let end = line.firstIndex(of: UInt8(ascii: ")"), from: at), end + 1 < line.byteCount,
      line.byte(at: end + 1) == .space
    else { return nil }
    defer { at = end + 2 }
    return at + name.utf8CodeUnitCount..<end
  }
}
