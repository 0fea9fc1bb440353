// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The roles of an application's JSON members, guessed from their names: the kind of the message,
/// the id of a question, the reference of an answer, and the subject.
struct JSONRoles {
  /// Names of the message kind, most common first. Compared without case, `_` and `-`.
  static let kinds: [StaticString] = [
    "type", "event", "action", "op", "opcode", "cmd", "command", "method", "msg", "kind",
    "messagetype", "msgtype", "eventname", "route",
  ]
  /// Names of a question's id, which its answer repeats.
  static let ids: [StaticString] = [
    "id", "requestid", "reqid", "cid", "correlationid", "messageid", "msgid", "callid",
    "transactionid", "uuid", "ref", "seq",
  ]
  /// Names of the question's id in answers that have an id of their own. A question may have one of
  /// the last two as well.
  static let replies: [StaticString] = [
    "replyto", "inreplyto", "responseto", "requestid", "requestseq", "seqreply", "re", "ack",
    "rid",
  ]
  /// Names of the subject.
  static let subjects: [StaticString] = [
    "topic", "channel", "room", "subject", "path", "uri", "target", "cmd", "command", "method",
    "event", "action",
  ]
  /// Indices of the members.
  private(set) var kind: Int?
  private(set) var id: Int?
  private(set) var reply: Int?
  private(set) var subject: Int?
  /// The names of the id and the reply, each as a bit; that of a name which only answers have is 0.
  private(set) var (idName, replyName): (UInt16, UInt16) = (0, 0)
  /// Its id is a number called `seq`: many applications number all their messages so.
  private(set) var isCounted = false
  /// Its only id is one that only answers have.
  private(set) var isAnswerOnly = false
  private(set) var isFailure = false
  /// It says whether something failed, like an answer.
  private(set) var hasOutcome = false

  /// Members after these are taken as payload.
  private static let mostMembers = 64

  /// The best member so far for a role.
  private struct Choice {
    var rank = Ranks.none
    var place: Int?

    mutating func offer(_ place: Int, _ rank: UInt8) {
      if rank < self.rank { (self.rank, self.place) = (rank, place) }
    }
  }

  /// - Parameters:
  ///   - members: the members of the message.
  ///   - known: the member names of earlier messages.
  init(
    _ members: borrowing WorkingList<JSON.Member>, _ bytes: RawSpan, _ known: inout KnownNames
  ) {
    // `second` is the next best subject, used when the best one turns out to be the kind.
    var (kind, id, reply, subject, second) = (Choice(), Choice(), Choice(), Choice(), Choice())
    for place in 0..<min(members.count, Self.mostMembers) {
      let ranks = known.ranks(of: members[place].key, bytes)
      let value = members[place].value
      switch ranks.outcome {
      case .none: break
      case .error: isFailure = isFailure || Self.isFailure(value, bytes)
      case .success: isFailure = isFailure || value.kind == .no
      }
      if ranks.outcome != .none && value.kind != .null { hasOutcome = true }
      if value.kind == .object { continue }
      if ranks.isOfWord, Self.isWord(value, bytes) {
        // `std_msgs/String`, `image/png`: the type of what is inside.
        let isInner =
          ranks.kind == 0 && value.kind == .string
          && bytes[value.content].firstIndex(of: .slash) != nil
        kind.offer(place, isInner ? UInt8(Self.kinds.count) : ranks.kind)
        if value.kind == .string {
          if ranks.subject < subject.rank {
            (second, subject) = (subject, Choice(rank: ranks.subject, place: place))
          } else {
            second.offer(place, ranks.subject)
          }
        }
      }
      if ranks.isOfKey, Self.isKey(value) {
        id.offer(place, ranks.id)
        reply.offer(place, ranks.reply)
      }
    }
    // A member that names the kind is not the subject as well.
    if kind.place != nil && subject.place == kind.place { subject = second }
    (self.kind, self.id, self.reply, self.subject) = (
      kind.place, id.place, reply.place, subject.place
    )
    if id.place != nil { idName = 1 << UInt16(id.rank) }
    if reply.place != nil { replyName = Self.replyNames[Int(reply.rank)] }
    if let place = id.place {
      isCounted = id.rank == Self.ids.count - 1 && members[place].value.kind == .natural
    } else {
      isAnswerOnly = reply.rank < Self.replies.count - 2
    }
    guard let place = kind.place, members[place].value.kind == .string else { return }
    if Self.isFailure(bytes[members[place].value.content]) { isFailure = true }
  }

  /// The bit of each name of a reply: that of the same name of an id, or one of its own, where
  /// questions may have it as well.
  private static let replyNames: [UInt16] = replies.enumerated().map { place, name in
    if let id = ids.firstIndex(where: { Name($0) == Name(name) }) { return 1 << UInt16(id) }
    let own = place - (replies.count - 2)
    return own < 0 ? 0 : 1 << UInt16(14 + own)
  }

