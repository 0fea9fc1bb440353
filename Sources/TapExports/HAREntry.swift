// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What is read of one entry of a HAR until it ends.
struct HAREntry {
  /// Where it begins.
  var offset: UInt64 = 0
  /// The number of its conversation; 0 while it has shown no messages.
  var flow: UInt32 = 0
  var isOpen = false
  var hasMessages = false
  var started: ExportTime?
  /// Nanoseconds until the answer was there.
  var elapsed: Int64 = 0
  /// Of these, those from the head of the answer to its end; nil where nobody measured it.
  var receiving: Int64?
  var address: [UInt8] = []
  var heads = ExportedHeads()
  /// The header field that is read.
  var field: (name: [UInt8], value: [UInt8]) = ([], [])
  var body = (request: ExportedBody(), response: ExportedBody())
  /// How the body of the answer is written: `base64`, or as it was sent.
  var encoding: [UInt8] = []
  var close = Closing()
  var closeTime: ExportTime?
  var hasClose = false
  /// What the recorder says went wrong, kept until it is known with whom.
  private(set) var errors: [(text: String, origin: Origin, digits: UInt8)] = []
  /// How many errors are kept. There are few, as an error ends the connection.
  private static let mostErrors = 16

  init(offset: UInt64 = 0) { self.offset = offset }

  mutating func note(error text: String, _ origin: Origin, _ digits: UInt8) {
    if errors.count < Self.mostErrors { errors.append((text, origin, digits)) }
  }

  /// For people.
  var name: String {
    heads.url.isEmpty
      ? "a connection"
      : String(decoding: heads.url.prefix { $0 != UInt8(ascii: "?") }, as: Unicode.UTF8.self)
  }

  /// It is a request and its answer whose bodies may carry messages.
  var isExchange: Bool {
    flow == 0 && heads.mayCarryMessages && (!heads.asksForInfo || body.response.isWhole)
  }

  private var server: Endpoint {
    let address = Endpoint.address(String(decoding: address, as: Unicode.UTF8.self))
    return address.map { Endpoint(address: $0, port: heads.port) } ?? .unknown
  }

  var opening: Opening {
    var opening = Opening(
      .webSocket, client: .unknown, server: server, isFromStart: heads.isAccepted)
    opening.url = heads.webSocketURL
    (opening.request, opening.response) = (heads.request, heads.response)
    (opening.provenance.isWrittenWhole, opening.provenance.isOfOneEnd) = (heads.isAccepted, true)
    return opening
  }

  /// The request and its answer, without what HTTP has put around the bodies: a HAR has them
  /// decoded.
  var exchange: ExportedExchange {
    var bodies = body
    if encoding.elementsEqual("base64".utf8) { bodies.response.decode() }
    let times = ExportedExchange.Times(
      asked: started, began: receiving.flatMap { started?.adding(max(0, elapsed) - $0) },
      answered: started?.adding(elapsed))
    return ExportedExchange(
      heads, server: server, bodies, isCoded: false, times, offset: offset)
  }
}
