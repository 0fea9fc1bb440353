// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension Delivery.Kind {
  /// Whether so much of a text is missing that it is no message of JSON. An object is one still
  /// when its writer left out values, as `console.log` of Node does: `{ id: 1, result: [Object] }`.
  func isCut(_ json: RawSpan) -> Bool {
    isPartial || self == .abridged && !json.starts(with: "{")
  }

  /// Whether bytes may be JSON as it was sent, or an object of which values were left out.
  func mayBeJSON(_ json: RawSpan) -> Bool {
    switch self {
    case .text, .binary, .stream: true
    case .abridged: !isCut(json) && !JSONRoles.lacksID(json)
    case .brokenText, .partialText, .dottedText, .withheld: false
    }
  }
}
