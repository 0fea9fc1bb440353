// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapFraming
import TapHTTP
public import TapNames
import TapRawSocket
import TapTLS
public import TapTraffic
import TapWebSocket

/// Chooses the layer that another carries: the one place where layers meet.
public final class LayerFactory: Chooser {
  let limits: Limits
  /// What conversations have in common.
  private(set) lazy var run = context()
  private let applications: [JSONApplication]
  /// Whether frames and heads of HTTP are wanted.
  let tellsFrames: Bool
  private let secrets: Secrets
  /// Where payloads of WebSocket are unmasked, one at a time: none carries another connection.
  private let plain = Cell(Scratch())
  /// Numbers of conversations that are no TCP connection of their own.
  let flows: FlowNumbers
  /// The dialect that was named, whatever messages look like.
  private let forced: (any Dialect)?

  /// What conversations may be said to speak.
  public static var dialects: [String] { Dialects.all.map { "\($0.name)" } }

  /// Those whose messages a names file may say how to read.
  public static var dialectsWithRules: [String] {
    Dialects.all.filter(\.takesMessageRules).map { "\($0.name)" }
  }

  /// - Parameters:
  ///   - dialect: one of `dialects`, which everything speaks; nil where it is to be found.
  ///   - messages: how the JSON of applications is read.
  public init(
    limits: Limits, secrets: Secrets, tellsFrames: Bool = false, dialect: String? = nil,
    messages: [MessageRule] = []
  ) {
    applications = messages.map { rule in
      var application = JSONApplication(
        type: rule.type, request: rule.request, answers: rule.answers, subject: rule.subject,
        replies: rule.replies, names: rule.kindNames, most: limits.kindNames)
      (application.url, application.port) = (rule.url, rule.port)
      (application.subprotocol, application.dialect) = (rule.subprotocol, rule.dialect)
      return application
    }
    (self.limits, self.secrets, self.tellsFrames) = (limits, secrets, tellsFrames)
    flows = FlowNumbers(above: limits.connections)
    forced = dialect.flatMap { name in Dialects.all.first { "\($0.name)" == name } }
  }

  /// What the conversations of one run have in common, or those that are pasted.
  func context() -> RunContext {
    let run = RunContext(limits: limits, chooser: self, flows: flows)
    _ = run.shared { JSONApplications(applications) }
    return run
  }

  /// A dialect was named that everything speaks.
  var isForced: Bool { forced != nil }

  /// What anything may speak.
  private(set) lazy var spoken = Dialects.all.filter(maySpeak)

  /// Those whose sessions may go on over several connections, whatever was named, and those of them
  /// that anything may speak.
  private let spanning = Dialects.all.filter(\.spansConnections)
  private lazy var spokenSpanning = spanning.filter(maySpeak)

  /// Whether anything may speak this dialect.
  func maySpeak(_ dialect: any Dialect) -> Bool {
    forced.map { Symbol($0.name).equals(Symbol(dialect.name)) } ?? true
  }

  public func layer(for opening: Opening) -> any Layer {
    switch opening.carrier {
    case .stream:
      // Requests for upgrades without an answer, one behind the other, would each open one more.
      if opening.guesses > 4 { return DiscardLayer() }
      // A log says that it is WebSocket.
      if opening.provenance.hasOctets {
        return DecidingLayer(PastedDetector(opening, self), limits)
      }
      if !opening.isFromStart {
        return DecidingLayer(MidstreamDetector(opening, self), limits)
      }
      // RFC 9113 §3.3: over TLS, ALPN says that it is HTTP/2.
      if opening.security?.applicationProtocol.elementsEqual("h2".utf8) == true {
        return http2(opening)
      }
      return DecidingLayer(StreamDetector(opening, self), limits)
    case .webSocket:
      return Boxed(
        WebSocketLayer(
          opening, carrying: dialect(for: opening), limits: limits, plain: plain,
          isFromStart: opening.isFromStart, tellsFrames: tellsFrames))
    case .rawSocket, .sockJS: return dialect(for: opening)
    // A reader of bodies reads all that they carry.
    case .http: return DiscardLayer()
    }
  }

