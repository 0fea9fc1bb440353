// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Replaces credentials by tokens, ahead of every renderer, so that none can forget to. The same
/// secret gets the same token; a token says nothing of what it stands for.
struct Masker {
  private var known: Interner
  private var out = Scratch()
  private var ranges = ContiguousArray<Note>()
  private let limit: Int

  init(limits: Limits) {
    known = Interner(maximumBytes: limits.subjectBytes)
    limit = limits.secrets
  }

  static func needsMasking(_ notes: Span<Note>) -> Bool {
    for index in notes.indices where notes[index].kind != .fact { return true }
    return false
  }

  /// Calls `body` with the message as it may be shown: bytes, ranges and notes changed together.
  mutating func mask(
    _ message: Message, _ bytes: RawSpan, _ notes: Span<Note>,
    _ body: (Message, RawSpan, Span<Note>) -> Void
  ) {
    ranges.removeAll(keepingCapacity: true)
    for index in notes.indices where notes[index].kind != .fact { ranges.append(notes[index]) }
    ranges.sort { $0.range.start < $1.range.start }
    var moves = ContiguousArray<(from: ByteRange, to: ByteRange)>()
    out.removeAll()
    var done = 0
    for note in ranges where note.range.start >= done {
      out.append(bytes.extracting(done..<note.range.start))
      let start = out.count
      append(token: note, bytes)
      moves.append((note.range, ByteRange(start, out.count)))
      done = note.range.end
    }
    out.append(bytes.dropping(done))
    func moved(_ offset: Int) -> Int {
      var shift = 0
      for move in moves {
        if offset <= move.from.start { break }
        if offset < move.from.end { return move.to.end }
        shift = move.to.end - move.from.end
      }
      return offset + shift
    }
    func moved(_ range: ByteRange) -> ByteRange {
      range.isEmpty ? range : ByteRange(moved(range.start), moved(range.end))
    }
    var shown = message
    shown.subject = moved(message.subject)
    shown.realm = moved(message.realm)
    shown.reason = moved(message.reason)
    shown.payload = moved(message.payload)
    shown.keywords = moved(message.keywords)
    var shownNotes = ContiguousArray<Note>()
    for index in notes.indices {
      shownNotes.append(Note(notes[index].kind, notes[index].word, moved(notes[index].range)))
    }
    body(shown, out.bytes, shownNotes.span)
  }

  private mutating func append(token note: Note, _ bytes: RawSpan) {
    let secret = bytes[note.range]
    switch note.kind {
    case .fact: out.append(secret)
    case .secret:
      // A value that is no string stands without quotes, so the token brings its own.
      let isBare = note.word.utf8CodeUnitCount == 6 && note.word.description == "number"
      if isBare { out.append(0x22) }
      out.append("<secret-\(number(secret))>")
      if isBare { out.append(0x22) }
    case .nonce: out.append("<secret-\(number(secret)), \(secret.byteCount) characters>")
    case .bulk: out.append("\"<\(note.word), \(secret.byteCount) bytes>\"")
    case .shortened:
      out.append(secret.extracting(0..<min(8, secret.byteCount)))
      if secret.byteCount > 8 { out.append("…") }
    }
  }

  /// Numbers in order of appearance; one number for all when there are too many.
  private mutating func number(_ secret: RawSpan) -> Int32 {
    known.count >= limit ? 0 : known.number(of: secret)
  }
}
