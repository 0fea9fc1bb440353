// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A line pattern of a program, and the meaning of such a line.
struct MQTTLogForm: Sendable {
  enum Role: Sendable {
    /// A packet, or the first of its lines.
    case packet(MQTTType, Direction)
    /// All bytes of a packet, whatever its type.
    case octets(Direction)
    /// A new connection begins, without a name.
    case opens
    /// No packet, but it names a connection on which the broker is the client.
    case bridges
    /// More about the packet of the previous lines, if it is of this type.
    case adds(MQTTType)
    /// The packet of the previous line, if it is of this type, was not sent: it is too large.
    case withdraws(MQTTType)
    /// Fields of the next packet of this type, and the client of all following lines.
    case prepares(MQTTType)
    /// No packet, but secrets may be in the line, so it is not shown as context.
    case hides
    /// A packet in a form that is not known.
    case unread(Direction)
    /// The connection is closed: it ends if one side has left.
    case closes
    /// The connection ends: which side ended it, and the reason, if that is always the same.
    case ends(Direction, StaticString)
  }

  let pattern: MQTTLogPattern
  let role: Role
  /// The pattern is distinctive: it identifies the program.
  let isCertain: Bool
  /// Ignore the line once a line with this text was seen: other lines then give the same, and more.
  var silencer: StaticString = ""
  /// Only for connections on which the broker is the client.
  var isOfBridge = false
  /// Values that the pattern implies.
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

  static func withdraws(_ pattern: String, _ type: MQTTType) -> MQTTLogForm {
    MQTTLogForm(pattern, .withdraws(type))
  }

  static func prepares(_ pattern: String, _ type: MQTTType) -> MQTTLogForm {
    MQTTLogForm(pattern, .prepares(type))
  }

  static func bridges(_ pattern: String) -> MQTTLogForm { MQTTLogForm(pattern, .bridges) }

  /// A packet between a broker that acts as client, and its server.
  static func bridge(_ pattern: String, _ type: MQTTType, _ direction: Direction) -> MQTTLogForm {
    var form = MQTTLogForm(pattern, .packet(type, direction))
    form.isOfBridge = true
    return form
  }

  static func hides(_ pattern: String) -> MQTTLogForm { MQTTLogForm(pattern, .hides) }

  static func unread(_ pattern: String, _ direction: Direction) -> MQTTLogForm {
    MQTTLogForm(pattern, .unread(direction), isCertain: true)
  }

  func silenced(by words: StaticString) -> MQTTLogForm {
    var form = self
    form.silencer = words
    return form
  }

  static func closes(_ pattern: String) -> MQTTLogForm { MQTTLogForm(pattern, .closes) }

  static func ends(
    _ pattern: String, by direction: Direction, _ reason: StaticString = ""
  ) -> MQTTLogForm {
    MQTTLogForm(pattern, .ends(direction, reason))
  }
}
