// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Members that several outputs of NDJSON have.
extension TextBuffer {
  /// - Parameter string: text from the wire; empty where it is not known.
  mutating func member(_ name: StaticString, known string: [UInt8]) {
    key(name)
    if string.isEmpty { append("null") } else { append(jsonString: string.span.bytes) }
  }

  mutating func member(_ name: StaticString, _ endpoint: Endpoint) {
    key(name)
    guard endpoint.isKnown else { return append("null") }
    append(byte: .quote)
    endpoint.append(to: &self)
    append(byte: .quote)
  }

  /// - Parameter connection: 0 for that of what was pasted.
  mutating func member(connection: UInt32) {
    member("connection", connection == 0 ? nil : UInt64(connection))
  }

  /// Which side did it.
  mutating func member(by side: Direction) {
    switch side {
    case .toServer: member("by", word: "client")
    case .toClient: member("by", word: "server")
    case .unknown: member("by", word: nil)
    }
  }

  /// Date and time in UTC.
  mutating func member(
    _ name: StaticString, _ instant: Instant, precision: UInt8, _ time: inout TimeText
  ) {
    key(name)
    guard instant.isKnown else { return append("null") }
    append(byte: .quote)
    time.append(utc: instant, precision: precision, to: &self)
    append(byte: .quote)
  }

  /// - Parameter nanoseconds: they are written as seconds.
  mutating func member(_ name: StaticString, seconds nanoseconds: Int64?) {
    key(name)
    if let nanoseconds { append(jsonSeconds: nanoseconds) } else { append("null") }
  }

  /// `"latency":0.01`, or `"latencyAtMost":1` where the clock is too coarse to tell more.
  mutating func member(_ name: StaticString, latency nanoseconds: Int64, precision: UInt8) {
    let most = Joined.latencyUpperBound(nanoseconds, precision: precision)
    key(name, suffix: most == nil ? "" : "AtMost")
    append(jsonSeconds: most.map { Int64(clamping: $0) } ?? nanoseconds)
  }

  mutating func append(jsonSeconds nanoseconds: Int64) {
    TimeText.append(seconds: nanoseconds, precision: 9, columns: 0, to: &self)
    TextLayout.removeTrailingZeros(&self)
  }

  /// Where it stands in the evidence.
  mutating func member(_ name: StaticString, input: String, record: UInt64, isLine: Bool) {
    object(name) {
      $0.member("input", input)
      if record > 0 { $0.member(isLine ? "line" : "packet", record) }
    }
  }
}
