// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// More than `Limits.undecidedBytes` came on a stream ahead of the answer to its extended CONNECT
  /// (RFC 8441 §5).
  static let answerLate: Self = "http2.answer-late"
  /// A frame breaks the rules for its type, or what comes is no frame (RFC 9113 §4.2, §6).
  static let badFrame: Self = "http2.bad-frame"
  /// Field sections cannot be read any more (RFC 7541 §2.3).
  static let headersLost: Self = "http2.headers-lost"
  /// Where frames begin is not known behind a gap.
  static let framingLost: Self = "http2.framing-lost"
  /// The beginning of the connection was not captured; it was recognised by its frames.
  static let midstream: Self = "http2.midstream"
  /// GOAWAY with the code of an error (RFC 9113 §6.8).
  static let goAway: Self = "http2.goaway"
  /// More than `Limits.streams` WebSocket streams on one connection.
  static let tooManyStreams: Self = "http2.too-many-streams"
}
