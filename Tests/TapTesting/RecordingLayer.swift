// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// What a layer received, for comparison in tests.
public final class LayerLog {
  public struct Chunk: Sendable {
    public var bytes: [UInt8]
    public var delivery: Delivery
  }

  public struct Gap: Sendable {
    public var missing: Int?
    public var delivery: Delivery
  }

  public let opening: Opening
  public private(set) var chunks: [Chunk] = []
  public private(set) var gaps: [Gap] = []
  public private(set) var endings: [Ending] = []
  /// All events, in order: `toServer@0 hello`, `toClient gap 5@10`, `closed unknown`.
  public private(set) var lines: [String] = []

  public init(_ opening: Opening) { self.opening = opening }

  /// All bytes of one direction, ignoring gaps.
  public func bytes(_ direction: Direction) -> [UInt8] {
    chunks.filter { $0.delivery.origin.direction == direction }.flatMap(\.bytes)
  }

  public func text(_ direction: Direction) -> String {
    String(decoding: bytes(direction), as: Unicode.UTF8.self)
  }

  func receive(_ bytes: [UInt8], _ delivery: Delivery) {
    chunks.append(Chunk(bytes: bytes, delivery: delivery))
    let text = String(decoding: bytes, as: Unicode.UTF8.self)
    lines.append("\(delivery.origin.direction)@\(delivery.origin.offset) \(text)")
  }

  func gap(_ missing: Int?, _ delivery: Delivery) {
    gaps.append(Gap(missing: missing, delivery: delivery))
    let count = missing.map { String($0) } ?? "?"
    lines.append("\(delivery.origin.direction) gap \(count)@\(delivery.origin.offset)")
  }

  func finish(_ ending: Ending, _ delivery: Delivery) {
    endings.append(ending)
    lines.append("\(ending) \(delivery.origin.direction)")
  }
}

/// A layer that records what it receives.
public struct RecordingLayer: Layer {
  public let lent: LayerLog

  public init(_ lent: LayerLog) { self.lent = lent }

  public mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _: any Listener) {
    lent.receive(bytes.copied(), delivery)
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _: any Listener) {
    lent.gap(missing, delivery)
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _: any Listener) {
    lent.finish(ending, delivery)
  }
}

/// Chooses a `RecordingLayer` for everything, and keeps their records in order.
public final class RecordingChooser: Chooser {
  public private(set) var all: [LayerLog] = []

  public init() {}

  public func layer(for opening: Opening) -> any Layer {
    let lent = LayerLog(opening)
    all.append(lent)
    return RecordingLayer(lent)
  }

  /// The total number of lent bytes.
  public var delivered: Int { all.flatMap(\.chunks).reduce(0) { $0 + $1.bytes.count } }

  /// Whether bytes begin a connection.
  public func isBeginning(_ bytes: RawSpan) -> Bool { bytes.starts(with: "GET ") }
}
