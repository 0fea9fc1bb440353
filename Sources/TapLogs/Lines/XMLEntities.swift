// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Replaces the entities in a document of XML that begins with its declaration, as reports of tests
/// do (XML 1.0 §2.4, §2.8, §4.6): lines that a program has printed are as they were then. Tags,
/// comments and CDATA sections stay as they are, and so does any other text.
struct XMLEntities {
  private enum State {
    /// So many bytes of the declaration have come.
    case declaration(Int)
    /// It is another text.
    case other
    case text
    /// Behind an ampersand.
    case entity
    /// Behind `<`, until it shows what that begins.
    case markup
    /// In a tag, and in quotes of it; 0 for none.
    case tag(quote: UInt8)
    case comment
    case section
  }

  private static let declaration: StaticString = "<?xml "
  private static let comment: StaticString = "!--"
  private static let section: StaticString = "![CDATA["
  /// The longest entity that is replaced: `&#1114111;`.
  private static let longest = 10

  private var state = State.declaration(0)
  /// The entity so far, or what stands behind `<`.
  private var pending = Scratch()
  /// The last bytes of a comment or of a section.
  private var last: UInt32 = 0

  /// Whether the text is, or may be, a document of XML.
  var mayReplace: Bool {
    if case .other = state { return false }
    return true
  }

  /// Whether it is one.
  var isDocument: Bool {
    switch state {
    case .declaration, .other: false
    default: true
    }
  }

  /// Appends what comes next, as far as it is known what it stands for.
  mutating func replace(_ chunk: RawSpan, into text: inout Scratch) {
    var at = 0
    while at < chunk.byteCount {
      switch state {
      case .other:
        text.append(chunk.dropping(at))
        return
      case .text:
        let next = chunk.firstIndex(ofAny: 0x263C_263C_263C_263C, from: at)
        text.append(chunk.extracting(at..<next))
        if next == chunk.byteCount { return }
        pending.removeAll()
        state = chunk.byte(at: next) == UInt8(ascii: "<") ? .markup : .entity
        if case .markup = state { text.append(UInt8(ascii: "<")) } else { pending.append(0x26) }
        at = next + 1
      case .entity:
        if take(ofEntity: chunk.byte(at: at), &text) { at += 1 }
      default:
        take(ofMarkup: chunk.byte(at: at))
        text.append(chunk.byte(at: at))
        at += 1
      }
    }
  }

  /// Appends what was waited for: nothing more comes.
  mutating func finish(into text: inout Scratch) {
    if case .entity = state { text.append(pending.bytes) }
    self = XMLEntities()
  }

  /// - Returns: whether the byte is of the entity, or ends it.
  private mutating func take(ofEntity byte: UInt8, _ text: inout Scratch) -> Bool {
    let isEnd = byte == UInt8(ascii: ";")
    let mayGoOn = byte.isAlpha || byte.isDigit || byte == UInt8(ascii: "#")
    guard isEnd || mayGoOn && pending.count < Self.longest else {
      text.append(pending.bytes)
      state = .text
      return false
    }
    pending.append(byte)
    if isEnd {
      let count = text.count
      _ = XMLText.replace(pending.bytes, 0, &text)
      // The line goes on: what it stands for must not end it.
      if text.count == count + 1, text.bytes.byte(at: count) < 0x20 {
        text.truncate(count)
        text.append(pending.bytes)
      }
      state = .text
    }
    return true
  }

  private mutating func take(ofMarkup byte: UInt8) {
    switch state {
    case .declaration(let count):
      guard byte == Self.declaration.utf8Start[count] else { return state = .other }
      let isAll = count + 1 == Self.declaration.utf8CodeUnitCount
      state = isAll ? .tag(quote: 0) : .declaration(count + 1)
    case .markup:
      pending.append(byte)
      if pending.bytes.equals(Self.comment) {
        (state, last) = (.comment, 0)
      } else if pending.bytes.equals(Self.section) {
        (state, last) = (.section, 0)
      } else if !Self.begins(Self.comment, with: pending.bytes),
        !Self.begins(Self.section, with: pending.bytes)
      {
        // `a < b` begins no tag.
        let first = pending.bytes.byte(at: 0)
        let isTag = first.isAlpha || first >= 0x80 || "/?!_".utf8.contains(first)
        state = isTag && byte != UInt8(ascii: ">") ? .tag(quote: 0) : .text
      }
    case .tag(let quote):
      if quote == 0 {
        if byte == UInt8(ascii: ">") { state = .text }
        if byte == .quote || byte == .apostrophe { state = .tag(quote: byte) }
      } else if byte == quote {
        state = .tag(quote: 0)
      }
    case .comment, .section:
      last = last << 8 | UInt32(byte)
      if case .comment = state, last & 0xFF_FFFF == 0x2D2D3E { state = .text }
      if case .section = state, last & 0xFF_FFFF == 0x5D5D3E { state = .text }
    case .other, .text, .entity: break
    }
  }

  private static func begins(_ word: StaticString, with bytes: RawSpan) -> Bool {
    bytes.byteCount < word.utf8CodeUnitCount
      && (0..<bytes.byteCount).allSatisfy { bytes.byte(at: $0) == word.utf8Start[$0] }
  }
}
