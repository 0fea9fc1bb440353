// SPDX-License-Identifier: Apache-2.0

/// The type of a field, which determines how it is compared and with what.
enum FieldType: Sendable, Equatable {
  case integer
  /// Nanoseconds.
  case duration
  /// Bytes.
  case size
  /// Nanoseconds since 1970, or of a day.
  case time
  /// Text of any form.
  case text
  /// A topic, a procedure, or an error: text of parts separated by dots.
  case uri
  case word([String])
  /// One of some words, in ascending order.
  case rank([String])
  /// An address with a port.
  case endpoint
  /// An id: a number, or text.
  case id
  case flag
  /// A value in a payload.
  case value

  /// `'latency' is a duration`.
  var noun: String {
    switch self {
    case .integer: "a number"
    case .duration: "a duration"
    case .size: "a size"
    case .time: "a time"
    case .text: "text"
    case .uri: "a URI"
    case .word, .rank: "a word"
    case .endpoint: "an address"
    case .id: "an id"
    case .flag: "yes or no"
    case .value: "a value"
    }
  }

  var hasOrder: Bool {
    switch self {
    case .integer, .duration, .size, .time, .rank, .id, .value: true
    default: false
    }
  }

  var isText: Bool {
    switch self {
    case .text, .uri, .word, .id, .value: true
    default: false
    }
  }
}
