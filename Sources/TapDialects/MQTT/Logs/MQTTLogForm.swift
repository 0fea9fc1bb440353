// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One form that lines of a program have, and what a line of it tells.
struct MQTTLogForm: Sendable {
  enum Role: Sendable {
    /// A packet, or the beginning of what several lines tell of one.
    case packet(MQTTType, Direction)
    /// More of the packet that the lines before it told, if that is of this type.
    case adds(MQTTType)
    /// The connection ends: who ended it, and why, where that is always the same.
    case ends(Direction, StaticString)
  }

  let pattern: MQTTLogPattern
  let role: Role
  /// Hardly anything else looks like it: it shows whose log it is.
  let isCertain: Bool

  /// A line that no other program prints.
  static func certain(
    _ pattern: String, _ type: MQTTType, _ direction: Direction
  ) -> MQTTLogForm {
    MQTTLogForm(
      pattern: MQTTLogPattern(pattern), role: .packet(type, direction), isCertain: true)
  }

  static func packet(
    _ pattern: String, _ type: MQTTType, _ direction: Direction
  ) -> MQTTLogForm {
    MQTTLogForm(
      pattern: MQTTLogPattern(pattern), role: .packet(type, direction), isCertain: false)
  }

  static func adds(_ pattern: String, to type: MQTTType) -> MQTTLogForm {
    MQTTLogForm(pattern: MQTTLogPattern(pattern), role: .adds(type), isCertain: false)
  }

  static func ends(
    _ pattern: String, by direction: Direction, _ reason: StaticString = ""
  ) -> MQTTLogForm {
    MQTTLogForm(
      pattern: MQTTLogPattern(pattern), role: .ends(direction, reason), isCertain: false)
  }
}
