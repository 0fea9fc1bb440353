// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// An HTTP request and its answer whose bodies may have messages, as polling carries them. It is
/// given on as the stream of a connection (RFC 9112), which is read like that of a capture.
struct ExportedExchange {
  private let opening: Opening
  private let heads: ExportedHeads
  private let body: (request: ExportedBody, response: ExportedBody)
  /// The fields that say what is in the bodies.
  private let fields: [String]
  private var times: Times
  /// Where it begins in the export.
  private let offset: UInt64

  struct Times {
    /// When the request began.
    var asked: ExportTime?
    /// When the head of the answer came; nil where the export does not say.
    var began: ExportTime?
    /// When all of the answer was there.
    var answered: ExportTime?
  }

  /// - Parameter isCoded: the bodies are there as they were sent, with their content codings.
  init(
    _ heads: ExportedHeads, client: Endpoint = .unknown, server: Endpoint,
    _ body: (request: ExportedBody, response: ExportedBody), isCoded: Bool,
    _ times: Times, offset: UInt64
  ) {
    (self.heads, self.body, self.times, self.offset) = (heads, body, times, offset)
    self.times.answered = times.answered ?? times.asked
    fields = isCoded ? ["content-type", "content-encoding"] : ["content-type"]
    var opening = Opening(.stream, client: client, server: server, isFromStart: true)
    (opening.provenance.isOfOneEnd, opening.provenance.isWrittenWhole) = (true, true)
    if heads.isSecure {
      opening.security = Opening.Security(
        version: "TLS", cipherSuite: "", serverName: [], applicationProtocol: [])
    }
    self.opening = opening
  }

  /// - Parameter records: how many messages and bodies the export had so far.
  func give(to queue: inout ExportQueue, _ records: inout UInt64) {
    let flow = queue.begin()
    queue.open(flow, opening, times.asked, at: offset)
    let request =
      heads.method + [.space] + heads.url + Array(" HTTP/1.1\r\n".utf8)
      + heads.fields(fields, ofResponse: false)
    // A GET has no body (RFC 9110 §9.3.1).
    let isGet = heads.method.elementsEqual("GET".utf8)
    records += 1
    let client = ExportQueue.Source(
      flow: flow, direction: .toServer, time: times.asked, record: records, offset: 0)
    queue.stream(request, isGet ? ExportedBody(size: 0) : body.request, client, client)
    let status = heads.answer
    if !status.isEmpty {
      let response =
        Array("HTTP/1.1 ".utf8) + status + Array(" \r\n".utf8)
        + heads.fields(fields, ofResponse: true)
      records += 1
      var server = ExportQueue.Source(
        flow: flow, direction: .toClient, time: times.answered, record: records, offset: 0)
      var rest = server
      if heads.isStreamed {
        // Its messages came one by one. The first came with the head, if it opens a session; when
        // the others did is not known.
        (server.time, server.latest) = (times.began, times.began ?? times.asked)
        (rest.time, rest.latest) = (nil, times.answered)
      }
      queue.stream(response, body.response, server, rest)
    }
    queue.close(flow, Closing(isUnfinished: status.isEmpty), times.answered, at: offset)
  }
}

/// The body of a request or of its answer, as far as an export has it.
struct ExportedBody {
  private(set) var content = Scratch()
  /// How many bytes it had; nil where the export does not say.
  var size: Int64?
  private var isHere = false

  init(size: Int64? = nil) { self.size = size }

  /// Whether all of it is in `content`.
  var isWhole: Bool { isHere || size == 0 }

  mutating func take(_ bytes: RawSpan, isWhole: Bool) {
    content.append(bytes)
    isHere = isWhole
  }

  /// It was taken as base64.
  mutating func decode() {
    var octets = Scratch()
    if Base64.decode(content.bytes, into: &octets) != nil { isHere = false }
    content = octets
  }
}

extension ExportQueue {
  /// A head, without what says how long its body is, and the body, which is missing where the
  /// export does not have it whole.
  ///
  /// - Parameter rest: of what did not come with the head.
  fileprivate mutating func stream(
    _ head: [UInt8], _ body: ExportedBody, _ source: Source, _ rest: Source
  ) {
    var bytes = Scratch()
    bytes.append(head.span.bytes)
    // One that is not whole may have had any length (RFC 9112 §7.1).
    bytes.append(
      body.isWhole ? "Content-Length: \(body.content.count)" : "Transfer-Encoding: chunked")
    bytes.append("\r\n\r\n")
    let begin = body.isWhole ? ExportedHeads.endOfOpening(body.content.bytes) : 0
    bytes.append(body.content.bytes.extracting(0..<begin))
    message(nil, bytes.bytes, source)
    guard body.isWhole else { return gap(rest) }
    if begin == body.content.count { return }
    var later = rest
    later.offset += UInt64(bytes.count)
    message(nil, body.content.bytes.dropping(begin), later)
  }
}
