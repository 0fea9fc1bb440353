// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The usual form of a message type, packed so that a message can be compared with it in a few
/// instructions. Messages that deviate are checked element by element, with ``WAMPType``.
struct WAMPForm: Sendable {
  /// Empty where there is no such type.
  var name: StaticString = ""
  private var kinds: UInt64 = 0
  private var ids: UInt8 = 0
  private var least: UInt8 = 0
  private var most: UInt8 = 0

  private init(_ code: UInt64) {
    guard let type = WAMPType(code: code) else { return }
    (name, kinds, ids) = (type.name, type.kinds, type.ids)
    (least, most) = (UInt8(type.arity.lowerBound), UInt8(type.arity.upperBound))
  }

  /// Indexed by code, up to the highest of the core specification, 70.
  static let all = ContiguousArray((0..<UInt64(71)).map { WAMPForm($0) })

  /// Whether all elements are of the usual kinds, and ids of the usual size. Nearly all messages
  /// pass.
  @inline(__always)
  func fits(_ elements: JSONElements, _ bytes: RawSpan) -> Bool {
    let count = elements.count
    guard count >= Int(least), count <= Int(most) else { return false }
    let unused = UInt64(64 &- count &* 4)
    if (elements.kinds ^ kinds) &<< unused != 0 { return false }
    // Only elements 1 and 2 can be ids.
    if ids & 2 != 0, !Self.isUsual(elements[1].range, bytes) { return false }
    if ids & 4 != 0, !Self.isUsual(elements[2].range, bytes) { return false }
    return true
  }

  /// Not zero, and below 9·10^15, which is below 2^53.
  @inline(__always)
  private static func isUsual(_ id: ByteRange, _ bytes: RawSpan) -> Bool {
    let first = bytes.byte(at: id.start)
    return first != UInt8(ascii: "0")
      && (id.count < 16 || id.count == 16 && first != UInt8(ascii: "9"))
  }
}
