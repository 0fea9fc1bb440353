// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// What the members of an application's JSON are for, as far as their names say: its kind, the id
/// of a question, what an answer refers to, and what it is about.
struct JSONRoles {
  /// What a message is, most usual first. Compared without case, `_` and `-`.
  static let kinds: [StaticString] = [
    "type", "event", "action", "op", "opcode", "cmd", "command", "method", "msg", "kind",
    "messagetype", "msgtype", "eventname", "route",
  ]
  /// The id of a question, which its answer repeats.
  static let ids: [StaticString] = [
    "id", "requestid", "reqid", "cid", "correlationid", "messageid", "msgid", "callid",
    "transactionid", "uuid", "ref",
  ]
  /// What an answer calls the id of its question, where it has an id of its own.
  static let replies: [StaticString] = [
    "replyto", "inreplyto", "responseto", "requestid", "requestseq", "ack", "rid", "re",
  ]
  /// What it is about.
  static let subjects: [StaticString] = [
    "topic", "channel", "room", "subject", "path", "uri", "target", "cmd", "command", "method",
    "event", "action",
  ]
  /// Places among the members.
  private(set) var kind: Int?
  private(set) var id: Int?
  private(set) var reply: Int?
  private(set) var subject: Int?
  private(set) var isFailure = false

  /// Members behind these are payload.
  private static let mostMembers = 64

  /// The most usual member so far for some role.
  private struct Choice {
    var rank = Ranks.none
    var place: Int?

    mutating func offer(_ place: Int, _ rank: UInt8) {
      if rank < self.rank { (self.rank, self.place) = (rank, place) }
    }
  }

  /// - Parameter members: those of the message.
  init(_ members: borrowing WorkingList<JSON.Member>, _ bytes: RawSpan) {
    // What it is about, in case that the first turns out to say of which kind it is.
    var (kind, id, reply, subject, second) = (Choice(), Choice(), Choice(), Choice(), Choice())
    let table = Self.table
    for place in 0..<min(members.count, Self.mostMembers) {
      guard let name = Name.of(members[place].key, bytes), let ranks = table[name] else { continue }
      let value = members[place].value
      switch ranks.outcome {
      case .none: break
      case .error: isFailure = isFailure || value.kind == .object || value.kind == .string
      case .success: isFailure = isFailure || value.kind == .no
      }
      if value.kind == .object { continue }
      if min(ranks.kind, ranks.subject) < Ranks.none, Self.isWord(value, bytes) {
        kind.offer(place, ranks.kind)
        if value.kind == .string {
          if ranks.subject < subject.rank {
            (second, subject) = (subject, Choice(rank: ranks.subject, place: place))
          } else {
            second.offer(place, ranks.subject)
          }
        }
      }
      if min(ranks.id, ranks.reply) < Ranks.none, Self.isKey(value) {
        id.offer(place, ranks.id)
        reply.offer(place, ranks.reply)
      }
    }
    // What says of which kind it is does not say what it is about.
    if kind.place != nil && subject.place == kind.place { subject = second }
    (self.kind, self.id, self.reply, self.subject) = (
      kind.place, id.place, reply.place, subject.place
    )
    guard let place = kind.place, members[place].value.kind == .string else { return }
    if Self.isFailure(bytes[members[place].value.content]) { isFailure = true }
  }

  /// Whether a kind of this name reports that something failed.
  private static func isFailure(_ kind: RawSpan) -> Bool {
    switch kind.byteCount {
    case 4: kind.equals("nack") || kind.equals("fail")
    case 5: kind.equals("error")
    case 6: kind.equals("failed")
    default: false
    }
  }

  /// Whether a value may say what a message is: a short text without blanks, or a small number.
  private static func isWord(_ value: JSONElement, _ bytes: RawSpan) -> Bool {
    if value.kind == .natural { return value.range.count <= 5 }
    guard value.kind == .string, 1...48 ~= value.content.count else { return false }
    let (start, count) = (value.content.start, value.content.count)
    if count <= 16, start + 16 <= bytes.byteCount {
      let odd = bytes.unplainLanes(unchecked: start) | bytes.equalLanes(0x20, unchecked: start)
      return odd & ((1 << UInt32(count)) - 1) == 0
    }
    let text = bytes[value.content]
    for at in 0..<text.byteCount {
      switch text.byte(at: at) {
      case 0x22, 0x5C, 0...0x20, 0x7F...0xFF: return false
      default: continue
      }
    }
    return true
  }

