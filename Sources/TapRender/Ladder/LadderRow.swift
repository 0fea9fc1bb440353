// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of a message, of a finding or of an end until it is drawn.
struct LadderRow {
  enum Kind { case message, finding, ending }

  /// A piece of a label, escaped.
  struct Part {
    /// In the store of the page.
    var range = ByteRange()
    var columns = 0
    /// A URI says most at its end: what has to be cut is cut at its beginning.
    var isURI = false
    /// An id says nothing by a half: it is shown whole or not at all.
    var isWhole = false
  }

  var kind: Kind
  /// Of the message; of a finding the message that it is about, or 0.
  var index: UInt64 = 0
  var connection: UInt32
  var session: UInt16 = 0
  /// Place in the servers of the page.
  var server = 0
  /// Which input, from 0.
  var input: Int
  var direction: Direction
  var time: Instant
  var precision: UInt8
  /// Its clock is one whose zone is not known.
  var isLocal: Bool
  /// Where it was found.
  let origin: Origin
  var latency: Int64 = -1
  /// Digits of the coarser of the clocks of the latency.
  var latencyPrecision: UInt8
  /// What it takes to show it; 0 for none.
  var latencyColumns = 0
  /// Place in the exchanges of the page; negative for none.
  var exchange = -1
  /// It belongs to its exchange by what it says, not by an id.
  var isInferred = false
  var isReply = false
  var isFailure = false
  /// `CALL 7`, and the same where there is little room.
  var head = Part()
  var brief = Part()
  /// Places in the parts of the page, by importance.
  var parts = ByteRange()

  init(_ kind: Kind, _ origin: Origin, connection: UInt32) {
    (self.kind, self.connection) = (kind, connection)
    input = Int(origin.input)
    (direction, time, precision) = (origin.direction, origin.time, origin.precision)
    (isLocal, latencyPrecision, self.origin) = (origin.isLocal, origin.precision, origin)
  }
}
