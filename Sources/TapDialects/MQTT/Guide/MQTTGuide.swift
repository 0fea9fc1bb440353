// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of MQTT.
enum MQTTGuide {
  static let packetTypes = Topic.Group("MQTT packets", "MQTT packet")
  static let properties = Topic.Group("MQTT 5.0 properties", "MQTT 5.0 property")
  static let reasons = Topic.Group("MQTT reason codes", "MQTT reason code")

  static let topics: [Topic] =
    sessionPackets + messagePackets + subscriptionPackets + otherPackets + propertyTopics
    + reasonTopics

  static func packet(
    _ type: MQTTType, _ summary: String, _ parts: [Topic.Part], source: String
  ) -> Topic {
    Topic(
      packetTypes, "\(type.name)", summary,
      label: "MQTT packet, first byte \(firstByte(type))", parts, source: source)
  }

  private static func firstByte(_ type: MQTTType) -> String {
    if type == .publish { return "30 to 3d" }
    let byte = type.rawValue << 4 | type.fixedFlags
    return String(byte, radix: 16)
  }

  private static let propertyTopics = MQTTProperty.allCases.map { property in
    let entry = property.entry
    let carriers = MQTTType.allCases.filter { entry.places.contains($0) }.map { "\($0.name)" }
    let all = carriers + (entry.places.hasWill ? ["the will in CONNECT"] : [])
    return Topic(
      properties, "\(entry.key)",
      "\(entry.meaning)".prefix(1).uppercased()
        + "\(entry.meaning)".dropFirst() + ".",
      label: "MQTT 5.0 property \(property.rawValue), \(entry.form.words)",
      [Topic.Part("Stands in", .prose(all.joined(separator: ", ")))],
      source: "MQTT 5.0 §2.2.2.2")
  }

  private static let reasonTopics: [Topic] = {
    var topics: [Topic] = []
    for (index, reason) in MQTTReason.all.enumerated()
    where index == 0 || !MQTTReason.all[..<index].contains(where: { $0.name == reason.name }) {
      let carriers = MQTTType.allCases.filter { reason.places.contains($0) }
      topics.append(
        Topic(
          reasons, kebab(reason.name.description),
          reason.isFailure ? "Something was refused, or failed." : "Nothing failed.",
          label: "MQTT reason code \(reason.code) (0x\(hex(reason.code)))",
          numbers: reason.isFailure ? UInt64(reason.code)...UInt64(reason.code) : nil,
          aliases: [reason.name.description],
          [
            Topic.Part(
              "Stands in", .prose(carriers.map { "\($0.name)" }.joined(separator: ", ")))
          ], source: "MQTT 5.0 §2.4"))
    }
    return topics
  }()

  /// `Not authorized` becomes `not-authorized`.
  private static func kebab(_ name: String) -> String {
    name.lowercased().split(separator: " ").joined(separator: "-")
  }

  private static func hex(_ code: UInt8) -> String {
    let digits = String(code, radix: 16)
    return code < 16 ? "0" + digits : digits
  }
}

extension StaticString {
  fileprivate static func == (left: StaticString, right: StaticString) -> Bool {
    left.description == right.description
  }
}
