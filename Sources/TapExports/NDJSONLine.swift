// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// One line of our own NDJSON (wamptap-ndjson(5)), its keys in any order.
struct NDJSONLine {
  enum Event: Equatable {
    case connection, message, finding, summary
  }

  var event: Event?
  var state: [UInt8] = []
  /// Nil where it is `null`: pasted.
  var connection: Int64?
  var index: Int64?
  var time: ExportTime?
  var direction = Direction.unknown
  /// The run that wrote the line has inferred the direction: it is inferred again.
  var isDirectionInferred = false
  var dialect: [UInt8] = []
  var name: [UInt8] = []
  var client: [UInt8] = []
  var server: [UInt8] = []
  var url: [UInt8] = []
  var subprotocol: [UInt8] = []
  var extensions: [[UInt8]] = []
  /// For a connection that was read from a log: what wrote that log.
  var writer: [UInt8] = []
  var isOfOneEnd = false
  var isRawSocket = false
  var security: Opening.Security?
  var mostOctets: Opening.MostOctets?
  var by = Direction.unknown
  /// For a closing, its number; for a finding, its name.
  var code: [UInt8] = []
  var severity: [UInt8] = []
  var reason: [UInt8] = []
  var isReset = false
  var transport: [UInt8] = []
  var lostBytes: UInt64 = 0
  var lostMessages: UInt64 = 0
  /// Values as they are written.
  var body = Scratch()
  var raw = Scratch()
  var ids = Scratch()
  /// The bytes that are not known of a text are not ASCII.
  var isDotted = false
  /// `body` or `raw` is larger than the limit.
  var isTooLarge = false

  var opening: Opening {
    func endpoint(_ text: [UInt8]) -> Endpoint {
      Endpoint(String(decoding: text, as: Unicode.UTF8.self)) ?? .unknown
    }
    // Where the handshake was not captured, the URL is not known.
    var opening = Opening(
      isRawSocket ? .rawSocket : .webSocket, client: endpoint(client), server: endpoint(server),
      isFromStart: isRawSocket || !url.isEmpty && writer.isEmpty)
    (opening.url, opening.subprotocol, opening.extensions) = (url, subprotocol, extensions)
    (opening.mostOctets, opening.provenance.isTranscoded) = (mostOctets, true)
    opening.provenance.isWrittenWhole = opening.isFromStart
    opening.provenance.isOfOneEnd = isOfOneEnd
    (opening.provenance.writer, opening.security) = (writer, security)
    return opening
  }

  /// How transports end (RFC 9293 §3.1, RFC 9113 §6).
  private static let transportEnds: [StaticString] = ["FIN", "RST", "END_STREAM", "RST_STREAM"]

  var closing: Closing {
    let code = UInt16(String(decoding: code, as: Unicode.UTF8.self))
    var closing = Closing(
      by: by, code: code, reason: reason, isUnfinished: state.elementsEqual("unfinished".utf8),
      isReset: isReset)
    closing.hasFrame = code != nil
    closing.isEndMissed = code == nil && by == .unknown
    closing.endsWithFrame = !isRawSocket
    let end = Self.transportEnds.first { transport.elementsEqual($0.description.utf8) }
    closing.transportEnd = end ?? ""
    return closing
  }
}
