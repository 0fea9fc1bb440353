// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The details of HELLO or WELCOME. Many rules need their members, so these are located once, when
/// the message is read.
struct WAMPDetails {
  /// A position in the list of members.
  struct Step {
    fileprivate var index = 0
    fileprivate var at = 0
  }

  /// The first members, up to `most`.
  private var members = WorkingList<JSON.Member>()
  /// There are more members than these.
  private var hasMore = false
  private var end = 0
  /// The lengths of their keys, modulo 64, one bit each, to rule out absent keys fast: most keys
  /// that rules look for are absent.
  private var lengths: UInt64 = 0
  /// The parsed dictionary of roles; nil before it is needed, and when there is none.
  private var announced: (range: ByteRange, said: WAMPRoles)?
  private var cache = WAMPRolesCache()

  /// How many members are kept; later ones are parsed again each time.
  private static let most = 64

  /// - Parameter dictionary: valid JSON, checked by a scanner; nil when there is none.
  mutating func read(_ dictionary: ByteRange?, _ bytes: RawSpan) {
    members.removeAll()
    (hasMore, announced, lengths) = (false, nil, 0)
    guard let dictionary else { return }
    end = dictionary.end
    let part = bytes.extracting(0..<end)
    var at = dictionary.start + 1
    while let member = JSON.next(part, &at, inObject: true) {
      members.append(member)
      // A key with escapes is longer than its value.
      let isPlain = part[member.key].firstIndex(of: .backslash) == nil
      lengths |= isPlain ? 1 &<< UInt64(member.key.count) : .max
      if members.count == Self.most {
        (hasMore, lengths) = (true, .max)
        return
      }
    }
  }

  /// The next member; nil at the end.
  func next(_ bytes: RawSpan, _ step: inout Step) -> JSON.Member? {
    if step.index < members.count {
      step.index &+= 1
      return members[step.index &- 1]
    }
    guard hasMore else { return nil }
    if step.at == 0 { step.at = members[Self.most &- 1].value.range.end }
    return JSON.next(bytes.extracting(0..<end), &step.at, inObject: true)
  }

  /// The value of a key. For a repeated key the last one, as in most parsers.
  func value(of key: StaticString, _ bytes: RawSpan) -> JSONElement? {
    if lengths & (1 &<< UInt64(key.utf8CodeUnitCount)) == 0 { return nil }
    var found: JSONElement?
    var step = Step()
    while let member = next(bytes, &step) {
      if JSON.equals(bytes, member.key, key) { found = member.value }
    }
    return found
  }

  /// The range and the content of the dictionary of roles; nil when there is none.
  mutating func roles(_ bytes: RawSpan) -> (range: ByteRange, said: WAMPRoles)? {
    if let announced { return announced }
    guard let value = value(of: "roles", bytes), value.kind == .object else { return nil }
    announced = (value.range, cache.roles(value.range, bytes))
    return announced
  }
}
