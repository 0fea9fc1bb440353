// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension FramingLoss {
  /// The finding that packets were found again; nil when nothing was lost before them.
  ///
  /// - Parameter isCounted: how many were lost was reported before.
  static func resumedPackets(
    _ loss: FramingLoss?, isCounted: Bool, skipped: Int, at origin: Origin, _ seen: Seen
  ) -> Finding? {
    if (loss == nil || isCounted) && skipped == 0 { return nil }
    var text = "packets were recognised again at byte \(origin.offset) of the stream"
    if skipped > 0 {
      text += "; \(counted(skipped, "byte")) before that belong to packets that are not whole"
    }
    var finding = Finding(.mqttResumed, loss == nil ? .note : .warning, origin, text)
    guard let loss, !isCounted else { return finding }
    let about = loss.estimate(skipped: skipped, seen, in: &finding)
    let size = loss.bytes.map { counted($0, "byte") } ?? "an unknown number of bytes"
    finding.text =
      "\(size) were not captured, \(about) \(finding.lostMessages)"
      + " \(finding.lostMessages == 1 ? "packet" : "packets"); " + text
    return finding
  }
}
