// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Finds JSON texts behind their lengths in a stream whose beginning was not captured: two that
/// follow each other, or that segments begin with, each with a length in digits or in a head behind
/// which the brackets of a text close.
public struct JSONLengthSearch {
  /// How lengths are written, where one was found.
  private(set) var form: LengthFraming.Form?
  private var found = 0
  private let most: Int

  /// The size of a chunk of HTTP is hexadecimal, which is another number from here on.
  private static let least = 10

  /// - Parameter most: bytes of the longest message.
  public init(most: Int = 0) { self.most = most }

  /// Whether it is known how the messages of a stream are delimited.
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

  /// The message that bytes begin with, if it is whole.
  private func message(_ bytes: RawSpan) -> (form: LengthFraming.Form, size: Int)? {
    let first = bytes.byte(at: 0)
    let form = first.isDigit ? LengthFraming.Form.digits : .head
    guard form == .digits || first | 0x20 == UInt8(ascii: "c") else { return nil }
    let framing = LengthFraming(form, most: most)
    return framing.whole(bytes, least: Self.least).map { (form, $0) }
  }
}