  private static func isKey(_ value: JSONElement) -> Bool {
    value.kind == .natural || value.kind == .string && 1...128 ~= value.content.count
  }

  /// What a member of some name may be for, each with how usual that is, 0 the most.
  private struct Ranks: BitwiseCopyable {
    enum Outcome: BitwiseCopyable { case none, error, success }
    static let none = UInt8.max
    var kind = none
    var id = none
    var reply = none
    var subject = none
    var outcome = Outcome.none
  }

  private static let table: Table = {
    var table = Table()
    func add(_ names: [StaticString], _ set: (inout Ranks, UInt8) -> Void) {
      for (rank, name) in names.enumerated() {
        set(&table[Name(name), default: Ranks()], UInt8(rank))
      }
    }
    add(kinds) { $0.kind = $1 }
    add(ids) { $0.id = $1 }
    add(replies) { $0.reply = $1 }
    add(subjects) { $0.subject = $1 }
    table[Name("error"), default: Ranks()].outcome = .error
    for name in ["success", "ok"] as [StaticString] {
      table[Name(name), default: Ranks()].outcome = .success
    }
    return table
  }()

  /// By name, without the price of a seeded hash: its names are ours.
  private struct Table {
    private var slots = [(name: Name, ranks: Ranks)?](repeating: nil, count: 256)

    subscript(name: Name) -> Ranks? {
      slots[place(of: name)]?.ranks
    }

    subscript(name: Name, default ranks: Ranks) -> Ranks {
      get { slots[place(of: name)]?.ranks ?? ranks }
      set { slots[place(of: name)] = (name, newValue) }
    }

    /// Where it is, or would be.
    private func place(of name: Name) -> Int {
      var place = name.hash & 255
      while let found = slots[place], found.name != name { place = (place + 1) & 255 }
      return place
    }
  }

  /// The name of a member without case, `_` and `-`, in one word; nil for what is too long to be
  /// one of those above.
  private struct Name: Equatable {
    private var letters: (UInt64, UInt64) = (0, 0)

    private init(letters: UInt64) { self.letters.1 = letters }

    @inline(__always)
    static func of(_ range: ByteRange, _ bytes: RawSpan) -> Name? {
      let count = range.count
      if count &- 1 < 8, range.start &+ 8 <= bytes.byteCount {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var word = bytes.word(unchecked: range.start) &<< UInt64(truncatingIfNeeded: 64 - count * 8)
        let (dashes, lines) = (word ^ (ones &* 0x2D), word ^ (ones &* 0x5F))
        let ignored = ((dashes &- ones) & ~dashes | (lines &- ones) & ~lines) & tops
        if ignored == 0 {
          // Capitals, of each byte by itself: no sum passes its top bit.
          let low = word & ~tops
          let capitals = (low &+ (ones &* 0x3F)) & ~(low &+ (ones &* 0x25)) & ~word & tops
          word |= capitals &>> 2
          return Name(letters: word.byteSwapped)
        }
      }
      return Name(spelled: bytes[range])
    }

    private init?(spelled key: RawSpan) {
      if key.byteCount > 24 { return nil }
      var count = 0
      for at in 0..<key.byteCount {
        let byte = key.byte(at: at)
        if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { continue }
        guard count < 16 else { return nil }
        append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        count += 1
      }
    }

    init(_ text: StaticString) {
      text.withUTF8Buffer { for byte in $0 { append(byte) } }
    }

    private mutating func append(_ byte: UInt8) {
      letters = (letters.0 << 8 | letters.1 >> 56, letters.1 << 8 | UInt64(byte))
    }

    static func == (left: Name, right: Name) -> Bool { left.letters == right.letters }

    var hash: Int {
      Int(truncatingIfNeeded: ((letters.0 ^ letters.1) &* 0x9E37_79B9_7F4A_7C15) >> 48)
    }
  }
}
