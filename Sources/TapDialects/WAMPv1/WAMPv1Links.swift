// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The ids, subject and payload of each WAMP v1 message type.
enum WAMPv1Links {
  enum Space {
    static let call: UInt8 = 2
    static let topic: UInt8 = 5
  }

  static func declare(
    _ array: WAMPv1Array, _ bytes: RawSpan, _ message: inout Message,
    _ notes: inout ContiguousArray<Note>
  ) {
    if array.code != 2 { message.traits.insert(.isSingle) }
    func fact(_ word: StaticString, _ range: ByteRange) {
      if !range.isEmpty { notes.append(Note(.fact, Symbol(word), range)) }
    }
    func id(_ word: Symbol) {
      // Only a string can be shown as an id.
      if array.count > 1, array[1].kind == .string {
        notes.append(Note(.id, word, array.string(1)))
      }
    }
    switch array.code {
    case 0:
      id("session")
      fact("version", array.range(2))
      fact("server", array.string(3))
    case 1:
      id("prefix")
      message.subject = array.string(2)
    case 2:
      call(array, bytes, .opens, &message, &notes)
      message.subject = array.string(2)
      message.payload = array.ranges(from: 3, bytes)
      message.traits.insert(.isSequence)
    case 3:
      call(array, bytes, .answers, &message, &notes)
      message.payload = array.range(2)
    case 4:
      call(array, bytes, .answers, &message, &notes)
      message.reason = array.string(2)
      message.traits.insert(.isFailure)
      message.payload = array.range(3)
      message.keywords = array.range(4)
    case 7:
      message.subject = array.string(1)
      message.payload = array.range(2)
      if array.count > 3 {
        let isList = array[3].kind == .array
        fact(isList ? "exclude" : "excludeMe", array.range(3))
        fact("eligible", array.range(4))
      }
    default:
      message.subject = array.string(1)
      message.payload = array.range(2)
    }
  }

  /// Call ids are strings of any length, so their fingerprint is the key.
  private static func call(
    _ array: WAMPv1Array, _ bytes: RawSpan, _ role: Link.Role, _ message: inout Message,
    _ notes: inout ContiguousArray<Note>
  ) {
    guard array.count > 1, array[1].kind == .string else { return }
    let id = array.string(1)
    notes.append(Note(.id, "call", id))
    message.first = Link(role, "", fingerprint(of: bytes[id]), space: Space.call)
  }

  private static func fingerprint(of id: RawSpan) -> UInt64 {
    if id.firstIndex(of: .backslash) == nil { return id.fingerprint }
    return JSON.unescaped(id).span.bytes.fingerprint
  }
}
