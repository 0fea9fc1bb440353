// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The servers and paths at which SockJS sessions were seen.
final class SockJSPlaces {
  private var places: Set<[UInt8]> = []
  /// In the order of first sight.
  private var order: ContiguousArray<[UInt8]> = []
  private let most: Int

  init(limits: Limits) { most = limits.sockJSPlaces }

  func add(_ connection: Opening, _ place: [UInt8]) {
    let key = SpanningSessions.key(connection, place)
    guard most > 0, places.insert(key).inserted else { return }
    if order.count >= most { places.remove(order.removeFirst()) }
    order.append(key)
  }

  func contains(_ connection: Opening, _ place: [UInt8]) -> Bool {
    places.contains(SpanningSessions.key(connection, place))
  }
}
