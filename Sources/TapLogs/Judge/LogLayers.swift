// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Some programs print what they send and receive in several layers, as messages, as frames and as
/// bytes: the same several times. Only the uppermost layer is read, which has the lowest number;
/// the first lines show which one that is.
struct LogLayers {
  /// How many lines may wait until that is known, and how many with those of handshakes.
  private static let (most, mostOfAll) = (4, 64)
  /// Printers that are remembered.
  private static let mostKeys = 1024

  /// What is printed in the same layer throughout.
  struct Key: Hashable {
    /// Index of the format in `LogFormats.all`.
    let format: Int
    let source: String
    let end: LogEnd
    /// A program may print what it sends in other layers than what it receives.
    let direction: LogDirection

    /// What the same program prints of what the other end sends.
    var ofOtherEnd: Key {
      Key(
        format: format, source: source, end: end, direction: direction == .sent ? .received : .sent)
    }
  }

  /// Who prints a line, and in which layer.
  struct Printer {
    let key: Key
    let layer: UInt8
    let side: LogFormat.Side
    /// It prints octets of the handshake, which no other layer prints: they do not show which layer
    /// messages are printed in.
    var isHandshake = false
  }

  /// A line that waits.
  struct Line {
    let printer: Printer
    var line: [UInt8]
    /// The line before it.
    var before: [UInt8]
    var origin: Origin
    var anchors: LogAnchors
    /// Lines that it consists of.
    var height: UInt64
    /// What was known of it.
    var facts: LineFacts
  }

  /// Those that print messages; nil where that is not known.
  private var layers: [Key: UInt8] = [:]
  /// Lines that wait until the layer of their printer is known.
  private(set) var waiting: [Line] = []
  /// Those whose handshake has waited: another does not.
  private var begun: Set<Key> = []

  var isFull: Bool {
    waiting.count { !$0.printer.isHandshake } >= Self.most || waiting.count >= Self.mostOfAll
  }

  /// Whether a higher layer of the same program prints the same message.
  mutating func isPrintedElsewhere(_ printer: Printer) -> Bool {
    let (key, layer) = (printer.key, printer.layer)
    if layer == 0 { return false }
    if printer.isHandshake {
      // It is of use to messages that are read as octets, whoever sends them.
      return [key, key.ofOtherEnd].contains { layers[$0].map { layer > $0 } ?? false }
    }
    let known = layers[key] ?? layer
    if layer <= known { settle(key, layer) }
    // What waits is printed by the uppermost layer, too.
    if layer == 1 { waiting.removeAll { $0.printer.key == key } }
    return layer > known
  }

  private mutating func settle(_ key: Key, _ layer: UInt8) {
    if layers.count >= Self.mostKeys && layers[key] == nil { layers.removeAll() }
    layers[key] = layer
  }

  /// Keeps a line of a lower layer until it is known whether a higher one prints the same; answers
  /// false once that is known.
  mutating func keep(_ line: LogLine, _ printer: Printer, _ facts: LineFacts) -> Bool {
    guard printer.layer > 1, layers[printer.key] == nil,
      !printer.isHandshake || !begun.contains(printer.key)
    else { return false }
    waiting.append(
      Line(
        printer: printer, line: line.text.copied(), before: line.above.copied(),
        origin: line.origin, anchors: line.anchors, height: line.height, facts: facts))
    return true
  }

  /// Settles which layers are read, the uppermost that have printed something, and returns all
  /// lines that waited.
  mutating func decide() -> [Line] {
    for line in waiting {
      let (key, layer) = (line.printer.key, line.printer.layer)
      if line.printer.isHandshake {
        if begun.count >= Self.mostKeys { begun.removeAll() }
        begun.insert(key)
      } else {
        settle(key, min(layers[key] ?? layer, layer))
      }
    }
    defer { waiting.removeAll() }
    return waiting
  }
}
