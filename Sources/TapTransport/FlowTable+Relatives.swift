// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Connections with the same ends in several networks of tunnels: they are told apart by the number
/// of the network, which may differ, all the same, for one connection. It is captured inside and
/// outside of the tunnel, or each direction has the number of where it comes from (Cilium) or goes
/// to (OVN). Then the numbers of TCP say that it is one.
extension FlowTable {
  /// The connection, known by another key, that a segment can only be of; from now on it is known
  /// by this key, too.
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

  /// Forgets the keys of a connection that goes.
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
  /// Of a flow: the same ends outside of all tunnels with numbers.
  var outsideOfTunnels: WideKey { WideKey(high, low & (1 << 33 - 1)) }
  var network: UInt32 { UInt32(truncatingIfNeeded: low >> 33) }
  var isInTunnel: Bool { network != 0 }
}
