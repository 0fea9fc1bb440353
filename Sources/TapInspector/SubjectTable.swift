// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapTraffic

/// The subjects of messages by number, and what to search for in messages about them.
struct SubjectTable {
  struct Concern: OptionSet {
    let rawValue: UInt8
    /// The messages may carry credentials.
    static let secrets = Concern(rawValue: 1)
    /// They may say what ids stand for.
    static let lessons = Concern(rawValue: 2)
    /// The subject itself has a credential in it: `com.example?token=…`.
    static let maskedName = Concern(rawValue: 4)
  }

  private(set) var names: Interner
  private let maximumBytes: Int
  private let credentials: CredentialNames
  /// By subject number.
  private var concerns = ContiguousArray<Concern>()
  /// The subject of the next message, until it is reported, where it is not in the message's bytes.
  private var apart: Int32 = 0

  init(_ credentials: CredentialNames, maximumBytes: Int) {
    (names, self.credentials) = (Interner(maximumBytes: maximumBytes), credentials)
    self.maximumBytes = maximumBytes
  }

  /// The total length of all subjects in bytes.
  var bytes: Int { names.bytes }

  /// The number of a subject; 0 when it is empty or there is no room for it.
  mutating func number(of subject: RawSpan) -> Int32 { names.number(of: subject) }

  /// Sets the subject of the next message, which is not in its bytes.
  mutating func setNext(_ subject: RawSpan) { apart = names.number(of: subject) }

  /// The number of a subject in a message, with escapes resolved; nil when there is no room.
  ///
  /// - Parameter isUnescaped: the subject is known to have no escapes.
  @inline(__always)
  mutating func number(
    _ range: ByteRange, _ bytes: RawSpan, isUnescaped: Bool = false
  ) -> Int32? {
    if range.isEmpty {
      if apart == 0 { return 0 }
      defer { apart = 0 }
      return apart
    }
    let span = bytes[range]
    if isUnescaped || span.firstIndex(of: .backslash) == nil {
      let number = names.number(of: span)
      return number == 0 ? nil : number
    }
    let plain = JSON.unescaped(span)
    let number = names.number(of: plain.span.bytes)
    return number == 0 && !plain.isEmpty ? nil : number
  }

  /// Forgets all subjects but those that `keep` asks for, and renumbers these.
  mutating func renew(_ keep: ((Int32) -> Int32) -> Void) {
    let old = names
    var fresh = Interner(maximumBytes: maximumBytes)
    keep { $0 == 0 ? 0 : fresh.number(of: old[$0]) }
    names = fresh
    concerns.removeAll()
  }

  mutating func concern(_ number: Int32) -> Concern {
    let place = Int(number)
    while concerns.count <= place {
      concerns.append(concern(ofNew: Int32(truncatingIfNeeded: concerns.count)))
    }
    return concerns[place]
  }

  private func concern(ofNew number: Int32) -> Concern {
    var concern: Concern = []
    for dialect in Dialects.all {
      if dialect.isSensitive(subject: names[number]) { concern.insert(.secrets) }
      if dialect.isLesson(subject: names[number]) { concern.insert(.lessons) }
    }
    let isMasked =
      CredentialFinder.isAny(in: names[number], .text, credentials)
      || !URLCredentials.ranges(inText: names[number].copied()).isEmpty
    if isMasked { concern.insert(.maskedName) }
    return concern
  }
}
