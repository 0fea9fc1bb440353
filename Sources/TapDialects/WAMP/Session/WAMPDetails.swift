// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The details of HELLO or WELCOME. Many rules ask for their members, so these are found once, when
/// the message is read.
struct WAMPDetails {
  /// How far the members have been stepped through.
  struct Step {
    fileprivate var index = 0
    fileprivate var at = 0
  }

  /// The first of them.
  private var members = WorkingList<JSON.Member>()
  /// There are more.
  private var hasMore = false
  private var end = 0
  /// How long their keys are, modulo 64, a bit each: most that are asked for are not there.
  private var lengths: UInt64 = 0
  /// The dictionary of roles; nil while it was not asked for, or when there is none.
  private var announced: (range: ByteRange, said: WAMPRoles)?
  private var cache = WAMPRolesCache()

  /// Members that are kept; those behind them are found each time.
  private static let most = 64

  /// - Parameter dictionary: what a scanner has found to be well-formed; nil when there is none.
  mutating func read(_ dictionary: ByteRange?, _ bytes: RawSpan) {
    members.removeAll()
    (hasMore, announced, lengths) = (false, nil, 0)
    guard let dictionary else { return }
    end = dictionary.end
    let part = bytes.extracting(0..<end)
    var at = dictionary.start + 1
    while let member = JSON.next(part, &at, inObject: true) {
      members.append(member)
      // With escapes a key is longer than what it says.
      let isPlain = part[member.key].firstIndex(of: .backslash) == nil
      lengths |= isPlain ? 1 &<< UInt64(member.key.count) : .max
      if members.count == Self.most {
        (hasMore, lengths) = (true, .max)
        return
      }
    }
  }

  /// Steps through the members; nil at their end.
  func next(_ bytes: RawSpan, _ step: inout Step) -> JSON.Member? {
    if step.index < members.count {
      step.index &+= 1
      return members[step.index &- 1]
    }
    guard hasMore else { return nil }
    if step.at == 0 { step.at = members[Self.most &- 1].value.range.end }
    return JSON.next(bytes.extracting(0..<end), &step.at, inObject: true)
  }

  /// The value of a key. Of one that occurs twice, the last, as most readers do.
  func value(of key: StaticString, _ bytes: RawSpan) -> JSONElement? {
    if lengths & (1 &<< UInt64(key.utf8CodeUnitCount)) == 0 { return nil }
    var found: JSONElement?
    var step = Step()
    while let member = next(bytes, &step) {
      if JSON.equals(bytes, member.key, key) { found = member.value }
    }
    return found
  }

  /// Where the dictionary of roles stands, and what it says; nil when there is none.
  mutating func roles(_ bytes: RawSpan) -> (range: ByteRange, said: WAMPRoles)? {
    if let announced { return announced }
    guard let value = value(of: "roles", bytes), value.kind == .object else { return nil }
    announced = (value.range, cache.roles(value.range, bytes))
    return announced
  }
}
