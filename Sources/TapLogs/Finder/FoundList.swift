// SPDX-License-Identifier: Apache-2.0

/// What a list on a line is: where it ends, and the messages in it.
enum FoundList {
  /// No message, though it may stand where one could.
  case none(end: Int, isOther: Bool)
  /// Nearly always there is just one.
  case one(FoundMessage, end: Int)
  case several([FoundMessage], end: Int)

  @inline(__always)
  init(_ found: FoundMessage) { self = .one(found, end: found.place.upperBound) }
}
