// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// State that the files of one rotated log share.
public protocol InputSuccession: AnyObject, Sendable {
  /// No further file follows the current one.
  var isLast: Bool { get set }
  /// Whether the previous file was part of the same log.
  var isUnderWay: Bool { get }
  /// No more files come, and the last one was not part of the log.
  func finish(_ sink: any EvidenceSink)
}
