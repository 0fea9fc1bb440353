// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// JSON texts that each have their length before them: in binary, in digits, or in a
/// `Content-Length` head (LSP, "Base Protocol").
struct LengthFraming {
  /// How the length is written.
  enum Form: Sendable, Equatable {
    /// - Parameter countsItself: the length is that of the prefix too.
    case binary(octets: Int, isLittle: Bool, countsItself: Bool)
    /// `12:{…},` of netstrings, `12\n{…}` or `12{…}`.
    case digits
    case head
  }

  /// What stands where a message must begin.
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

  /// No head is longer.
  private static let longestHead = 1024

  let form: Form
  private let most: Int
  private var isLost = false
  /// Of a text that goes on behind its length: how far its end was looked for.
  private var unended: JSONTextFraming?

  init(_ form: Form, most: Int) { (self.form, self.most) = (form, most) }

  /// The form in which one side begins; nil for none.
  ///
  /// - Parameter isUndecided: more bytes may tell.
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
        } else if JSONTextFraming.end(of: bytes, from: body) == body + count {
          // The brackets of the text close where the length says.
          return framing
        }
      }
    }
    return nil
  }

  /// Of a message whose length was written and can be read; nil otherwise.
  func announcedSize(_ bytes: RawSpan) -> Int? {
    guard !isLost, case .length(let body, let count) = header(bytes, behind(bytes, 0)) else {
      return nil
    }
    return body + count
  }

  mutating func resynchronise() { (isLost, unended) = (true, nil) }

  mutating func removed(_ count: Int) { unended?.removed(count) }

  mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
    if isLost { return findBeginning(bytes, start, isEnd: isEnd) }
    let at = behind(bytes, start)
    if at > start { return .skip(at) }
    if start == bytes.byteCount { return .incomplete }
    switch header(bytes, start) {
    case .incomplete: return .incomplete
    case .none:
      isLost = true
      return .broken("no length stands where a message must begin")
    case .length(let body, let count):
      guard body + count <= bytes.byteCount else { return .incomplete }
      return message(bytes, body, count, isEnd: isEnd)
    }
  }

  private mutating func message(
    _ bytes: RawSpan, _ body: Int, _ count: Int, isEnd: Bool
  ) -> FramedMessage {
    let end = body + count
    let message = FramedMessage.message(ByteRange(body, end), next: end)
    var text = unended ?? JSONTextFraming()
    let isEnded =
      unended == nil
      && JSONTextFraming.end(of: bytes.extracting(0..<end), from: body, &text) != nil
    unended = nil
    if isEnd || isEnded { return message }
    // The text goes on, or lacks a bracket: what follows tells.
    switch header(bytes, behind(bytes, end)) {
    case .length: return message
    case .incomplete: break
    case .none:
      if let real = JSONTextFraming.end(of: bytes, from: body, &text) {
        return .miscounted(ByteRange(body, real), next: real, announced: count)
      }
      // A line end in a string breaks the text: nobody can tell where it ends.
      if text.isAtStart { return message }
    }
    unended = text
    return .incomplete
  }

  /// A netstring has a comma behind it, others a line end.
  private func behind(_ bytes: RawSpan, _ end: Int) -> Int {
    guard form == .digits else { return end }
    var at = end
    while at < bytes.byteCount, bytes.byte(at: at) == 0x2C || bytes.byte(at: at) <= 0x20 { at += 1 }
    return at
  }

  /// A beginning whose length leads to another, and that to a third, or to the end of all.
  private mutating func findBeginning(
    _ bytes: RawSpan, _ start: Int, isEnd: Bool
  ) -> FramedMessage {
    var at = start
    search: while at < bytes.byteCount {
      var place = at
      for found in 0..<3 {
        if isEnd && found > 0 && place == bytes.byteCount { break }
        guard case .length(let body, let count) = header(bytes, place) else {
          // What is cut off by the end of the bytes may be one.
          if case .incomplete = header(bytes, place), !isEnd { break search }
          at += 1
          continue search
        }
        if found < 2 && body + count > bytes.byteCount {
          if isEnd { at += 1 } else { break search }
          continue search
        }
        place = behind(bytes, body + count)
      }
      isLost = false
      return at > start ? .skip(at) : next(in: bytes, from: at, isEnd: isEnd)
    }
    return at > start ? .skip(at) : .incomplete
  }

  /// The length that is written at a place, if a text begins behind it.
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
    while at < bytes.byteCount, bytes.byte(at: at) &- 0x30 < 10, at - start < 9 {
      length = length * 10 + Int(bytes.byte(at: at) - 0x30)
      at += 1
    }
    if at == bytes.byteCount { return .incomplete }
    guard at > start else { return .none }
    while at < bytes.byteCount, [0x0D, 0x0A, 0x3A, 0x20].contains(bytes.byte(at: at)) { at += 1 }
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
    while let end = bytes.firstIndex(of: 0x0A, from: at) {
      let line = String(
        decoding: bytes.extracting(at..<end).copied(), as: Unicode.UTF8.self
      ).lowercased().filter { $0 != " " && !$0.isNewline }
      at = end + 1
      if line.isEmpty { return length.map { begun(bytes, at, $0) } ?? .none }
      if line.hasPrefix("content-length:") { length = Int(line.dropFirst(15)) }
    }
    return bytes.byteCount - start > Self.longestHead ? .none : .incomplete
  }
}
