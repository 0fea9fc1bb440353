// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are printed once more, behind other words: by another layer of the program, or
/// where something is said of them. That two lines are of one message is certain only for WELCOME,
/// whose id no other has; it is then known of all that stand behind the same words. What repeats a
/// request and does not say that it is sent speaks of it.
struct LogEchoes {
  private struct Print {
    var text: UInt64
    var skeleton: UInt64
    var line: UInt64
    var isUnsaid: Bool
    /// The exchange that it begins, until it is answered.
    var opens: UInt64
  }

  /// Messages that are remembered, and lines that may come between those of two layers.
  private static let most = 16
  private static let furthest: UInt64 = 16
  /// Pairs of lines that are remembered.
  private static let mostLayers = 64

  private var prints = ContiguousArray<Print>()
  /// Where the next one goes, once there are so many.
  private var oldest = 0
  /// Skeletons of both lines, the later one second.
  private var layers = IDTable<Bool>()

  /// Whether this message was printed before.
  mutating func isEcho(_ sight: LogSight, _ bytes: RawSpan) -> Bool {
    if sight.likeness.begins { (prints, oldest) = ([], 0) }
    let way = sight.match?.way ?? .unsaid
    // Two programs of one log may both print what one sends and the other receives.
    let source = sight.source.isEmpty ? 0 : UInt64(truncatingIfNeeded: sight.source.hashValue)
    let print = Print(
      text: bytes.fingerprint ^ source, skeleton: sight.skeleton, line: sight.origin.record,
      isUnsaid: way == .unsaid, opens: sight.likeness.opens)
    for index in prints.indices {
      if sight.likeness.answers != 0 && prints[index].opens == sight.likeness.answers {
        (prints[index].text, prints[index].opens) = (0, 0)
      }
      let other = prints[index]
      if other.text != print.text { continue }
      if sight.likeness.opens != 0 && print.isUnsaid != other.isUnsaid { return true }
      if print.line - min(print.line, other.line) > Self.furthest { continue }
      let pair = WideKey(other.skeleton, print.skeleton)
      if sight.likeness.session != 0 {
        if layers.count < Self.mostLayers { layers[pair] = true }
        return true
      }
      if other.skeleton != print.skeleton && layers[pair] != nil { return true }
    }
    if prints.count < Self.most {
      prints.append(print)
    } else {
      prints[oldest] = print
      oldest = (oldest + 1) % Self.most
    }
    return false
  }
}
