// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reads the fields of a packet one by one (MQTT 5.0 §1.5). For a field that cannot be read it
/// returns nil, adds a fault, and clears `isWhole`.
struct MQTTCursor {
  /// Where the next field begins.
  var at = 0
  private(set) var isWhole = true
  /// The faults of the packet, from all readers.
  var faults = MQTTFaults()

  /// Begins another packet.
  mutating func begin(at start: Int) {
    (at, isWhole) = (start, true)
    faults.removeAll()
  }

  /// Stops reading; the rest is not read.
  mutating func stop() { isWhole = false }

  /// The packet ends inside a field.
  mutating func tooShort(_ what: StaticString) {
    isWhole = false
    faults.add(.mqttLength, .error, "it ends inside of \(what)")
  }

  mutating func uint8(_ bytes: RawSpan, _ what: StaticString) -> UInt8? {
    guard at < bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at += 1
    return bytes.byte(at: at - 1)
  }

  @inline(__always)
  mutating func uint16(_ bytes: RawSpan, _ what: StaticString) -> UInt16? {
    guard at &+ 2 <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at &+= 2
    return bytes.uint16(at: at &- 2)
  }

  mutating func uint32(_ bytes: RawSpan, _ what: StaticString) -> UInt32? {
    guard at + 4 <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at += 4
    return bytes.uint32(at: at - 4)
  }

  mutating func variable(_ bytes: RawSpan, _ what: StaticString) -> Int? {
    switch MQTTVariable.read(bytes, at: at) {
    case .whole(let found):
      if found.isPadded {
        faults.add(
          .mqttLength, .warning, "\(what) takes more bytes than it needs",
          MQTTRule("", "1.5.5-1"))
      }
      at += found.length
      return found.value
    case .incomplete:
      tooShort(what)
      return nil
    case .malformed:
      isWhole = false
      faults.add(.mqttLength, .error, "\(what) has more than four bytes")
      return nil
    }
  }

  /// A UTF-8 string or binary data after a length of two bytes. The writer of a string checks that
  /// it is UTF-8.
  @inline(__always)
  mutating func prefixed(_ bytes: RawSpan, _ what: StaticString) -> ByteRange? {
    guard at &+ 2 <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    let start = at &+ 2
    let end = start &+ Int(bytes.uint16(at: at))
    guard end <= bytes.byteCount else {
      tooShort(what)
      return nil
    }
    at = end
    return ByteRange(start, end)
  }
}
