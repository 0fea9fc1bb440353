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

/// Chooses the layer that another layer carries: the one place that knows all layers.
public final class LayerFactory: Chooser {
  let limits: Limits
  /// What all conversations share.
  private(set) lazy var run = context()
  private let applications: [JSONApplication]
  /// Whether frames and HTTP heads are wanted.
  let reportsFrames: Bool
  private let secrets: TLSSecrets
  /// Buffer for unmasking WebSocket payloads. All connections share it, as they use it one at a
  /// time.
  private let plain = Cell(Scratch())
  /// Numbers for conversations that are not TCP connections of their own.
  let flows: FlowNumbers
  /// The dialect that the user named, whatever the messages look like.
  private let forced: (any Dialect)?

  /// The names of all dialects.
  public static var dialects: [String] { Dialects.all.map { "\($0.name)" } }

  /// The dialects whose messages can be described in a names file.
  public static var dialectsWithRules: [String] {
    Dialects.all.filter(\.takesMessageRules).map { "\($0.name)" }
  }

  /// - Parameters:
  ///   - dialect: one of `dialects`, which everything speaks; nil to recognise it.
  ///   - messages: rules that say how the JSON of applications is read.
  public init(
    limits: Limits, secrets: TLSSecrets, reportsFrames: Bool = false, dialect: String? = nil,
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
    (self.limits, self.secrets, self.reportsFrames) = (limits, secrets, reportsFrames)
    flows = FlowNumbers(above: limits.connections)
    forced = dialect.flatMap { name in Dialects.all.first { "\($0.name)" == name } }
  }

  /// What the conversations of one run, or of pasted messages, share.
  func context() -> RunContext {
    let run = RunContext(limits: limits, chooser: self, flows: flows)
    _ = run.shared { JSONApplications(applications) }
    return run
  }

  /// The user named the dialect of everything.
  var isForced: Bool { forced != nil }

  /// The dialects that are allowed: all, unless the user named one.
  private(set) lazy var spoken = Dialects.all.filter(maySpeak)

  /// Dialects whose sessions may span connections, and those of them that are allowed.
  private let spanning = Dialects.all.filter(\.spansConnections)
  private lazy var spokenSpanning = spanning.filter(maySpeak)

  /// Whether a dialect is allowed.
  func maySpeak(_ dialect: any Dialect) -> Bool {
    forced.map { Symbol($0.name).equals(Symbol(dialect.name)) } ?? true
  }

  public func layer(for opening: Opening) -> any Layer {
    switch opening.carrier {
    case .stream:
      // Unanswered upgrade requests in a row would each add a nested layer.
      if opening.guesses > 4 { return DiscardLayer() }
      // The log says that it is WebSocket.
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
          isFromStart: opening.isFromStart, reportsFrames: reportsFrames))
    case .rawSocket, .sockJS: return dialect(for: opening)
    // The reader of bodies has read everything in them already.
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
    return TLSStart.isClientHello(bytes) || HTTP2Preface.recognise(bytes) == true
  }

  public func isSoleBeginning(_ bytes: RawSpan) -> Bool {
    isBeginning(bytes)
      && (HTTPStart.recognise(bytes) != true || HTTPStart.asksForWebSocket(bytes))
  }

  /// WebSocket frames from the first byte on, without a handshake. Whether the connection is
  /// compressed shows when a frame has RSV1 set.
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
    Boxed(HTTPLayer(opening, self, limits: limits, reportsHeads: reportsFrames))
  }

  func http2(_ opening: Opening, isFromStart: Bool = true) -> any Layer {
    Boxed(
      HTTP2Layer(
        opening, self, flows: flows, limits: limits, isFromStart: isFromStart,
        reportsHeads: reportsFrames))
  }

  public func http2(
    _ opening: Opening, answering reader: (any HTTPExchangeReader)?
  ) -> (any Layer)? {
    var layer = HTTP2Layer(
      opening, self, flows: flows, limits: limits, reportsHeads: reportsFrames)
    layer.inherit(reader)
    return Boxed(layer)
  }

  func tls(_ opening: Opening) -> any Layer {
    Boxed(TLSLayer(opening, self, secrets: secrets, limits: limits))
  }

  /// A sequence of JSON texts, without frames.
  ///
  /// - Parameter search: may have found how they are delimited.
  func jsonTexts(_ opening: Opening, _ search: JSONLengthSearch = JSONLengthSearch()) -> any Layer {
    Boxed(
      FramedLayer(
        JSONStreamFraming(limits, search), JSONStreamFraming(limits, search),
        carrying: dialect(for: opening), isFromStart: opening.isFromStart))
  }

  /// Not boxed, as another layer soon takes its place.
  func rawSocket(_ opening: Opening) -> any Layer {
    RawSocketLayer(opening, self, limits: limits, reportsHeads: reportsFrames)
  }

  func rawSocket(midstream opening: Opening, serializer: UInt8) -> any Layer {
    RawSocketLayer(
      midstream: opening, self, serializer: serializer, limits: limits, reportsFrames: reportsFrames
    )
  }

  /// The layer for the messages of a connection.
  func dialect(for opening: Opening) -> any Layer {
    // The dialect that the user named may be the carrier (SockJS); what it carries is another one.
    let forced = opening.carrier == .sockJS ? nil : forced
    if let said = forced ?? Dialects.all.first(where: { $0.isNegotiated(opening) }) {
      return said.layer(opening, run)
    }
    // If the evidence names the dialect, trust that instead.
    if Dialects.named(opening.provenance.dialect) == nil,
      let layer = Dialects.all.lazy.compactMap({ $0.layer(unreadable: opening) }).first
    {
      return layer
    }
    return DecidingLayer(DialectDetector(opening, run), limits)
  }
}
