// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames
import TapTraffic

/// The payload of a message, and what names say of it.
struct Payload {
  private let message: Message
  private let bytes: [UInt8]

  /// - Parameters:
  ///   - list: the arguments by position; empty for none.
  ///   - keywords: those by name; empty for none.
  ///   - traits: of the message, where its arguments have no list around them.
  init(_ list: String, _ keywords: String = "", _ traits: Message.Traits = []) {
    var message = Message("wamp", "EVENT", Origin())
    let (list, keywords) = (Array(list.utf8), Array(keywords.utf8))
    let start = 3
    // Something stands around it, as in a real message.
    bytes = Array("[0,".utf8) + list + Array(",".utf8) + keywords + Array("]".utf8)
    if !list.isEmpty { message.payload = ByteRange(start, start + list.count) }
    if !keywords.isEmpty {
      message.keywords = ByteRange(start + list.count + 1, start + list.count + 1 + keywords.count)
    }
    message.traits = traits
    self.message = message
  }

  /// - Parameter subject: nil when it is not known.
  func names(_ names: Names, _ subject: String? = nil) -> [(field: String, name: String)] {
    var finder = NameFinder(names)
    return finder.namings(in: message, bytes.span.bytes, choice(&finder, subject)).map {
      (
        String(decoding: $0.field, as: Unicode.UTF8.self),
        String(decoding: $0.name, as: Unicode.UTF8.self)
      )
    }
  }

  /// What is to be masked, in the order in which it is found.
  func secrets(_ names: Names, _ subject: String? = nil) -> [String] {
    var finder = NameFinder(names)
    var notes = ContiguousArray<Note>()
    let choice = choice(&finder, subject)
    finder.noteSecrets(in: message, bytes.span.bytes, choice, into: &notes)
    return notes.map {
      String(decoding: bytes[$0.range.start..<$0.range.end], as: Unicode.UTF8.self)
    }
  }

  /// Twice: what is kept of a subject says the same.
  private func choice(_ finder: inout NameFinder, _ subject: String?) -> NameFinder.Choice {
    guard let subject = subject.map({ Array($0.utf8) }) else { return finder.choiceForUnknown }
    let first = finder.choice(for: subject.span.bytes, number: 3)
    let kept = finder.choice(for: [UInt8]().span.bytes, number: 3)
    return first == kept ? kept : finder.choiceForUnknown
  }
}
