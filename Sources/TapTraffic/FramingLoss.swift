// SPDX-License-Identifier: Apache-2.0

/// What was lost while the frame boundaries of one direction were unknown, and how it is reported.
public struct FramingLoss: Sendable {
  /// Messages of the direction that were seen whole; their mean size gives the estimate of lost
  /// ones.
  public struct Seen: Sendable {
    public var messages = 0
    public var bytes = 0

    public init() {}

    fileprivate var mean: Int { max(1, bytes / max(1, messages)) }
  }

  /// Bytes; nil when their number is not known.
  public private(set) var bytes: Int?

  /// Bytes before the loss that belong to a message already reported as incomplete.
  private var begun: Int

  /// - Parameters:
  ///   - missing: bytes of a gap; nil when unknown.
  ///   - begun: bytes before the gap that belong to a message already reported as incomplete, so
  ///     that it is not counted again.
  public init(_ missing: Int?, begun: Int = 0) { (bytes, self.begun) = (missing, begun) }

  /// One more gap before frames were found.
  public mutating func add(_ missing: Int?) {
    bytes = bytes.flatMap { sum in missing.map { sum.addingSaturated($0) } }
  }

  /// Whether the mean of the messages seen says nothing of a gap: its size is not known, it is very
  /// much longer than all of them together, or ends within one that is larger than the gap and very
  /// much larger than the mean, so that it may have swallowed nothing else.
  ///
  /// - Parameter skipped: captured bytes behind the gap whose message began in it.
  private func isBeyond(_ skipped: Int, _ seen: Seen) -> Bool {
    guard let bytes else { return true }
    return bytes / 8 > seen.bytes || skipped > bytes && skipped / 8 > seen.mean
  }

  /// Notes in a finding how many messages were lost. Returns whether that is `about` the number or
  /// `at least`.
  @discardableResult
  public func estimate(skipped: Int, _ seen: Seen, in finding: inout Finding) -> StaticString {
    finding.lostMessages = estimate(skipped: skipped, seen)
    finding.mayHaveLostMore = isBeyond(skipped, seen)
    return finding.mayHaveLostMore ? "at least" : "about"
  }

  /// Estimates how many messages were lost, by the mean size of those seen; at least one.
  private func estimate(skipped: Int, _ seen: Seen) -> UInt64 {
    guard let bytes, seen.messages > 0, !isBeyond(skipped, seen) else { return 1 }
    let mean = seen.mean
    let all = bytes.addingSaturated(skipped).addingSaturated(begun).addingSaturated(mean / 2) / mean
    return UInt64(max(1, begun > 0 ? all - 1 : all))
  }

  /// Frames were found again, or for the first time; nil when nothing was lost before them.
  ///
  /// - Parameters:
  ///   - skipped: captured bytes before the frames.
  ///   - noun: what the frames are called.
  public static func resumed(
    _ code: Finding.Code, _ loss: FramingLoss?, skipped: Int, at origin: Origin, _ seen: Seen,
    noun: String = "frames"
  ) -> Finding? {
    if loss == nil && skipped == 0 { return nil }
    var text = "\(noun) were recognised again by their form at byte \(origin.offset) of the stream"
    if skipped > 0 {
      text +=
        "; \(counted(skipped, "captured byte")) before it"
        + " \(skipped == 1 ? "belongs" : "belong") to \(noun) whose beginning is missing"
    }
    var finding = Finding(code, .warning, origin, text)
    if let loss {
      let about = loss.estimate(skipped: skipped, seen, in: &finding)
      let size = loss.bytes.map { counted($0, "byte") } ?? "unknown size"
      let count = counted(finding.lostMessages, "message")
      finding.text = "a gap of \(size) swallowed \(about) \(count); " + text
    } else {
      finding.severity = .note
    }
    return finding
  }

  /// The direction ended before frames were found again.
  ///
  /// - Parameter who: what its sender is called.
  public func atEnd(
    _ code: Finding.Code, _ who: String, at origin: Origin, _ seen: Seen
  ) -> Finding {
    let size = bytes.map { counted($0, "byte") } ?? "an unknown number of bytes"
    let verb = bytes == 1 ? "is" : "are"
    var finding = Finding(
      code, .warning, origin,
      seen.messages == 0
        ? "no message of the \(who) was captured; \(size) \(verb) missing"
        : "\(size) of the \(who) \(verb) missing, and no message after them was captured")
    estimate(skipped: 0, seen, in: &finding)
    return finding
  }

  /// No frame was recognised in the bytes that were held.
  public static func givenUp(
    _ code: Finding.Code, _ loss: FramingLoss?, skipped: Int, at origin: Origin, _ seen: Seen,
    noun: String = "frames"
  ) -> Finding {
    var finding = Finding(
      code, .warning, origin,
      "\(counted(skipped, "captured byte"))\(loss == nil ? "" : " after a gap") could not be"
        + " recognised as \(noun)")
    loss?.estimate(skipped: skipped, seen, in: &finding)
    return finding
  }

}

extension FixedWidthInteger {
  /// The sum, or the largest number there is: lengths that evidence claims may be of any size.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
