// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What a list on a line is: where it ends, and the messages in it.
enum FoundList {
  /// No message, though it may stand where one could.
  case none(end: Int, isOther: Bool)
  /// Nearly always there is just one.
  case one(FoundMessage, end: Int)
  case several([FoundMessage], end: Int)

  /// Whether nothing is left out of the first message.
  var isWhole: Bool {
    switch self {
    case .none: false
    case .one(let found, _): found.kind == .text
    case .several(let all, _): all.first?.kind == .text
    }
  }

  @inline(__always)
  init(_ found: FoundMessage) { self = .one(found, end: found.place.upperBound) }
}
