// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Passes the content of one body on to its reader, and accounts for it.
struct BodyFeed {
  let reader: any HTTPExchangeReader
  /// Nil when the content is sent as it is.
  private let decoder: ContentDecoder?
  /// Content whose fate the reader has not decided yet, in bytes as they were captured.
  private var pending = 0
  /// It cannot be inflated any more.
  private var isBroken = false

  /// - Parameter head: says how the content is coded.
  init(_ reader: any HTTPExchangeReader, _ head: Head) {
    self.reader = reader
    let codings = head.list("content-encoding").map { Head.lowered($0) }
      .filter { $0 != "identity" }
    decoder = codings.isEmpty ? nil : ContentDecoder(codings)
    isBroken = !codings.isEmpty && decoder == nil
  }

  mutating func receive(
    _ content: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
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

  private mutating func settle(_ use: HTTPBodyUse, _ listener: any Listener) {
    let told = max(0, pending - use.held - use.incomplete - use.passed)
    if told > 0 { listener.account(.told, told) }
    if use.incomplete > 0 { listener.account(.incomplete, use.incomplete) }
    if use.passed > 0 { listener.account(.http, use.passed) }
    pending -= told + use.incomplete + use.passed
  }

  /// What was captured is of another size than what was made of it: it has one fate.
  private mutating func settle(coded use: HTTPBodyUse, _ listener: any Listener) {
    if use.held > 0 { return }
    listener.account(
      use.incomplete > 0 ? .incomplete : use.passed > 0 ? .http : .told, pending)
    pending = 0
  }

  private mutating func giveUp(_ listener: any Listener) {
    if pending > 0 { listener.account(.incomplete, pending) }
    pending = 0
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    giveUp(listener)
    if decoder != nil { isBroken = true }
    reader.gap(missing, delivery, listener)
  }

  /// The body is over.
  mutating func end(_ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener) {
    if pending > 0 { listener.account(end == .whole ? .told : .incomplete, pending) }
    pending = 0
    reader.end(end, delivery, listener)
  }
}
