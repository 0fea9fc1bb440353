// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What several files have in common that are parts of one, as those of a log that was rotated.
public protocol InputSuccession: AnyObject, Sendable {
  /// No file follows the one that is read.
  var isLast: Bool { get set }
  /// Whether the file before this one was such a part.
  var isUnderWay: Bool { get }
  /// No more files come, and the last one was no part.
  func finish(_ sink: any EvidenceSink)
}
