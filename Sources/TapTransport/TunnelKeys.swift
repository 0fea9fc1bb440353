// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Which keys of flows differ by nothing but the network of a tunnel. Without tunnels it is empty.
struct TunnelKeys {
  /// More for the same two ends are not remembered: what they are known by is looked for again.
  private static let most = 16

  /// By the key outside of tunnels. That key is among them when it is an alias.
  private var keys: [WideKey: ContiguousArray<WideKey>] = [:]
  /// Keys by which connections are known beside their own.
  private(set) var aliases = 0

  var isEmpty: Bool { keys.isEmpty }

  subscript(plain: WideKey) -> ContiguousArray<WideKey> { keys[plain] ?? [] }

  mutating func add(_ key: WideKey) { keys[key.outsideOfTunnels, default: []].append(key) }

  /// Adds a key for a connection that has another; answers whether there was room.
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
