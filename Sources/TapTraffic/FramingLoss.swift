// SPDX-License-Identifier: Apache-2.0

/// What was not captured while the framing of one direction was unknown, and how it is told.
public struct FramingLoss: Sendable {
  /// Messages of the direction that were seen whole, by which those that were not are estimated.
  public struct Seen: Sendable {
    public var messages = 0
    public var bytes = 0

    public init() {}
  }

  /// Bytes; nil when their number is not known.
  public private(set) var bytes: Int?

  /// Bytes before it of a message that was told to be incomplete.
  private var begun: Int

  /// - Parameters:
  ///   - missing: bytes of a gap; nil when unknown.
  ///   - begun: bytes before it of a message that was told to be incomplete, and is no other.
  public init(_ missing: Int?, begun: Int = 0) { (bytes, self.begun) = (missing, begun) }

  /// One more gap before frames were found.
  public mutating func add(_ missing: Int?) {
    bytes = bytes.flatMap { sum in missing.map { sum.addingSaturated($0) } }
  }

  /// Whether a gap is so much longer than all that was seen that this says nothing of it.
  private func isBeyond(_ seen: Seen) -> Bool {
    bytes.map { $0 / 8 > seen.bytes } ?? false
  }

  /// Notes in a finding about how many messages were lost; answers whether that is `about` so many
  /// or `at least`.
  @discardableResult
  public func estimate(skipped: Int, _ seen: Seen, in finding: inout Finding) -> StaticString {
    finding.lostMessages = estimate(skipped: skipped, seen)
    finding.mayHaveLostMore = isBeyond(seen)
    return finding.mayHaveLostMore ? "at least" : "about"
  }

  /// About how many messages were lost, by the mean size of those that were not; at least one.
  private func estimate(skipped: Int, _ seen: Seen) -> UInt64 {
    guard let bytes, seen.messages > 0, !isBeyond(seen) else { return 1 }
    let mean = max(1, seen.bytes / seen.messages)
    let all = bytes.addingSaturated(skipped).addingSaturated(begun).addingSaturated(mean / 2) / mean
    return UInt64(max(1, begun > 0 ? all - 1 : all))
  }

  /// Frames were found again, or found at all; nil when nothing was lost before them.
  ///
  /// - Parameters:
  ///   - skipped: captured bytes before them.
  ///   - noun: what they are called.
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

  /// Nothing in what was held is believed to be a frame.
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
  /// The sum, or the greatest number there is: what evidence claims may be of any size.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
