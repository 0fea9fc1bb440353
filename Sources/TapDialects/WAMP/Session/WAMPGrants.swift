// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The subscriptions and registrations that the router gave to one session.
struct WAMPGrants {
  enum State: UInt8, Sendable, BitwiseCopyable {
    case held
    /// The client has asked to end it.
    case leaving
    case ended
  }

  private var states = IDTable<State>(minimumCapacity: 1)

  var count: Int { states.count }

  /// - Parameter space: that of the links, for subscriptions or for registrations.
  @inline(__always)
  subscript(space: UInt8, id: UInt64) -> State? {
    get { states[WideKey(UInt64(space), id)] }
    set { states[WideKey(UInt64(space), id)] = newValue }
  }

  /// Those that nobody has asked to end, by id.
  func held(_ space: UInt8) -> [UInt64] {
    var all: [UInt64] = []
    states.forEach { if $0.high == UInt64(space) && $1 == .held { all.append($0.low) } }
    return all.sorted()
  }

  mutating func forget() { self = WAMPGrants() }
}
