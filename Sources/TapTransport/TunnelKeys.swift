// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Groups flow keys that differ only in the network of a tunnel, or in VLAN tags or MPLS labels.
/// Empty without those.
struct TunnelKeys {
  /// How many keys of the same two ends are remembered; a connection with further keys is searched
  /// for each time.
  private static let most = 16

  /// By the key outside of tunnels, which is in the list only if it is an alias.
  private var keys: [WideKey: ContiguousArray<WideKey>] = [:]
  /// How many keys are additional ones of a connection.
  private(set) var aliases = 0

  var isEmpty: Bool { keys.isEmpty }

  subscript(plain: WideKey) -> ContiguousArray<WideKey> { keys[plain] ?? [] }

  mutating func add(_ key: WideKey) { keys[key.outsideOfTunnels, default: []].append(key) }

  /// Adds another key of a connection; false if there is no room.
  mutating func alias(_ key: WideKey) -> Bool {
    if self[key.outsideOfTunnels].count >= Self.most { return false }
    add(key)
    aliases &+= 1
    return true
  }

  mutating func remove(_ key: WideKey, isAlias: Bool) {
    let plain = key.outsideOfTunnels
    guard var rest = keys[plain], let index = rest.firstIndex(of: key) else { return }
    rest.remove(at: index)
    keys[plain] = rest.isEmpty ? nil : rest
    if isAlias { aliases &-= 1 }
  }
}
