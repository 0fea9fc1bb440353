// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Some programs print what they send and receive in several layers, as messages, as frames and as
/// bytes: the same several times. Only the uppermost layer is read, which has the lowest number;
/// the first lines show which one that is.
struct LogLayers {
  /// How many lines may wait until that is known.
  private static let most = 4

  /// A line that waits.
  struct Line {
    /// Index of its format in `LogFormats.all`.
    fileprivate var format: Int
    /// The layer of its rule.
    fileprivate var layer: UInt8
    var line: [UInt8]
    /// The line before it.
    var before: [UInt8]
    var origin: Origin
    var anchors: LogAnchors
    /// Lines that it consists of.
    var height: UInt64
  }

  /// The layer of each format that prints its messages; nil where it is not known.
  private var layers = ContiguousArray<UInt8?>(repeating: nil, count: LogFormats.all.count)
  /// Lines that wait until the layer of their format is known.
  private(set) var waiting: [Line] = []

  var isFull: Bool { waiting.count >= Self.most }

  /// Whether a higher layer of the same program prints the same message.
  @inline(__always)
  mutating func isPrintedElsewhere(_ match: LogMatch?) -> Bool {
    guard let match, match.format.traits.contains(.layered), let layer = match.rule?.layer,
      layer > 0
    else { return false }
    let known = layers[match.formatIndex] ?? layer
    layers[match.formatIndex] = min(known, layer)
    // What waits is printed by the uppermost layer, too.
    if layer == 1 { waiting.removeAll { $0.format == match.formatIndex } }
    return layer > known
  }

  /// Keeps a line of a lower layer until it is known whether a higher one prints the same; answers
  /// false once that is known.
  mutating func keep(_ line: LogLine, _ match: LogMatch) -> Bool {
    guard match.format.traits.contains(.layered), let layer = match.rule?.layer, layer > 1,
      layers[match.formatIndex] == nil
    else { return false }
    waiting.append(
      Line(
        format: match.formatIndex, layer: layer, line: line.text.copied(),
        before: line.above.copied(),
        origin: line.origin, anchors: line.anchors, height: line.height))
    return true
  }

  /// Settles which layer is read, the uppermost that has printed something, and returns all lines
  /// that waited.
  mutating func decide() -> [Line] {
    for line in waiting {
      layers[line.format] = min(layers[line.format] ?? line.layer, line.layer)
    }
    defer { waiting.removeAll() }
    return waiting
  }
}
