// SPDX-License-Identifier: Apache-2.0

/// What is known of a conversation when a layer has to be chosen for it.
public struct Opening: Sendable {
  public enum Carrier: UInt8, Sendable, BitwiseCopyable {
    /// A TCP stream.
    case stream
    /// The messages of a WebSocket connection.
    case webSocket
    /// The messages of a WAMP RawSocket connection.
    case rawSocket
    /// Bodies of HTTP, of any number of TCP connections.
    case http
    /// The messages of a SockJS session.
    case sockJS
  }

  public var carrier: Carrier
  public var client: Endpoint
  public var server: Endpoint
  /// Whether the beginning of the conversation was captured. If not, client and server are a guess
  /// that content may correct.
  public var isFromStart: Bool
  /// The network of a tunnel that it is in, as a number of this run; 0 outside of all: the same
  /// addresses are other hosts there.
  public var network: UInt32 = 0
  /// How often it was guessed anew what the stream speaks; guessing has to come to an end.
  public var guesses = 0
  /// `ws://host/path` with all credentials, as far as known; empty when not.
  public var url: [UInt8] = []
  /// The subprotocol the server chose; of RawSocket, the one that stands for its serializer.
  public var subprotocol: [UInt8] = []
  /// The subprotocols the client offered, in order.
  public var offered: [[UInt8]] = []
  /// The Sec-WebSocket-Key of the client's handshake; empty where there was none.
  public var nonce: [UInt8] = []
  /// The client asks once more, as it was not answered.
  public var isUnanswered = false
  /// It is a stream of HTTP/2, and no TCP connection of its own.
  public var isMultiplexed = false
  /// The extensions in force, by name.
  public var extensions: [[UInt8]] {
    get { box?.facts.extensions ?? [] }
    set { setRare { $0.extensions = newValue } }
  }
  public var deflate: Deflate? {
    get { box?.facts.deflate }
    set { setRare { $0.deflate = newValue } }
  }
  /// Of RawSocket: the largest messages that either side has announced to take.
  public var mostOctets: MostOctets? {
    get { box?.facts.mostOctets }
    set { setRare { $0.mostOctets = newValue } }
  }
  /// Who wrote it down, where no bytes of the wire were captured.
  public var provenance: Provenance {
    get { box?.facts.provenance ?? Provenance() }
    set { setRare { $0.provenance = newValue } }
  }
  /// The heads of the request and the response as an export has them, in HTTP/1.1 and with all
  /// credentials: the engine reads them and passes none on.
  public var request: [UInt8] {
    get { box?.facts.request ?? [] }
    set { setRare { $0.request = newValue } }
  }
  public var response: [UInt8] {
    get { box?.facts.response ?? [] }
    set { setRare { $0.response = newValue } }
  }
  /// How it is encrypted; nil when it is not, or that is not known.
  public var security: Security? {
    get { box?.facts.security }
    set { setRare { $0.security = newValue } }
  }
  /// The heads of the request and the response that opened it, line by line with all credentials;
  /// empty where nobody asked for them.
  public var heads: [[UInt8]] {
    get { box?.facts.heads ?? [] }
    set { setRare { $0.heads = newValue } }
  }

  /// What few conversations have, apart from the rest: an opening is copied many times.
  private struct Rare: Sendable {
    var extensions: [[UInt8]] = []
    var deflate: Deflate?
    var mostOctets: MostOctets?
    var provenance = Provenance()
    var request: [UInt8] = []
    var response: [UInt8] = []
    var security: Security?
    var heads: [[UInt8]] = []
  }

  /// Is shared by copies, and not changed.
  private final class RareBox: Sendable {
    let facts: Rare

    init(_ facts: Rare) { self.facts = facts }
  }

  private var box: RareBox?

  private mutating func setRare(_ change: (inout Rare) -> Void) {
    var facts = box?.facts ?? Rare()
    change(&facts)
    box = RareBox(facts)
  }

  /// Who wrote a conversation down, and how much of it, where it was not captured but logged or
  /// exported.
  public struct Provenance: Sendable {
    /// Who it was, in words for people; empty where bytes of the wire were captured.
    public var writer: [UInt8] = []
    /// The dialect that it speaks as they say, by name, for messages that do not show it; empty
    /// where they say nothing.
    public var dialect: StaticString = ""
    /// Who wrote it down has the bytes that were sent, and no text that was made of them.
    public var hasOctets = false
    /// Nothing that was said is missing from the evidence, although it may not know who spoke: an
    /// export of all messages.
    public var isWrittenWhole = false
    /// One end, or a proxy, wrote down its own connections: what other clients do is not in it.
    public var isOfOneEnd = false
    /// Messages of other connections that may stand in it, which nothing tells apart.
    public var mixing = Mixing.none
    /// It was found in the lines of a log.
    public var isLogged = false
    /// Text messages are JSON, whatever serializer was sent: evidence that was decoded before.
    public var isTranscoded = false

