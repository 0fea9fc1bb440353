// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Connections with the same ends in several tunnelled networks. The number of the network tells
/// them apart, but one connection may also have several numbers: it is captured inside and outside
/// of the tunnel, or each direction has the number of its source (Cilium) or of its destination
/// (OVN). TCP sequence numbers then show that it is one connection.
extension FlowTable {
  /// Finds a connection with another key to which a segment must belong; from now on the connection
  /// is known by this key, too.
  mutating func relative(_ key: WideKey, _ segment: Segment, fromLow: Bool) -> Int? {
    let plain = key.outsideOfTunnels
    var found = key == plain ? nil : fitting(plain, segment, fromLow: fromLow)
    for other in relatives[plain] where found == nil && other != key {
      found = fitting(other, segment, fromLow: fromLow)
    }
    guard let found else { return nil }
    if relatives.alias(key) { slots[key] = Int32(truncatingIfNeeded: found) }
    return found
  }

  private func fitting(_ key: WideKey, _ segment: Segment, fromLow: Bool) -> Int? {
    guard let slot = slot(key), connections[slot].fits(segment, fromLow: fromLow) else {
      return nil
    }
    return slot
  }

  /// Removes the keys of a connection that is forgotten.
  mutating func removeRelatives(of slot: Int) {
    let key = connections[slot].key
    let plain = key.outsideOfTunnels
    for other in relatives[plain] where other != key && self.slot(other) == slot {
      _ = slots.removeValue(for: other)
      relatives.remove(other, isAlias: true)
    }
    relatives.remove(key, isAlias: false)
  }
}

extension WideKey {
  /// Of a flow key: the same ends without a tunnel.
  var outsideOfTunnels: WideKey { WideKey(high, low & (1 << 33 - 1)) }
  var network: UInt32 { UInt32(truncatingIfNeeded: low >> 33) }
  var isInTunnel: Bool { network != 0 }
}
