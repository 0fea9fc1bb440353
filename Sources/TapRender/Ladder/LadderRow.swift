// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of a message, of a finding or of an end until it is drawn. A page keeps many and
/// reads them often, so it is small.
struct LadderRow: BitwiseCopyable {
  enum Kind { case message, finding, ending }

  /// A piece of a label, escaped.
  struct Part: BitwiseCopyable {
    /// In the store of the page.
    var range = ByteRange()
    private var width: UInt16 = 0
    /// A URI says most at its end: what has to be cut is cut at its beginning.
    var isURI = false
    /// An id says nothing by a half: it is shown whole or not at all.
    var isWhole = false

    init() {}

    init(_ range: ByteRange, columns: Int, isURI: Bool, isWhole: Bool) {
      (self.range, width) = (range, UInt16(columns))
      (self.isURI, self.isWhole) = (isURI, isWhole)
    }

    var columns: Int { Int(width) }
  }

  var kind: Kind
  /// The message in output order, from 1; for a finding the message that it is about, or 0.
  var index: UInt64 = 0
  var connection: UInt32
  var session: UInt16 = 0
  /// Place in the servers of the page.
  var server = 0
  /// Where it was found.
  let origin: Origin
  var latency: Int64 = -1
  /// Digits of the coarser of the clocks of the latency.
  var latencyPrecision: UInt8
  /// The columns of the latency; 0 for none.
  var latencyColumns = 0
  /// Place in the exchanges of the page; negative for none.
  var exchange = -1
  /// It was joined to its exchange by subject and payload, not by an id.
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
    (latencyPrecision, self.origin) = (origin.precision, origin)
  }

  /// Which input, from 0.
  var input: Int { Int(origin.input) }
  var direction: Direction { origin.direction }
  var time: Instant { origin.time }
  var precision: UInt8 { origin.precision }
  /// The zone of its clock is not known.
  var isLocal: Bool { origin.isLocal }
}
