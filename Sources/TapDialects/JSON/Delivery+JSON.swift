// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension Delivery.Kind {
  /// Whether so much of a text is missing that it cannot be a JSON message. An object still can
  /// when its writer left out values, like `console.log` of Node: `{ id: 1, result: [Object] }`.
  func isCut(_ json: RawSpan) -> Bool {
    isPartial || self == .abridged && !json.starts(with: "{")
  }

  /// Whether bytes may be complete JSON, or an object with omitted values.
  func mayBeJSON(_ json: RawSpan) -> Bool {
    switch self {
    case .text, .binary, .stream: true
    case .abridged: !isCut(json) && !JSONRoles.lacksID(json)
    case .brokenText, .partialText, .dottedText, .withheld: false
    }
  }
}
