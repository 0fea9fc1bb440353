// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Chooses the layers of streams, and keeps them for a transport on another thread. While streams
/// are buffered, the transport owns a `RelayedLayer` for each; the layer itself is kept here, and
/// is called when the buffer is played.
///
/// The transport's thread uses `buffer`, `free` and `places`, the thread of the layers the rest.
/// After `end`, both are the same thread, and calls go straight through.
final class RelayedLayers: Chooser {
  private struct Kept {
    var layer: any Layer = NullLayer()
    /// The layer is final.
    var isSettled = false
  }

  private let layers: LayerFactory
  /// By place; 0 stands for none.
  private let kept = Cell<ContiguousArray<Kept>>([Kept()])
  private let buffer: StreamBuffer
  /// Calls go into the buffer. In a cell, as it is read for each call.
  private let isBuffering = Cell(false)
  private var free: ContiguousArray<UInt32> = []
  private var places: UInt32 = 0

  init(_ layers: LayerFactory, _ buffer: StreamBuffer) {
    (self.layers, self.buffer) = (layers, buffer)
  }

  /// From now on, the calls of the transport go into the buffer.
  func begin() { isBuffering.value = true }

  /// Calls go straight to the layers again: everything buffered was played, or never will be.
  func end() { isBuffering.value = false }

  // MARK: The transport's side

  func layer(for opening: Opening) -> any Layer {
    guard isBuffering.value else { return layers.layer(for: opening) }
    let place = place()
    buffer.open(opening, place)
    return RelayedLayer(place, self)
  }

  func isBeginning(_ bytes: RawSpan) -> Bool { layers.isBeginning(bytes) }
  func isSoleBeginning(_ bytes: RawSpan) -> Bool { layers.isSoleBeginning(bytes) }

  /// Takes over a layer that the transport has called directly so far.
  func adopt(_ layer: any Layer) -> any Layer {
    let place = place()
    keep(layer, place)
    return RelayedLayer(place, self)
  }

  private func place() -> UInt32 {
    if let place = free.popLast() { return place }
    places += 1
    return places
  }

  func relay(_ bytes: RawSpan, _ delivery: Delivery, _ place: UInt32, _ listener: any Listener) {
    if isBuffering.value { return buffer.receive(bytes, delivery, place) }
    receive(bytes, delivery, place, listener)
  }

  func relay(gap missing: Int?, _ delivery: Delivery, _ place: UInt32, _ listener: any Listener) {
    if isBuffering.value { return buffer.gap(missing, delivery, place) }
    gap(missing, delivery, place, listener)
  }

  func relay(
    _ ending: Ending, _ delivery: Delivery, _ place: UInt32, _ listener: any Listener
  ) {
    // A layer that has finished entirely is not called again.
    if ending != .half { free.append(place) }
    if isBuffering.value { return buffer.finish(ending, delivery, place) }
    finish(ending, delivery, place, listener)
  }

  func relay(doubt finding: Finding, _ place: UInt32, _ listener: any Listener) {
    if isBuffering.value { return buffer.doubt(finding, place) }
    doubt(finding, place, listener)
  }

  // MARK: The layers' side

  func open(_ opening: Opening, _ place: UInt32) { keep(layers.layer(for: opening), place) }

  private func keep(_ layer: any Layer, _ place: UInt32) {
    while kept.value.count <= Int(place) { kept.value.append(Kept()) }
    kept.value[Int(place)] = Kept(layer: layer)
  }

  @inline(__always)
  func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ place: UInt32, _ listener: any Listener
  ) {
    kept.value[Int(place)].layer.receive(bytes, delivery, listener)
    if !kept.value[Int(place)].isSettled { settle(place) }
  }

  @inline(never)
  private func settle(_ place: UInt32) {
    while true {
      switch kept.value[Int(place)].layer.settlement {
      case .notYet: return
      case .by(let next): kept.value[Int(place)].layer = next
      case .final: return kept.value[Int(place)].isSettled = true
      }
    }
  }

  func gap(_ missing: Int?, _ delivery: Delivery, _ place: UInt32, _ listener: any Listener) {
    kept.value[Int(place)].layer.gap(missing, delivery, listener)
  }

  func finish(
    _ ending: Ending, _ delivery: Delivery, _ place: UInt32, _ listener: any Listener
  ) {
    kept.value[Int(place)].layer.finish(ending, delivery, listener)
    if ending != .half { kept.value[Int(place)] = Kept() }
  }

  func doubt(_ finding: Finding, _ place: UInt32, _ listener: any Listener) {
    kept.value[Int(place)].layer.doubt(finding, listener)
  }
}

/// What the transport owns of a stream whose layer runs elsewhere.
private struct RelayedLayer: Layer {
  private let place: UInt32
  private let layers: RelayedLayers

  init(_ place: UInt32, _ layers: RelayedLayers) { (self.place, self.layers) = (place, layers) }

  func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    layers.relay(bytes, delivery, place, listener)
  }

  func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    layers.relay(gap: missing, delivery, place, listener)
  }

  func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    layers.relay(ending, delivery, place, listener)
  }

  func doubt(_ finding: Finding, _ listener: any Listener) {
    layers.relay(doubt: finding, place, listener)
  }
}
