// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// What one side announced in HELLO or WELCOME: its roles, and the features of all of them
/// together.
struct WAMPAnnouncements {
  /// One bit for each of `WAMPFeature.roles`, in their order.
  private(set) var roles: UInt8 = 0
  /// Bits as in `WAMPFeature.bit(of:)`.
  private(set) var features: UInt64 = 0

  static let publisher: UInt8 = 1
  static let subscriber: UInt8 = 2
  static let caller: UInt8 = 4
  static let callee: UInt8 = 8
  static let broker: UInt8 = 16
  static let dealer: UInt8 = 32

  /// Adds a role of HELLO or WELCOME.
  ///
  /// - Returns: whether the role and its features are dictionaries, and each feature true or false.
  mutating func add(_ role: JSON.Member, _ bytes: RawSpan) -> Bool {
    let index = WAMPFeature.roles.firstIndex { JSON.equals(bytes, role.key, $0.key) }
    if let index { roles |= 1 << UInt8(index) }
    guard role.value.kind == .object else { return false }
    guard let inside = JSON.value(of: "features", in: role.value.range, bytes) else { return true }
    guard inside.kind == .object else { return false }
    var isInOrder = true
    var members = JSON.Members(of: inside.range)
    while let feature = members.next(bytes) {
      guard let place = WAMPFeature.index(of: feature.key, bytes) else { continue }
      let kind = feature.value.kind
      if kind != .yes && kind != .no { isInOrder = false }
      if kind == .yes && index != nil { features |= 1 << UInt64(place) }
    }
    return isInOrder
  }
}
