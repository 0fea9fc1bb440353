// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The requests of one session that wait for their answer. Ids count up by one and are answered
/// soon, so nearly all fit in a slot chosen by the last bits of their id; a request whose slot is
/// taken goes into a table. This is fast, as each request and each answer comes here.
struct WAMPOpenRequests {
  typealias Request = WAMPRequests.Request

  private struct Slot: BitwiseCopyable {
    var id: UInt64 = 0
    var request = Request(time: .unknown)
    /// 0 when the slot is free.
    var space: UInt8 = 0
  }

  private var places = ContiguousArray<Slot>()
  /// How many slots are taken.
  private var used = 0
  private var others = IDTable<Request>(minimumCapacity: 1)
  /// Number of slots: at first, as each session has some, and at most.
  private static let (least, most) = (4, 32)

  var count: Int { used &+ others.count }

  private static func key(_ space: UInt8, _ id: UInt64) -> WideKey { WideKey(UInt64(space), id) }

  /// The slot of a request. The router counts its own requests, so these are offset to avoid
  /// collisions.
  @inline(__always) private func place(_ space: UInt8, _ id: UInt64) -> Int {
    Int(truncatingIfNeeded: id &+ (space == WAMPSpace.invocation ? 2 : 0)) & (places.count &- 1)
  }

  /// The slot of a request; nil when it is not in one.
  @inline(__always) private func known(_ space: UInt8, _ id: UInt64) -> Int? {
    if used == 0 { return nil }
    let at = place(space, id)
    return places[at].id == id && places[at].space == space ? at : nil
  }

  /// Adds a request; false when one with this id was open already.
  @inline(__always)
  mutating func insert(_ space: UInt8, _ id: UInt64, _ request: Request) -> Bool {
    if !places.isEmpty && others.count == 0 {
      let at = place(space, id)
      if places[at].space == 0 {
        places[at] = Slot(id: id, request: request, space: space)
        used &+= 1
        return true
      }
    }
    return insertElsewhere(space, id, request)
  }

  @inline(never)
  private mutating func insertElsewhere(
    _ space: UInt8, _ id: UInt64, _ request: Request
  ) -> Bool {
    if self[space, id] != nil { return false }
    while places.count < Self.most && (places.isEmpty || places[place(space, id)].space != 0) {
      let old = places
      places = ContiguousArray(repeating: Slot(), count: max(old.count * 2, Self.least))
      for taken in old where taken.space != 0 { places[place(taken.space, taken.id)] = taken }
    }
    let at = place(space, id)
    if places[at].space == 0 {
      places[at] = Slot(id: id, request: request, space: space)
      used += 1
    } else {
      others[Self.key(space, id)] = request
    }
    return true
  }

  /// Removes a request; nil when it is not open.
  @inline(__always)
  mutating func remove(_ space: UInt8, _ id: UInt64) -> Request? {
    guard let at = known(space, id) else { return others.removeValue(for: Self.key(space, id)) }
    places[at].space = 0
    used &-= 1
    return places[at].request
  }

  subscript(space: UInt8, id: UInt64) -> Request? {
    known(space, id).map { places[$0].request } ?? others[Self.key(space, id)]
  }

  /// Changes an open request; false when there is none.
  mutating func update(_ space: UInt8, _ id: UInt64, _ change: (inout Request) -> Void) -> Bool {
    if let at = known(space, id) {
      change(&places[at].request)
    } else if let slot = others.slot(of: Self.key(space, id)) {
      change(&others[slot: slot])
    } else {
      return false
    }
    return true
  }

  /// All of a kind, sorted by id.
  func all(_ space: UInt8) -> [(id: UInt64, request: Request)] {
    if count == 0 { return [] }
    var all = places.filter { $0.space == space }.map { (id: $0.id, request: $0.request) }
    others.forEach { if $0.high == UInt64(space) { all.append(($0.low, $1)) } }
    return all.count < 2 ? all : all.sorted { $0.id < $1.id }
  }
}
