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
  /// One member, by its key and its value.
  struct Member {
    var key: ByteRange
    var value: JSONElement
    fileprivate var rank: Int
  }

  private(set) var kind: Member?
  private(set) var id: Member?
  private(set) var reply: Member?
  private(set) var subject: Member?
  private(set) var isFailure = false

  /// - Parameter object: a JSON object that was scanned without a problem.
  init(_ object: ByteRange, _ bytes: RawSpan) {
    var at = object.start + 1
    let inside = bytes.extracting(0..<object.end)
    // Members behind these are payload.
    var left = 64
    while left > 0, let member = JSON.next(inside, &at, inObject: true) {
      left -= 1
      let value = member.value
      guard let name = Name(bytes[member.key]) else { continue }
      if value.kind == .object {
        if name.is("error") { isFailure = true }
        continue
      }
      if name.is("success") || name.is("ok") { isFailure = isFailure || value.kind == .no }
      if name.is("error") { isFailure = isFailure || value.kind == .string }
      if Self.isWord(value, bytes) {
        Self.choose(&kind, member, name.rank(in: Self.kinds))
        if value.kind == .string { Self.choose(&subject, member, name.rank(in: Self.subjects)) }
      }
      if Self.isKey(value) {
        Self.choose(&id, member, name.rank(in: Self.ids))
        Self.choose(&reply, member, name.rank(in: Self.replies))
      }
    }
    guard let kind else { return }
    // What says of which kind it is does not say what it is about.
    if subject?.value.range.start == kind.value.range.start {
      subject = nil
      subject = Self.subject(of: object, but: kind, bytes)
    }
    if kind.value.kind == .string {
      let word = bytes[kind.value.content]
      let failures: [StaticString] = ["error", "nack", "fail", "failed"]
      if failures.contains(where: { word.equals($0) }) { isFailure = true }
    }
  }

  private static func subject(
    of object: ByteRange, but kind: Member, _ bytes: RawSpan
  ) -> Member? {
    var found: Member?
    var at = object.start + 1
    let inside = bytes.extracting(0..<object.end)
    while let member = JSON.next(inside, &at, inObject: true) {
      guard member.value.kind == .string, member.key.start != kind.key.start,
        let name = Name(bytes[member.key]), isWord(member.value, bytes)
      else { continue }
      choose(&found, member, name.rank(in: subjects))
    }
    return found
  }

  private static func choose(_ place: inout Member?, _ member: JSON.Member, _ rank: Int?) {
    guard let rank, rank < place?.rank ?? .max else { return }
    place = Member(key: member.key, value: member.value, rank: rank)
  }

  /// Whether a value may say what a message is: a short text without blanks, or a small number.
  private static func isWord(_ value: JSONElement, _ bytes: RawSpan) -> Bool {
    if value.kind == .natural { return value.range.count <= 5 }
    guard value.kind == .string, 1...48 ~= value.content.count else { return false }
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

  /// The name of a member without case, `_` and `-`, in one word; nil for what is too long to be
  /// one of those above.
  private struct Name {
    private var letters: (UInt64, UInt64) = (0, 0)

    init?(_ key: RawSpan) {
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

    func `is`(_ text: StaticString) -> Bool { letters == Name(text).letters }

    func rank(in names: [StaticString]) -> Int? { names.firstIndex { self.is($0) } }
  }
}
