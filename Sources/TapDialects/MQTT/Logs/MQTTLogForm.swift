// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One form that lines of a program have, and what a line of it tells.
struct MQTTLogForm: Sendable {
  enum Role: Sendable {
    /// A packet, or its first line of several.
    case packet(MQTTType, Direction)
    /// All bytes of a packet, whatever its type.
    case octets(Direction)
    /// Another connection begins, which has no name.
    case opens
    /// Nothing, but it names a connection on which the broker is the client.
    case bridges
    /// More of the packet that the lines before it told, if that is of this type.
    case adds(MQTTType)
    /// What is known of the next packet of this type, and whose connection all is from here on.
    case prepares(MQTTType)
    /// Nothing, but secrets may stand there: it is no context of messages.
    case hides
    /// The connection ends: who ended it, and why, where that is always the same.
    case ends(Direction, StaticString)
  }

  let pattern: MQTTLogPattern
  let role: Role
  /// Hardly anything else looks like it: it shows whose log it is.
  let isCertain: Bool
  /// Nothing, once a line with these words has come: other lines tell the same, and more.
  var silencer: StaticString = ""
  /// Only of connections on which the broker is the client.
  var isOfBridge = false
  /// What its words say without a field.
  let facts: [MQTTLogField: Int]

  private init(
    _ pattern: String, _ role: Role, isCertain: Bool = false, _ facts: [MQTTLogField: Int] = [:]
  ) {
    self.pattern = MQTTLogPattern(pattern)
    (self.role, self.isCertain, self.facts) = (role, isCertain, facts)
  }

  /// A line that no other program prints.
  static func certain(
    _ pattern: String, _ type: MQTTType, _ direction: Direction, _ facts: [MQTTLogField: Int] = [:]
  ) -> MQTTLogForm {
    MQTTLogForm(pattern, .packet(type, direction), isCertain: true, facts)
  }

  static func packet(
    _ pattern: String, _ type: MQTTType, _ direction: Direction, _ facts: [MQTTLogField: Int] = [:]
  ) -> MQTTLogForm {
    MQTTLogForm(pattern, .packet(type, direction), facts)
  }

  static func octets(_ pattern: String, _ direction: Direction) -> MQTTLogForm {
    MQTTLogForm(pattern, .octets(direction), isCertain: true)
  }

  static func opens(_ pattern: String) -> MQTTLogForm { MQTTLogForm(pattern, .opens) }

  static func adds(_ pattern: String, to type: MQTTType) -> MQTTLogForm {
    MQTTLogForm(pattern, .adds(type))
  }

  static func prepares(_ pattern: String, _ type: MQTTType) -> MQTTLogForm {
    MQTTLogForm(pattern, .prepares(type))
  }

  static func bridges(_ pattern: String) -> MQTTLogForm { MQTTLogForm(pattern, .bridges) }

  /// A packet between a broker that is a client, and its server.
  static func bridge(_ pattern: String, _ type: MQTTType, _ direction: Direction) -> MQTTLogForm {
    var form = MQTTLogForm(pattern, .packet(type, direction))
    form.isOfBridge = true
    return form
  }

  static func hides(_ pattern: String) -> MQTTLogForm { MQTTLogForm(pattern, .hides) }

  func silenced(by words: StaticString) -> MQTTLogForm {
    var form = self
    form.silencer = words
    return form
  }

  static func ends(
    _ pattern: String, by direction: Direction, _ reason: StaticString = ""
  ) -> MQTTLogForm {
    MQTTLogForm(pattern, .ends(direction, reason))
  }
}