  /// Whether an object's id was abridged to `…`, so that it cannot be matched with an answer.
  static func lacksID(_ object: RawSpan) -> Bool {
    var members = JSON.Members(of: ByteRange(0, object.byteCount))
    while let member = members.next(object) {
      guard member.value.kind == .string, object[member.value.content].equals("…") else { continue }
      if ranks(of: member.key, object).isOfKey { return true }
    }
    return false
  }

  /// Whether the value of an error member is a failure: mpv has `"error":"success"` in each answer.
  private static func isFailure(_ error: JSONElement, _ bytes: RawSpan) -> Bool {
    error.kind == .object || error.kind == .string && !bytes[error.content].equals("success")
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

  /// Whether a value may be a message kind: a short text without blanks, or a small number.
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

  /// A cache of member names as spelled in earlier messages. An application uses few.
  struct KnownNames {
    /// A name of at most 16 bytes; the entry is free when `count` is 0.
    private struct Entry: BitwiseCopyable {
      var (first, last): (UInt64, UInt64) = (0, 0)
      var count = 0
      var ranks = Ranks()
    }

    private var entries = ContiguousArray(repeating: Entry(), count: 32)

    @inline(__always)
    fileprivate mutating func ranks(of key: ByteRange, _ bytes: RawSpan) -> Ranks {
      let (start, count) = (key.start, key.count)
      guard 1...16 ~= count, start &+ 8 <= bytes.byteCount else {
        return JSONRoles.ranks(of: key, bytes)
      }
      var (first, last) = (bytes.word(unchecked: start), 0 as UInt64)
      if count > 8 {
        last = bytes.word(unchecked: start &+ count &- 8)
      } else {
        first &<<= UInt64(truncatingIfNeeded: 64 - count * 8)
      }
      let place = Int(truncatingIfNeeded: ((first ^ last) &* 0x9E37_79B9_7F4A_7C15) >> 59)
      let entry = entries[place]
      if entry.first == first && entry.last == last && entry.count == count { return entry.ranks }
      let ranks = JSONRoles.ranks(of: key, bytes)
      entries[place] = Entry(first: first, last: last, count: count, ranks: ranks)
      return ranks
    }
  }

  @inline(never)
  private static func ranks(of key: ByteRange, _ bytes: RawSpan) -> Ranks {
    Name(spelled: bytes[key]).flatMap { table.ranks(of: $0) } ?? Ranks()
  }

  /// The roles that a name may have, each with its rank, 0 for the most common name.
  fileprivate struct Ranks: BitwiseCopyable {
    enum Outcome: BitwiseCopyable { case none, error, success }
    static let none = UInt8.max
    var kind = none
    var id = none
    var reply = none
    var subject = none
    var outcome = Outcome.none

    /// It may be a kind or a subject.
    var isOfWord: Bool { kind & subject != Self.none }
    /// It may be the id of a question.
    var isOfKey: Bool { id & reply != Self.none }
  }

  private static let table: Table = {
    var table = Table()
    func add(_ names: [StaticString], _ set: (inout Ranks, UInt8) -> Void) {
      for (rank, name) in names.enumerated() { table.change(Name(name)) { set(&$0, UInt8(rank)) } }
    }
    add(kinds) { $0.kind = $1 }
    add(ids) { $0.id = $1 }
    add(replies) { $0.reply = $1 }
    add(subjects) { $0.subject = $1 }
    table.change(Name("error")) { $0.outcome = .error }
    for name in ["success", "ok"] as [StaticString] {
      table.change(Name(name)) { $0.outcome = .success }
    }
    return table
  }()

  /// Keyed by name, without the cost of a seeded hash: all names are fixed, so nobody can cause
  /// collisions.
  private struct Table {
    private static let count = 256
    private var names = ContiguousArray(repeating: Name(""), count: count)
    private var ranks = ContiguousArray(repeating: Ranks(), count: count)

    /// Nil for a name without a role.
    func ranks(of name: Name) -> Ranks? {
      let place = place(of: name)
      return names[place] == name ? ranks[place] : nil
    }

    mutating func change(_ name: Name, _ change: (inout Ranks) -> Void) {
      let place = place(of: name)
      names[place] = name
      change(&ranks[place])
    }

    /// The index of a name, or where it would be inserted.
    private func place(of name: Name) -> Int {
      var place = name.hash & (Self.count - 1)
      while names[place] != name && names[place] != Name("") {
        place = (place + 1) & (Self.count - 1)
      }
      return place
    }
  }

  /// The name of a member without case, `_` and `-`, packed into 16 bytes; nil when it is too long
  /// for any known name.
  private struct Name: Equatable {
    private var letters: (UInt64, UInt64) = (0, 0)

    init?(spelled key: RawSpan) {
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
