// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Passes the content of one body to its reader, and accounts for its bytes.
struct BodyFeed {
  let reader: any HTTPExchangeReader
  /// Nil when the content is not coded.
  private let decoder: ContentDecoder?
  /// Captured bytes of content that the reader has not used or passed yet.
  private var pending = 0
  /// It cannot be decoded any more.
  private var isBroken = false
  /// Content codings that are not read, until their first byte came and that is reported.
  private var unread: String?

  /// - Parameters:
  ///   - head: says which content codings apply.
  ///   - mayHaveMessages: false where the body can only say how the request fared. Carriers send
  ///     messages one way in an exchange: in the request, or in the answer to one without a body.
  init(_ reader: any HTTPExchangeReader, _ head: Head, mayHaveMessages: Bool) {
    self.reader = reader
    let codings = head.list("content-encoding")
      .map { String(decoding: Head.lowered($0.span.bytes), as: Unicode.UTF8.self) }
      .filter { $0 != "identity" }
    decoder = codings.isEmpty ? nil : ContentDecoder(codings)
    isBroken = !codings.isEmpty && decoder == nil
    if isBroken && mayHaveMessages { unread = codings.joined(separator: ", ") }
  }

  mutating func receive(
    _ content: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if let codings = unread { report(codings, delivery, listener) }
    if isBroken { return listener.account(.incomplete, content.byteCount) }
    pending += content.byteCount
    guard let decoder else {
      let use = reader.receive(content, delivery, listener)
      return settle(use, listener)
    }
    var use = HTTPBodyUse()
    let isSound = decoder.receive(content) { use = reader.receive($0, delivery, listener) }
    if isSound { return settle(coded: use, listener) }
    isBroken = true
    giveUp(listener)
    reader.gap(nil, delivery, listener)
  }

  private mutating func report(
    _ codings: String, _ delivery: Delivery, _ listener: any Listener
  ) {
    unread = nil
    listener.finding(
      .unreadCoding, .warning, delivery.origin,
      "the body of this exchange is coded with \(codings), which is not read")
    reader.gap(nil, delivery, listener)
  }

  private mutating func settle(_ use: HTTPBodyUse, _ listener: any Listener) {
    let reported = max(0, pending - use.held - use.incomplete - use.passed)
    if reported > 0 { listener.account(.reported, reported) }
    if use.incomplete > 0 { listener.account(.incomplete, use.incomplete) }
    if use.passed > 0 { listener.account(.http, use.passed) }
    pending -= reported + use.incomplete + use.passed
  }

  /// Decoded content has another size than the captured bytes, so all of these get the same fate.
  private mutating func settle(coded use: HTTPBodyUse, _ listener: any Listener) {
    if use.held > 0 { return }
    listener.account(
      use.incomplete > 0 ? .incomplete : use.passed > 0 ? .http : .reported, pending)
    pending = 0
  }

  private mutating func giveUp(_ listener: any Listener) {
    if pending > 0 { listener.account(.incomplete, pending) }
    pending = 0
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    giveUp(listener)
    unread = nil
    if decoder != nil { isBroken = true }
    reader.gap(missing, delivery, listener)
  }

  /// The body has ended.
  mutating func end(_ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener) {
    if pending > 0 { listener.account(end == .whole ? .reported : .incomplete, pending) }
    pending = 0
    reader.end(end, delivery, listener)
  }
}
