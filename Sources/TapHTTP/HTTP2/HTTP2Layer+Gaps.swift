// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Gaps. A gap within the content of a DATA frame does no harm. Any other one loses the state of
/// the field sections (HPACK), and the next frame has to be searched for.
extension HTTP2Layer {
  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if streams.inherited != nil { streams.beginInherited(delivery, listener) }
    let half = half(delivery)
    if half.value.isForeign { return }
    if let search = half.value.search {
      if !search.held.isEmpty { skip(search, half, delivery, listener) }
      return
    }
    if delivery.origin.direction == .toClient { streams.dropAnswers(listener) }
    if let missing, passOver(missing, half, delivery, listener) { return }
    if !half.value.carry.isEmpty {
      listener.account(.incomplete, half.value.carry.count)
      half.value.carry.removeAll()
    }
    half.value.block = nil
    half.value.pending = nil
    (half.value.skipping, half.value.prefaceLeft) = (0, 0)
    half.value.search = HTTP2Search(isNew: false, limits)
    if delivery.origin.direction == .toServer && !half.value.hasFields && !isMidstream {
      half.value.mayBeFirst = true
    } else {
      loseHeaders(half, delivery, listener)
    }
    // A SETTINGS frame lost in the gap may have allowed the other side a larger table.
    other(delivery).value.headers.allow(.max)
    streams.gap(delivery, listener)
  }

  /// Whether the gap lies within one frame, whose end is then still known.
  private mutating func passOver(
    _ missing: Int, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    if half.value.skipping >= missing && half.value.skipping > 0 {
      half.value.skipping -= missing
      return true
    }
    guard let pending = half.value.pending, pending.left > missing else { return false }
    half.value.pending!.left -= missing
    streams.gap(missing, of: pending.stream, delivery, listener)
    return true
  }

  /// How many new streams may have been opened within a gap: a frame with a higher number is not
  /// accepted.
  private static let mostLostStreams: UInt32 = 2000

  /// After a gap, or if the connection was joined midway: holds the bytes until frames are found in
  /// them.
  mutating func search(
    _ bytes: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    // If the connection was joined midway, the highest stream of one side says nothing of the
    // other's.
    let highest =
      isMidstream ? HTTP2Frame.highestStream : highestStream + Self.mostLostStreams
    if let place = half.value.search!.look(bytes, delivery, upTo: highest) {
      return resume(at: place, half, delivery, listener)
    }
    if half.value.search!.isHopeless || half.value.search!.isFull(limits) {
      skip(half.value.search!, half, delivery, listener)
    }
  }

  /// No more bytes come from one side: decides on what is held.
  mutating func endSearch(
    _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let search = half.value.search, !search.held.isEmpty else { return }
    if let place = search.last(isKnown: { streams.all[$0]?.isOpen == true }) {
      return resume(at: place, half, delivery, listener)
    }
    skip(search, half, delivery, listener)
  }

  private mutating func resume(
    at place: HTTP2Search.Beginning, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let search = half.value.search!
    if place.skipped > 0 { reportSkipped(place.skipped, search, delivery, listener) }
    (half.value.search, half.value.hasBegun) = (nil, true)
    for case .bytes(let range, let delivery) in search.held.pieces[place.piece...] {
      receive(search.held.store.bytes[range], delivery, listener)
    }
  }

  private mutating func skip(
    _ search: HTTP2Search, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    half.value.search = HTTP2Search(isNew: search.isNew, limits)
    reportSkipped(search.held.count, search, delivery, listener)
  }

  private mutating func reportSkipped(
    _ count: Int, _ search: HTTP2Search, _ delivery: Delivery, _ listener: any Listener
  ) {
    listener.account(.skipped, count)
    if search.isNew { return }
    reportOnce(
      .framingLost, .warning, delivery, listener,
      "\(opening.client) → \(opening.server): HTTP/2 frames after a gap cannot be separated"
        + " until two of them follow each other from where a segment or a TLS record begins")
  }
}
