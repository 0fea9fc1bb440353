// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
internal import TapBytes
internal import TapInspector
public import TapNames
public import TapTraffic

/// Tests a dialect: its messages are joined, masked and rendered in two ways.
public struct DialectBench {
  private let opening: Opening
  private let renderer: BothRenderers
  private let inspector: Inspector
  private let listener: RangeCheck
  private let limits: Limits
  private var layer: any Layer
  private var origin = Origin(
    time: Instant(nanoseconds: 0), record: 1, flow: 1, direction: .toServer)

  /// - Parameter mode: its bits choose whether the beginning was captured (0), the limits (2),
  ///   whether secrets are shown (3), and a width (4); bit 1 leaves out the subprotocol.
  public init(
    _ mode: UInt8, subprotocol: StaticString, names: Names = Names(),
    _ make: (Opening, Limits) -> any Layer
  ) {
    var opening = Opening(.webSocket, isFromStart: mode & 1 == 0)
    if mode & 2 == 0 { opening.subprotocol = Array("\(subprotocol)".utf8) }
    self.opening = opening
    limits = mode & 4 == 0 ? .roomy : .tight
    var options = Inspector.Options()
    options.limits = limits
    options.showsSecrets = mode & 8 != 0
    options.names = names
    renderer = BothRenderers(width: mode & 16 == 0 ? nil : 40)
    inspector = Inspector(renderer, options)
    listener = RangeCheck(inspector)
    listener.opened(opening, Delivery(origin))
    layer = make(opening, limits)
  }

  /// - Parameter order: its lowest bit chooses the sender.
  public mutating func say(
    _ message: UnsafeRawBufferPointer, _ order: UInt8, _ kind: Delivery.Kind
  ) {
    if order & 1 == 0 { origin.direction = origin.direction.reversed }
    origin.time.nanoseconds += 1_000_000
    origin.record += 1
    lend(message) { message in
      // The layer below guarantees that text is UTF-8.
      if kind == .text && UTF8.firstInvalid(in: message) != nil { return }
      layer.receive(message, Delivery(origin, kind), listener)
    }
  }

  /// One message per line; the sides alternate unless its first byte chooses.
  public mutating func sayLines(_ lines: Slice<UnsafeRawBufferPointer>) {
    let kinds: [Delivery.Kind] = [.text, .binary, .brokenText, .text]
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: true) {
      let order = line.first! < 0x20 ? line.first! : 0
      let message = UnsafeRawBufferPointer(rebasing: order > 0 ? line.dropFirst() : line)
      say(message, order, kinds[Int(order >> 1 & 3)])
    }
  }

  public mutating func finish() {
    layer.finish(.closed, Delivery(origin), listener)
    inspector.finish(hasPackets: true)
    inspector.withText { expectNDJSON($0.bytes) }
    renderer.withLines { expectClean($0.bytes) }
  }
}