  public func reader(
    of request: HTTPRequest, _ listener: any Listener
  ) -> (any HTTPExchangeReader)? {
    for dialect in spoken {
      if let reader = dialect.reader(of: request, run, listener) { return reader }
    }
    return nil
  }

  public func noteRefusal(of attempt: Opening, _ delivery: Delivery) {
    for dialect in spokenSpanning { dialect.noteRefusal(of: attempt, delivery, run) }
  }

  public func session(carriedOnBy opening: Opening) -> SpanningSession? {
    if run.sessions.isEmpty { return nil }
    for dialect in spanning {
      if let session = dialect.session(carriedOnBy: opening, run) { return session }
    }
    return nil
  }

  public func remarks(on opening: Opening, _ delivery: Delivery) -> [Finding] {
    var remarks: [Finding] = []
    for dialect in spokenSpanning {
      if let remark = dialect.remark(on: opening, delivery, run) { remarks.append(remark) }
    }
    return remarks
  }

  public func isBeginning(_ bytes: RawSpan) -> Bool {
    if HTTPStart.recognise(bytes) == true { return !bytes.starts(with: "HTTP/1.") }
    // RFC 8446 §4: a handshake begins with the hello of the client.
    if TLSStart.recognise(bytes) == true {
      return bytes.byte(at: 0) == 22 && bytes.byte(at: 5) == 1
    }
    return HTTP2Preface.recognise(bytes) == true
  }

  /// Frames from the first byte on, of a connection whose handshake was not captured: whether it
  /// compresses, a frame that has RSV1 set says.
  func frames(_ opening: Opening) -> any Layer {
    let webSocket = Self.withoutHandshake(opening)
    return WebSocketLayer(
      webSocket, carrying: dialect(for: webSocket), limits: limits, plain: plain)
  }

  static func withoutHandshake(_ opening: Opening) -> Opening {
    var webSocket = opening
    webSocket.carrier = .webSocket
    webSocket.isFromStart = false
    webSocket.deflate = Opening.Deflate()
    return webSocket
  }

  func http(_ opening: Opening) -> any Layer {
    Boxed(HTTPLayer(opening, self, limits: limits, tellsHeads: tellsFrames))
  }

  func http2(_ opening: Opening, isFromStart: Bool = true) -> any Layer {
    Boxed(
      HTTP2Layer(
        opening, self, flows: flows, limits: limits, isFromStart: isFromStart,
        tellsHeads: tellsFrames))
  }

  func tls(_ opening: Opening) -> any Layer {
    Boxed(TLSLayer(opening, self, secrets: secrets, limits: limits))
  }

  /// JSON texts behind each other, without frames.
  ///
  /// - Parameter search: has found how they are delimited.
  func jsonTexts(_ opening: Opening, _ search: JSONLengthSearch = JSONLengthSearch()) -> any Layer {
    Boxed(
      FramedLayer(
        JSONStreamFraming(limits, search), JSONStreamFraming(limits, search),
        carrying: dialect(for: opening), isFromStart: opening.isFromStart))
  }

  /// Not boxed: another layer takes its place.
  func rawSocket(_ opening: Opening) -> any Layer {
    RawSocketLayer(opening, self, limits: limits, tellsHeads: tellsFrames)
  }

  func rawSocket(midstream opening: Opening, serializer: UInt8) -> any Layer {
    RawSocketLayer(
      midstream: opening, self, serializer: serializer, limits: limits, tellsFrames: tellsFrames)
  }

  /// What the messages of a WebSocket or RawSocket connection speak.
  func dialect(for opening: Opening) -> any Layer {
    // What a dialect carries is another one, also where the user has named what carries it.
    let forced = opening.carrier == .sockJS ? nil : forced
    if let said = forced ?? Dialects.all.first(where: { $0.isNegotiated(opening) }) {
      return said.layer(opening, run)
    }
    // Its writer knew better.
    if Dialects.named(opening.provenance.dialect) == nil,
      let layer = Dialects.all.lazy.compactMap({ $0.layer(unreadable: opening) }).first
    {
      return layer
    }
    return DecidingLayer(DialectDetector(opening, run), limits)
  }
}
