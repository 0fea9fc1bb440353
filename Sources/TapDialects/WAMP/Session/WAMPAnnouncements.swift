// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// What one side has announced of itself: its roles, and the features of any of them.
struct WAMPAnnouncements {
  /// One bit for each of `WAMPFeature.roles`, in their order.
  private(set) var roles: UInt8 = 0
  /// As `WAMPFeature.bit(of:)` counts them.
  private(set) var features: UInt64 = 0

  static let publisher: UInt8 = 1
  static let subscriber: UInt8 = 2
  static let caller: UInt8 = 4
  static let callee: UInt8 = 8
  static let broker: UInt8 = 16
  static let dealer: UInt8 = 32

  /// HELLO and WELCOME.
  init(_ details: ByteRange, _ bytes: RawSpan) {
    guard let announced = JSON.value(of: "roles", in: details, bytes), announced.kind == .object
    else { return }
    let part = bytes.extracting(0..<announced.range.end)
    var at = announced.range.start + 1
    while let role = JSON.next(part, &at, inObject: true) {
      guard
        let index = WAMPFeature.roles.firstIndex(where: { JSON.equals(bytes, role.key, $0.key) })
      else { continue }
      roles |= 1 << UInt8(index)
      guard role.value.kind == .object,
        let inside = JSON.value(of: "features", in: role.value.range, bytes),
        inside.kind == .object
      else { continue }
      let span = bytes.extracting(0..<inside.range.end)
      var next = inside.range.start + 1
      while let feature = JSON.next(span, &next, inObject: true) {
        if feature.value.kind != .yes { continue }
        if let index = WAMPFeature.index(of: feature.key, bytes) {
          features |= 1 << UInt64(index)
        }
      }
    }
  }
}
