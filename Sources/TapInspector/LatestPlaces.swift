// SPDX-License-Identifier: Apache-2.0

/// For each flow, the position in time of the last thing reported of it. All are forgotten at once.
struct LatestPlaces {
  private var places: ContiguousArray<(epoch: UInt32, key: Int64)> = []
  private var epoch: UInt32 = 1

  subscript(flow: UInt32) -> Int64 {
    get {
      let place = Int(flow)
      guard place < places.count, places[place].epoch == epoch else { return .min }
      return places[place].key
    }
    set {
      let place = Int(flow)
      if place >= places.count {
        places.append(contentsOf: repeatElement((0, .min), count: place + 1 - places.count))
      }
      places[place] = (epoch, newValue)
    }
  }

  mutating func removeAll() { epoch &+= 1 }
}
