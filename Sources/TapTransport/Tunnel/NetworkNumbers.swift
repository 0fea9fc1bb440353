// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Small numbers, from 1, for the networks that tunnels name, and for places where packets were
/// seen (`Network.identifier`); nested ones included.
struct NetworkNumbers {
  private struct Name: Hashable {
    var outer: UInt32
    var identifier: UInt64
  }

  private var numbers: [Name: UInt32] = [:]
  /// The last lookup: nearly always the next one is the same.
  private var last: (name: Name, number: UInt32)?
  /// Of places: the network that they are in.
  private var places: [UInt32: UInt32] = [:]
  private let most: Int

  init(_ limits: Limits) { most = min(limits.networks, 1 << 30) }

  /// - Parameter outer: the number of the network that contains it; 0 for none.
  /// - Returns: nil when there are too many. Places are not told apart then.
  mutating func number(of identifier: UInt64, in outer: UInt32) -> UInt32? {
    let isPlace = identifier >> 32 >= Network.places
    // A network is the same wherever it is seen.
    let name = Name(outer: isPlace ? outer : network(of: outer), identifier: identifier)
    if let last, last.name == name { return last.number }
    if numbers[name] == nil && numbers.count >= most { return isPlace ? outer : nil }
    let number = numbers[name] ?? UInt32(numbers.count &+ 1)
    numbers[name] = number
    if isPlace { places[number] = network(of: outer) }
    last = (name, number)
    return number
  }

  /// The network that a tunnel names, or in which a place is; 0 for none.
  func network(of number: UInt32) -> UInt32 { places[number] ?? number }
}
