// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What lies between the separators of a body over HTTP, as it arrives. Holds a piece that is not
/// whole.
struct BodyPieces {
  /// The beginning of a piece.
  private(set) var held = Scratch()
  private var room: Reservation
  private let most: Int
  /// After a gap: skip to the next separator, or to the end of the body.
  private var isSkipping = false
  /// A piece is larger than can be held.
  private(set) var isTooLarge = false

  init(limits: Limits) {
    (most, room) = (limits.messageBytes, Reservation(limits.unfinishedBytes))
  }

  /// The next bytes of the body.
  ///
  /// - Parameter take: called with each whole piece; answers whether it carries a message.
  mutating func split(
    _ bytes: RawSpan, at separator: UInt8, _ take: (RawSpan) -> Bool
  ) -> HTTPBodyUse {
    var use = HTTPBodyUse()
    var at = 0
    while let border = bytes.firstIndex(of: separator, from: at) {
      if isSkipping {
        use.incomplete += border + 1 - at
        isSkipping = false
      } else if held.isEmpty {
        if !take(bytes.extracting(at..<border)) { use.passed += border + 1 - at }
      } else {
        held.append(bytes.extracting(at..<border))
        let count = held.count + 1
        if !end(take) { use.passed += count }
      }
      at = border + 1
    }
    let rest = hold(bytes.dropping(at))
    use.held = rest.held
    use.incomplete += rest.incomplete
    return use
  }

  /// Holds bytes until the piece is whole.
  mutating func hold(_ bytes: RawSpan) -> HTTPBodyUse {
    if isSkipping { return HTTPBodyUse(incomplete: bytes.byteCount) }
    let count = held.count + bytes.byteCount
    guard count <= most, room.reserve(count) else {
      drop()
      isTooLarge = true
      return HTTPBodyUse(incomplete: bytes.byteCount)
    }
    held.append(bytes)
    return HTTPBodyUse(held: count)
  }

  /// The held piece is whole; answers what `take` says of it.
  mutating func end(_ take: (RawSpan) -> Bool) -> Bool {
    let whole = held
    drop(skipping: false)
    return take(whole.bytes)
  }

  /// Drops held bytes, which will not be completed.
  ///
  /// - Returns: whether there were any.
  @discardableResult mutating func drop(skipping: Bool = true) -> Bool {
    let isAny = !held.isEmpty
    held.removeAll()
    held.shrink(above: 1 << 12)
    room.giveBack()
    (isSkipping, isTooLarge) = (skipping, false)
    return isAny
  }
}