    public init() {}
  }

  public enum Mixing: UInt8, Sendable, BitwiseCopyable {
    case none
    /// Some: an id that is open twice says nothing.
    case some
    /// All: no id says anything.
    case all
  }

  /// The parameters of permessage-deflate (RFC 7692 §7.1).
  public struct Deflate: Sendable, Hashable {
    public var serverKeepsContext = true
    public var clientKeepsContext = true
    /// 8 to 15.
    public var serverWindowBits: Int32 = 15
    public var clientWindowBits: Int32 = 15

    public init() {}
  }

  /// What the handshake of TLS has settled.
  public struct Security: Sendable, Hashable {
    /// `TLS 1.3`.
    public var version: String
    /// `TLS_AES_128_GCM_SHA256`.
    public var cipherSuite: String
    /// The name of the server that the client asked for; empty when it did not.
    public var serverName: [UInt8]
    /// What ALPN has chosen (RFC 7301): `h2`; empty when it has not.
    public var applicationProtocol: [UInt8]

    public init(
      version: String, cipherSuite: String, serverName: [UInt8], applicationProtocol: [UInt8]
    ) {
      (self.version, self.cipherSuite) = (version, cipherSuite)
      (self.serverName, self.applicationProtocol) = (serverName, applicationProtocol)
    }
  }

  /// Bytes of one message, by the direction it is sent in; nil where that is not known.
  public struct MostOctets: Sendable, Hashable {
    public var toServer: Int?
    public var toClient: Int?

    public init(toServer: Int?, toClient: Int?) {
      (self.toServer, self.toClient) = (toServer, toClient)
    }
  }

  public init(_ carrier: Carrier, client: Endpoint, server: Endpoint, isFromStart: Bool) {
    self.carrier = carrier
    self.client = client
    self.server = server
    self.isFromStart = isFromStart
  }

  /// It goes over a network, as far as is known, and nothing encrypts it: anybody on the way can
  /// read it.
  public var isInClear: Bool {
    let isSecure = ["wss:", "https:"].contains { url.starts(with: $0.utf8) }
    return security == nil && !isSecure && client.isKnown
      && !(client.isLoopback && server.isLoopback)
  }

  /// The same with client and server exchanged.
  public var reversed: Opening {
    var turned = self
    (turned.client, turned.server) = (server, client)
    return turned
  }
}

/// How a conversation ended.
public struct Closing: Sendable {
  /// Who began to close; `unknown` when that cannot be told.
  public var by: Direction
  /// Status code of the CLOSE frame that came first.
  public var code: UInt16?
  public var reason: [UInt8]
  /// There was a CLOSE frame, also one without a code.
  public var hasFrame = false
  /// The protocol ends with a CLOSE frame: RawSocket has none.
  public var endsWithFrame = true
  /// Some of what was sent before the end was not captured, a CLOSE frame perhaps.
  public var isEndMissed = false
  /// What of the transport ended it, in the words of its specification: `FIN`, `RST`; empty when
  /// that is not known.
  public var transportEnd: StaticString = ""
  /// What has carried it, one behind the other, where that was more than one thing: `polling`,
  /// `websocket`.
  public var transports: [StaticString] = []
  /// The evidence ended while the conversation was open.
  public var isUnfinished: Bool
  /// Ended by a reset, of TCP or of a stream of HTTP/2.
  public var isReset: Bool

  /// The end of a stream, of a protocol that has no closing of its own.
  public init(stream ending: Ending, by first: Direction) {
    self.init(by: first, isUnfinished: ending == .endOfEvidence, isReset: ending == .reset)
    endsWithFrame = false
    transportEnd = ending == .reset ? "RST" : first == .unknown ? "" : "FIN"
  }

  public init(
    by: Direction = .unknown, code: UInt16? = nil, reason: [UInt8] = [],
    isUnfinished: Bool = false, isReset: Bool = false
  ) {
    self.by = by
    self.code = code
    self.reason = reason
    self.isUnfinished = isUnfinished
    self.isReset = isReset
  }
}
