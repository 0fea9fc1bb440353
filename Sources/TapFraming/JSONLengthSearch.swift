// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Finds JSON texts with a length prefix in a stream whose beginning was not captured. It wants two
/// texts that follow each other, or that each begin a segment. Each needs a length in digits or in
/// a `Content-Length` head, and brackets that close exactly there.
public struct JSONLengthSearch {
  /// How the lengths are written, once one was found.
  private(set) var form: LengthFraming.Form?
  private var found = 0
  private let most: Int

  /// Shorter texts do not count: below 10, the hexadecimal size of an HTTP chunk looks the same.
  private static let least = 10

  /// - Parameter most: bytes of the longest message.
  public init(most: Int = 0) { self.most = most }

  /// Examines more bytes; true once it is known how the messages of the stream are delimited.
  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    guard delivery.edges.contains(.start) else { return false }
    var at = 0
    while at < bytes.byteCount, let (form, size) = message(bytes.dropping(at)) {
      if form != self.form { (self.form, found) = (form, 0) }
      found += 1
      if found == 2 { return true }
      at += size
    }
    return false
  }

  /// The message at the beginning of `bytes`, if it is complete.
  private func message(_ bytes: RawSpan) -> (form: LengthFraming.Form, size: Int)? {
    let first = bytes.byte(at: 0)
    let form = first.isDigit ? LengthFraming.Form.digits : .head
    guard form == .digits || first | 0x20 == UInt8(ascii: "c") else { return nil }
    let framing = LengthFraming(form, most: most)
    return framing.whole(bytes, least: Self.least).map { (form, $0) }
  }
}
