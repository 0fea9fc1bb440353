// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// One session of a connection, which may carry several, one after the other.
struct SessionTally {
  enum End: Equatable {
    /// The evidence ended first.
    case open
    /// Another session began on the same connection.
    case followed
    case reset
    /// TCP ended without a CLOSE frame.
    case cut
    /// TCP ended, as connections without frames of WebSocket do.
    case ended
    /// Code of the CLOSE frame, if it has one, and who began.
    case closed(UInt16?, Direction)
  }

  /// 0 for pasted messages.
  var connection: UInt32
  /// Which one of the connection, from 0.
  var number: UInt16 = 0
  var client = Endpoint.unknown
  var server = Endpoint.unknown
  /// The id that the router gave it.
  var id: UInt64?
  /// Number of the realm's text; 0 when it is not known.
  var realm: Int32 = 0
  var began = Instant.unknown
  var ended = Instant.unknown
  var messages: UInt64 = 0
  var bytes: UInt64 = 0
  /// Messages that report a failure.
  var errors: UInt64 = 0
  var end = End.open
  /// Whether it stands for all sessions for which there was no row.
  var isRest = false

  init(_ connection: UInt32) { self.connection = connection }

  static var rest: SessionTally {
    var rest = SessionTally(0)
    rest.isRest = true
    return rest
  }

  /// Nanoseconds; nil when not known.
  var duration: Int64? {
    guard began.isKnown && ended.isKnown && ended >= began else { return nil }
    let (value, isTooLong) = ended.nanoseconds.subtractingReportingOverflow(began.nanoseconds)
    return isTooLong ? nil : value
  }
}
