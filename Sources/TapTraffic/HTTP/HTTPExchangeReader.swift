// SPDX-License-Identifier: Apache-2.0

/// Reads the bodies of one HTTP exchange: of the request, and of the response to it. It is lent
/// content as it arrives, with chunk framing and content codings removed; the direction of the
/// delivery says which body it is (RFC 9112 §6, §7).
public protocol HTTPExchangeReader: AnyObject {
  /// The exchange belongs to a session that an earlier request began.
  var continuesSession: Bool { get }

  /// The head of the final response came.
  ///
  /// - Parameters:
  ///   - status: RFC 9110 §15.
  ///   - contentType: the media type of its body; empty when the head names none.
  func answered(
    status: Int, contentType: [UInt8], _ delivery: Delivery, _ listener: any Listener)

  /// The next bytes of a body.
  func receive(_ body: RawSpan, _ delivery: Delivery, _ listener: any Listener) -> HTTPBodyUse

  /// Bytes of a body, or between two exchanges, were not captured or cannot be read. What was held
  /// back is given up.
  func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener)

  /// The body of this direction has ended, or there was none. With the response, the exchange is
  /// over.
  ///
  /// - Parameter end: how.
  func end(_ end: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener)
}
