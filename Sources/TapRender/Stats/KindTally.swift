// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Messages of one type.
struct KindTally {
  var dialect: StaticString
  var name: Symbol
  var messages: UInt64 = 0
  var toServer: UInt64 = 0
  var toClient: UInt64 = 0
  var bytes: UInt64 = 0

  init(_ message: Message) { (dialect, name) = (message.dialect, message.name) }

  mutating func add(_ direction: Direction) {
    messages += 1
    switch direction {
    case .toServer: toServer += 1
    case .toClient: toClient += 1
    case .unknown: break
    }
  }
}
