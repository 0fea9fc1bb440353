// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Servers and paths at which sessions of SockJS were seen.
final class SockJSPlaces {
  private var places: Set<[UInt8]> = []
  private let most: Int

  init(limits: Limits) { most = limits.sockJSAttempts }

  func add(_ connection: Opening, _ place: [UInt8]) {
    if places.count < most { places.insert(SpanningSessions.key(connection, place)) }
  }

  func contains(_ connection: Opening, _ place: [UInt8]) -> Bool {
    places.contains(SpanningSessions.key(connection, place))
  }
}
