// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// JSON texts with a length before each: in binary, in digits, or in a `Content-Length` head (LSP,
/// "Base Protocol").
struct LengthFraming {
  /// How the length is written.
  enum Form: Sendable, Equatable {
    /// - Parameter countsItself: the length includes the length field.
    case binary(octets: Int, isLittle: Bool, countsItself: Bool)
    /// `12:{…},` of netstrings, `12\n{…}` or `12{…}`.
    case digits
    case head
  }

  /// What is found where a message must begin.
  enum Header {
    case none
    case incomplete
    case length(body: Int, of: Int)
  }

  private static let forms: [Form] =
    [.head, .digits]
    + [4, 2].flatMap { octets in
      [false, true].flatMap { isLittle in
        [false, true].map { .binary(octets: octets, isLittle: isLittle, countsItself: $0) }
      }
    }

  /// The longest head that is accepted, in bytes.
  private static let longestHead = 1024

  let form: Form
  private let most: Int
  /// How far the bytes were searched for a beginning.
  private var searched = 0
  /// Places at which the search tried a length, and bytes of texts that it scanned in vain.
  private var (places, wasted) = (0, 0)
  /// Scan for the end of a text that is incomplete, or longer than its announced length.
  private var unended: JSONTextEnd?
  /// The announced length of the last message, if it was wrong.
  private(set) var announced: Int?

  init(_ form: Form, most: Int) { (self.form, self.most) = (form, most) }

  /// The form in which a side's first bytes give a length; nil for none.
  ///
  /// - Parameter isUndecided: set if more bytes may decide.
  static func recognise(
    _ bytes: RawSpan, most: Int, isUndecided: inout Bool
  ) -> LengthFraming? {
    for form in forms {
      let framing = LengthFraming(form, most: most)
      switch framing.header(bytes, 0) {
      case .none: continue
      case .incomplete: isUndecided = true
      case .length(let body, let count):
        if bytes.byteCount < body + count {
          isUndecided = true
        } else if isText(bytes, body, count) {
          return framing
        }
      }
    }
    return nil
  }

  /// Bytes that the message at the beginning takes with its length, if it is complete.
  ///
  /// - Parameter least: bytes of the shortest text that counts.
  func whole(_ bytes: RawSpan, least: Int) -> Int? {
    guard case .length(let body, let count) = header(bytes, 0), count >= least,
      body + count <= bytes.byteCount, Self.isText(bytes, body, count)
    else { return nil }
    return behind(bytes, body + count)
  }

  /// Whether the brackets of the text close exactly where the length says.
  private static func isText(_ bytes: RawSpan, _ body: Int, _ count: Int) -> Bool {
    var end = JSONTextEnd()
    guard case .bracket(let at) = end.find(in: bytes, from: body) else { return false }
    return at == body + count
  }

  mutating func resynchronise() {
    (searched, unended) = (0, nil)
    (places, wasted) = (0, 0)
  }

  mutating func removed(_ count: Int) {
    searched = max(0, searched - count)
    unended?.removed(count)
  }

  mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
    let at = behind(bytes, start)
    if at > start { return .skip(at) }
    if start == bytes.byteCount { return .incomplete }
    switch header(bytes, start) {
    case .incomplete: return .incomplete
    case .none:
      resynchronise()
      return .broken([
        Finding(
          .lengthWrong, .error, Origin(), "no length stands where a message must begin")
      ])
    case .length(let body, let count):
      guard body + count <= bytes.byteCount else { return .begun(head: body - start, body: count) }
      return message(bytes, body, count, isEnd: isEnd)
    }
  }

  private mutating func message(
    _ bytes: RawSpan, _ body: Int, _ count: Int, isEnd: Bool
  ) -> FramedMessage {
    let end = body + count
    let message = FramedMessage.message(ByteRange(body, end), next: end)
    var text = unended ?? JSONTextEnd()
    if unended == nil, case .bracket = text.find(in: bytes.extracting(0..<end), from: body) {
      return message
    }
    unended = nil
    if isEnd { return message }
    // The text is longer than announced, or lacks a bracket: the next bytes show which.
    switch header(bytes, behind(bytes, end)) {
    case .length: return message
    case .incomplete: break
    case .none:
      switch text.find(in: bytes, from: body) {
      case nil: break
      case .bracket(let real):
        announced = count
        return .special(ByteRange(body, real), next: real)
      // A line end in a string breaks the text: its real end cannot be found.
      case .lineEnd: return message
      }
    }
    unended = text
    return .incomplete
  }

  /// Skips what follows a text: the comma of a netstring, or a line end.
  private func behind(_ bytes: RawSpan, _ end: Int) -> Int {
    guard form == .digits else { return end }
    var at = end
    while at < bytes.byteCount, bytes.byte(at: at) == .comma || bytes.byte(at: at) <= 0x20 {
      at += 1
    }
    return at
  }

  /// Finds a length after which the brackets of a text close where the length says. Once many
  /// lengths proved wrong, only few more are tried, so that the work stays linear in the number of
  /// bytes.
  mutating func beginning(in bytes: RawSpan, isEnd: Bool) -> Int? {
    while searched < bytes.byteCount {
      switch wasted > 1 << 16 + 16 * places ? .none : header(bytes, searched) {
      case .none: break
      case .incomplete: if !isEnd { return nil }
      case .length(let body, let count) where body + count > bytes.byteCount && isEnd: break
      case .length(let body, let count):
        var text = unended ?? JSONTextEnd()
        let there = bytes.extracting(0..<min(body + count, bytes.byteCount))
        let end = text.find(in: there, from: body)
        if end == nil, !isEnd, there.byteCount < body + count {
          unended = text
          return nil
        }
        if case .bracket(let at) = end, at == body + count {
          defer { resynchronise() }
          return searched
        }
        wasted += text.scanned - body
      }
      unended = nil
      searched += 1
      places += 1
    }
    return nil
  }

  /// The length at an offset, if a text begins after it.
  private func header(_ bytes: RawSpan, _ at: Int) -> Header {
    switch form {
    case .binary(let octets, let isLittle, let countsItself):
      guard at + octets < bytes.byteCount else { return .incomplete }
      var length: UInt64 = 0
      for index in 0..<octets {
        let place = isLittle ? octets - 1 - index : index
        length = length << 8 | UInt64(bytes.byte(at: at + place))
      }
      guard length <= UInt64(most) else { return .none }
      return begun(bytes, at + octets, Int(length) - (countsItself ? octets : 0))
    case .digits: return digits(bytes, at)
    case .head: return head(bytes, at)
    }
  }

  private func begun(_ bytes: RawSpan, _ body: Int, _ count: Int) -> Header {
    guard count >= 2 && count <= most else { return .none }
    if body >= bytes.byteCount { return .incomplete }
    let first = bytes.byte(at: body)
    let isText = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    return isText ? .length(body: body, of: count) : .none
  }

  private func digits(_ bytes: RawSpan, _ start: Int) -> Header {
    var (at, length) = (start, 0)
    while at < bytes.byteCount, bytes.byte(at: at).isDigit, at - start < 9 {
      length = length * 10 + Int(bytes.byte(at: at) - 0x30)
      at += 1
    }
    if at == bytes.byteCount { return .incomplete }
    guard at > start else { return .none }
    while at < bytes.byteCount,
      [.carriageReturn, .lineFeed, .colon, .space].contains(bytes.byte(at: at))
    { at += 1 }
    return begun(bytes, at, length)
  }

  private func head(_ bytes: RawSpan, _ start: Int) -> Header {
    let name = "content-"
    var at = start
    for byte in name.utf8 {
      if at == bytes.byteCount { return .incomplete }
      guard bytes.byte(at: at) | 0x20 == byte | 0x20 else { return .none }
      at += 1
    }
    var length: Int?
    at = start
    while let end = bytes.firstIndex(of: .lineFeed, from: at) {
      if end - start > Self.longestHead { return .none }
      let line = bytes.extracting(at..<end)
      at = end + 1
      if line.byteCount == 0 || line.byteCount == 1 && line.byte(at: 0) == .carriageReturn {
        return length.map { begun(bytes, at, $0) } ?? .none
      }
      if line.firstIndex(of: .colon) == nil { return .none }
      // Others begin with `Content-`, too.
      if line.byteCount > 15, line.byte(at: 8) | 0x20 == UInt8(ascii: "l") {
        let words = String(decoding: line.copied(), as: Unicode.UTF8.self)
          .lowercased().filter { $0 != " " && !$0.isNewline }
        if words.hasPrefix("content-length:") { length = Int(words.dropFirst(15)) }
      }
    }
    return bytes.byteCount - start > Self.longestHead ? .none : .incomplete
  }
}
