// SPDX-License-Identifier: Apache-2.0
public import TapEvidence
public import TapTraffic

/// Several files that are one log, cut where it was rotated. What is known at the end of one goes
/// on in the next: sessions, requests without an answer, the words and the clock of its lines.
///
/// The files are read one after the other, so that no two threads use it at once.
public final class LogSuccession: InputSuccession, @unchecked Sendable {
  /// The log at the end of a file.
  private var held: LogInput?
  /// No file follows the one that is read.
  public var isLast = false

  public init() {}

  /// Whether the file before this one was a log.
  public var isUnderWay: Bool { held != nil }

  /// No more files come, and the last one was no log.
  public func finish(_ sink: any EvidenceSink) {
    isLast = true
    var log = take()
    log?.finish(sink)
  }

  func keep(_ log: LogInput) { held = log }

  func take() -> LogInput? {
    defer { held = nil }
    return held
  }
}
