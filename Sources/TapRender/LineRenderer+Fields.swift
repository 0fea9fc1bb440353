// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The parts of a line that need little of the renderer: notes, what the application has put into
/// the message, and the latency.
extension LineRenderer {
  // Static, here and below: a renderer is large, and would be copied for each call.

  static func about(_ message: Message, _ line: inout LineFields, _ text: inout TextBuffer) {
    if message.about.utf8CodeUnitCount == 0 { return }
    line.separate(&text)
    text.append(message.about)
    line.isGlued = true
  }

  static func append(
    text words: RawSpan, of message: Message, _ line: inout LineFields, _ text: inout TextBuffer
  ) {
    if message.traits.contains(.isQuoted) {
      if !UnquotedText.append(words, to: &text) { line.isSimple = false }
    } else {
      line.append(escaping: words, &text)
    }
  }

  /// Notes of one kind, each under its word.
  static func texts(
    _ kind: Note.Kind, of message: Message, _ view: MessageView, isCut: Bool,
    _ line: inout LineFields,
    _ text: inout TextBuffer
  ) {
    let isInferred = kind == .id && message.traits.contains(.isInferred)
    var last: Symbol = ""
    for index in view.notes.indices where view.notes[index].kind == kind {
      let note = view.notes[index]
      if last.utf8CodeUnitCount > 0 && last.utf8Start == note.word.utf8Start {
        text.append(", ")
      } else {
        line.separate(&text)
        if isInferred { text.append(byte: UInt8(ascii: "~")) }
        if note.word.utf8CodeUnitCount > 0 {
          text.append(symbol: note.word)
          text.append(byte: .space)
        }
      }
      let words = view.bytes[note.range]
      if kind == .id && isCut && words.byteCount > longestTextID {
        line.isSimple = false
        ShortenedID.append(words, to: &text)
      } else {
        append(text: words, of: message, &line, &text)
      }
      last = note.word
    }
  }

  /// - Parameter most: bytes of it that are shown.
  static func payload(
    _ message: Message, _ bytes: RawSpan, most: Int, _ line: inout LineFields,
    _ text: inout TextBuffer
  ) {
    if message.payload.count + message.keywords.count > most {
      return short(message, bytes, most: most, &line, &text)
    }
    if !message.payload.isEmpty {
      line.separate(&text)
      let isSequence = message.traits.contains(.isSequence)
      if isSequence { text.append(byte: .openBracket) }
      append(part: bytes[message.payload], message, &line, &text)
      if isSequence { text.append(byte: .closeBracket) }
    }
    if !message.keywords.isEmpty {
      line.isGlued = !message.payload.isEmpty
      line.separate(&text)
      append(part: bytes[message.keywords], message, &line, &text)
    }
  }

  /// The beginning of a payload that is longer than asked for.
  private static func short(
    _ message: Message, _ bytes: RawSpan, most: Int, _ line: inout LineFields,
    _ text: inout TextBuffer
  ) {
    line.separate(&text)
    line.isSimple = false
    var left = most
    for part in [message.payload, message.keywords] where !part.isEmpty && left > 0 {
      if left < most { text.append(byte: .space) }
      let begin = text.count
      append(part: bytes[part], message, &line, &text)
      TextLayout.truncate(&text, wholeCharacters: min(text.count, begin + left))
      left -= text.count - begin
    }
    text.append("… (")
    text.append(grouped: UInt64(message.payload.count + message.keywords.count))
    text.append(" bytes)")
  }

  @inline(__always)
  private static func append(
    part: RawSpan, _ message: Message, _ line: inout LineFields, _ text: inout TextBuffer
  ) {
    let traits = message.traits
    if traits.contains([.isJSON, .isCompact, .isPlain]), !traits.isRewritten,
      traits.contains(.isUnescaped) || !BinaryValue.mayBe(in: part, of: message.dialect)
    {
      return text.append(part)
    }
    if traits.isRewritten {
      if !PayloadText.append(rewritten: part, traits, to: &text) { line.isSimple = false }
      return
    }
    line.isSimple = false
    if traits.contains(.isJSON) {
      BinaryValue.appendAll(in: part, of: message.dialect, to: &text) {
        CompactJSON.append($0, to: &$1)
      }
    } else if traits.contains(.isText) || traits.contains(.isControl) {
      text.append(escaping: part)
    } else {
      text.append(octets: part, most: 32)
    }
  }

  /// Cuts a line to the width, and puts the latency at its end.
  static func end(
    from begin: Int, with latency: LatencyField, _ line: LineFields, _ width: Int?,
    _ text: inout TextBuffer
  ) {
    guard latency.nanoseconds >= 0 else {
      if let width { TextLayout.elide(&text, from: begin, to: width) }
      return
    }
    let column = min(latencyColumn, width ?? latencyColumn)
    if line.isSimple, latency.precision > 1, let size = Latency.columns(latency.nanoseconds) {
      let used = text.count &- begin &- line.extra &+ size
      if used &+ 2 <= width ?? .max {
        text.append(spaces: max(2, column &- used))
        return latency.append(to: &text)
      }
    }
    var end = text.count
    latency.append(to: &text)
    if let width, text.bytes.columns(from: begin) + 2 > width {
      let size = text.bytes.columns(from: end)
      text.truncate(end)
      TextLayout.elide(&text, from: begin, to: width - size - 2)
      end = text.count
      latency.append(to: &text)
    }
    let used = text.bytes.columns(from: begin)
    text.insert(spaces: max(2, column - used), at: end)
  }
}

/// How long an answer took, as it stands at the end of a line.
struct LatencyField {
  /// Negative for a message that is no answer.
  let nanoseconds: Int64
  /// Decimal digits of the clock.
  let precision: UInt8
  let style: Style

  @inline(__always)
  func append(to text: inout TextBuffer) {
    style.begin(nanoseconds < 1_000_000_000 ? .dim : .warning, &text)
    Latency.append(nanoseconds, precision, to: &text)
    style.end(&text)
  }
}
