// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Replaces credentials by tokens before any renderer sees them: in messages, openings, heads,
/// findings, closing reasons, subjects and the lines of `--context`. The same secret always gets
/// the same token, which reveals nothing of it.
///
/// Credentials are identified in three ways. The dialect notes those that its protocol defines
/// (`Note.secret`). Names such as `password` mark the values beside them (`CredentialFinder` in
/// JSON and forms, `BinaryCredentials`, `URLCredentials`, and `HiddenCredentials` where bytes are
/// unknown); a text is searched for names only where `NameEndings` finds a possible one.
/// `KnownSecrets` finds secrets that were masked before in words: findings, reasons and lines of a
/// log. A message of unknown type that may be a login is withheld. A names file adds and removes
/// rules (`MaskRule`). `MaskingGuide` is the list for people; `SecretLossTests` and `MaskingFuzz`
/// damage sessions with known credentials.
struct Masker {
  /// A message with its credentials replaced: bytes, ranges and notes are adjusted together.
  struct Masked {
    var message: Message
    var bytes = Scratch()
    var notes = ContiguousArray<Note>()
  }

  var known: KnownSecrets

  /// The names that mark the values beside them as credentials.
  let names: CredentialNames

  init(_ names: CredentialNames, limits: Limits) {
    self.names = names
    known = KnownSecrets(limits: limits)
  }

  static func needsMasking(_ notes: Span<Note>) -> Bool {
    for index in notes.indices where !notes[index].isOpen { return true }
    return false
  }

  mutating func mask(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) -> Masked {
    var secrets = ContiguousArray<Note>()
    for index in notes.indices where !notes[index].isOpen { secrets.append(notes[index]) }
    // An enclosing range comes before the ranges inside it.
    secrets.sort { ($0.range.start, $1.range.end) < ($1.range.start, $0.range.end) }
    var masked = Masked(message: message)
    var moves = ContiguousArray<(from: ByteRange, to: ByteRange)>()
    var done = 0
    for note in secrets where note.range.start >= done {
      masked.bytes.append(bytes.extracting(done..<note.range.start))
      let start = masked.bytes.count
      append(token: note, bytes, isPartial: message.traits.contains(.isPartial), to: &masked.bytes)
      moves.append((note.range, ByteRange(start, masked.bytes.count)))
      done = note.range.end
    }
    masked.bytes.append(bytes.dropping(done))
    func moved(_ offset: Int) -> Int {
      // Binary search, as there may be very many: the last move that begins before the offset.
      var (low, high) = (0, moves.count)
      while low < high {
        let middle = (low + high) / 2
        if moves[middle].from.start < offset { low = middle + 1 } else { high = middle }
      }
      guard low > 0 else { return offset }
      let move = moves[low - 1]
      return offset < move.from.end ? move.to.end : offset + move.to.end - move.from.end
    }
    func moved(_ range: ByteRange) -> ByteRange {
      ByteRange(moved(range.start), moved(range.end))
    }
    // A message that is withheld as a whole becomes a plain text, the token.
    if let first = secrets.first, first.kind == .bulk, first.range.count == bytes.byteCount {
      masked.message.traits = message.traits.intersection(.isUnclaimed).union(.isText)
      if !message.traits.isDisjoint(with: [.isPartial, .hidesText]) {
        masked.message.traits.insert(.hidesText)
      }
      if masked.bytes.bytes.byte(at: 0) == UInt8(ascii: "\"") {
        masked.bytes.removeFirst(1)
        masked.bytes.truncate(masked.bytes.count - 1)
      }
      moves[0].to = ByteRange(0, masked.bytes.count)
    }
    masked.message.subject = moved(message.subject)
    masked.message.realm = moved(message.realm)
    masked.message.reason = moved(message.reason)
    masked.message.payload = moved(message.payload)
    masked.message.keywords = moved(message.keywords)
    for index in notes.indices {
      let note = notes[index]
      masked.notes.append(Note(note.kind, note.word, moved(note.range)))
    }
    return masked
  }

  private mutating func append(
    token note: Note, _ bytes: RawSpan, isPartial: Bool, to out: inout Scratch
  ) {
    let secret = bytes[note.range]
    switch note.kind {
    case .fact, .explanation, .id, .reference: out.append(secret)
    case .secret:
      // A value that is not a string has no quotes, so the token brings its own.
      let isBare = note.word.equals("number") || note.word.equals("value")
      if isBare { out.append(.quote) }
      if !keep(token: secret, in: &out) { out.append("<secret-\(number(secret))>") }
      if isBare { out.append(.quote) }
    case .nonce:
      if keep(token: secret, in: &out) { return }
      out.append("<secret-\(number(secret)), \(secret.byteCount) characters>")
    case .bulk:
      if let token = MaskedToken.bulk(secret, word: note.word) {
        out.append(token.span.bytes)
      } else {
        let count = secret.byteCount - (isPartial ? Self.marks(in: secret) : 0)
        // The withheld rest of a text is not a JSON value, so it gets no quotes.
        let quote = note.word.equals("withheld") ? "" : "\""
        out.append("\(quote)<\(note.word), \(count) bytes>\(quote)")
      }
    case .shortened:
      let kept = Self.beginning(of: secret)
      out.append(secret.extracting(0..<kept))
      if kept < secret.byteCount { out.append("…") }
    }
  }

  /// Each “·” takes two bytes but stands for one.
  private static func marks(in bytes: RawSpan) -> Int {
    var count = 0
    for at in 0..<bytes.byteCount where bytes.dropping(at).starts(with: "·") { count += 1 }
    return count
  }

  /// A token in the evidence, which this program wrote earlier, remains a token. It gets a number
  /// of this run and keeps the length that it states.
  private mutating func keep(token: RawSpan, in out: inout Scratch) -> Bool {
    if let rest = MaskedToken.bulk(token, word: "withheld") {
      out.append(rest.span.bytes)
      return true
    }
    guard let token = MaskedToken(token) else { return false }
    out.append("<secret-\(number(token.name.span.bytes))")
    out.append(token.rest.span.bytes)
    return true
  }

  /// How many bytes of a JSON string's content are shown: at most eight, without splitting an
  /// escape or a character.
  private static func beginning(of content: RawSpan) -> Int {
    var at = 0
    while at < content.byteCount {
      var length = UTF8.scalar(in: content, at: at)?.length ?? 1
      // What may be a surrogate pair (RFC 8259 §7) is too long in any case.
      if content.byte(at: at) == .backslash {
        length = at + 1 < content.byteCount && content.byte(at: at + 1) == UInt8(ascii: "u") ? 6 : 2
        if at + 2 < content.byteCount, length == 6,
          content.byte(at: at + 2) | 0x20 == UInt8(ascii: "d")
        {
          length = 12
        }
      }
      if at + length > 8 { return at }
      at += length
    }
    return content.byteCount
  }

  mutating func number(_ secret: RawSpan) -> Int32 { known.number(of: secret) }
}
