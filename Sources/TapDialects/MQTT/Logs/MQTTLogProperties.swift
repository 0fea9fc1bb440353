// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Properties as paho.mqtt.python prints them: `ResponseTopic : r/1, CorrelationData : b'\x01'`.
enum MQTTLogProperties {
  /// JSON members, each after a comma. Unknown properties are left out.
  static func read(_ text: RawSpan) -> [UInt8] {
    // The offsets of a property's name and value.
    var places: [(property: MQTTProperty, name: Int, value: Int)] = []
    for at in 0..<text.byteCount where at == 0 || text.byte(at: at - 1) == .space {
      for property in MQTTProperty.allCases {
        // User properties are printed as a list, under a singular name.
        let name: StaticString =
          property == .userProperty ? "userProperty" : property.entry.key
        guard isName(text.dropping(at), name) else { continue }
        places.append((property, at, at + name.utf8CodeUnitCount + 3))
        break
      }
    }
    var json = TextBuffer(capacity: 128)
    for (index, place) in places.enumerated() where place.property != .userProperty {
      // A comma and a blank separate two properties.
      let end = index + 1 < places.count ? places[index + 1].name - 2 : text.byteCount
      if place.value >= end { continue }
      append(text.extracting(place.value..<end), place.property, to: &json)
    }
    return json.bytes.copied()
  }

  /// Whether a name begins here, with a capital letter and followed by ` : `.
  private static func isName(_ text: RawSpan, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard text.byteCount > count + 3, text.dropping(count).starts(with: " : ") else {
      return false
    }
    let word = unsafe name.utf8Start
    for at in 0..<count {
      let wanted = unsafe word[at]
      if text.byte(at: at) != (at == 0 ? wanted & 0xDF : wanted) { return false }
    }
    return true
  }

  private static func append(
    _ value: RawSpan, _ property: MQTTProperty, to json: inout TextBuffer
  ) {
    json.append(",\"")
    json.append(property.entry.key)
    json.append("\":")
    let isBytes =
      value.byteCount > 2 && value.byte(at: 0) == UInt8(ascii: "b")
      && value.byte(at: value.byteCount - 1) == value.byte(at: 1)
    switch property.entry.form {
    case .variable where value.starts(with: "["):
      let numbers = MQTTLogNotation.numbers(value)
      if numbers.count == 1 {
        json.append(decimal: numbers[0])
      } else {
        json.append("[\(numbers.map { "\($0)" }.joined(separator: ","))]")
      }
    case .binary where isBytes:
      let bytes = MQTTLogNotation.bytes(value.extracting(2..<value.byteCount - 1))
      MQTTLogNotation.append(bytes, to: &json)
    case .string, .pair, .binary: json.append(jsonString: value)
    default:
      if let number = MQTTLogNotation.number(value) {
        json.append(decimal: number)
      } else {
        json.append(jsonString: value)
      }
    }
  }
}
