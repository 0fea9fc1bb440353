// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A message that was found in a log, before anybody decides what to make of it.
struct LogCandidate {
  var recognition: Recognition
  var kind: Delivery.Kind
  var match: LogMatch?
  /// The shape of the text before it (`LogRules.shape`).
  var shape: UInt64
  /// The number of its line, its own offset, and its time.
  var origin: Origin
  /// Lines that it stands on.
  var height: UInt64 = 1
  /// As the line names them.
  var session: UInt64 = 0
  var writer = ""
  /// Who wrote the line, where the log is gathered from several; see `LogSources`.
  var source = ""
  /// The other end, where the line names it.
  var peer: [UInt8] = []
  /// The side that writes, as far as the line shows.
  var side = LogFormat.Side.unknown
  /// The end of the connection that wrote its line.
  var end = LogEnd.first
  /// How it is printed.
  var traits: FoundMessage.Traits = []
  /// Bytes that were sent, where the line says so; 0 where it does not.
  var length = 0
  /// For a message of bytes that is incomplete: how many bytes of its beginning are there.
  var certain = 0

  /// Whether something of the message is missing.
  var isCut: Bool { kind == .abridged || certain > 0 }

  /// Whether something of what was sent is not printed, or not understood.
  var isIncomplete: Bool { isCut && !traits.contains(.reworded) }
}
