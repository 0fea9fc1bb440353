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
    /// HTTP bodies, over any number of TCP connections.
    case http
    /// The messages of a SockJS session.
    case sockJS
  }

  public var carrier: Carrier
  public var client: Endpoint
  public var server: Endpoint
  /// Whether the beginning of the conversation was captured. If not, which side is the client is a
  /// guess that content may correct.
  public var isFromStart: Bool
  /// Number of the tunnelled network that it is in, within this run; 0 outside of tunnels. The same
  /// addresses are other hosts in another network.
  public var network: UInt32 = 0
  /// How often the guess at the stream's protocol was made anew; bounded, so that guessing ends.
  public var guesses = 0
  /// `ws://host/path` with all credentials, as far as known; empty when not.
  public var url: [UInt8] = []
  /// The subprotocol that the server chose; for RawSocket, the one that names the same serializer.
  public var subprotocol: [UInt8] = []
  /// The subprotocols the client offered, in order.
  public var offered: [[UInt8]] = []
  /// The Sec-WebSocket-Key of the client's handshake; empty where there was none.
  public var webSocketKey: [UInt8] = []
  /// Not the first attempt: the client repeats it, as nobody answered.
  public var isUnanswered = false
  /// It is a stream of HTTP/2, not a TCP connection of its own.
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
  /// For RawSocket: the largest message that each side has announced to accept.
  public var mostOctets: MostOctets? {
    get { box?.facts.mostOctets }
    set { setRare { $0.mostOctets = newValue } }
  }
  /// Who recorded it, where it was not captured on the wire.
  public var provenance: Provenance {
    get { box?.facts.provenance ?? Provenance() }
    set { setRare { $0.provenance = newValue } }
  }
  /// The heads of the request and the response as an export has them, as HTTP/1.1 and with all
  /// credentials: the engine reads them and does not pass them on.
  public var request: [UInt8] {
    get { box?.facts.request ?? [] }
    set { setRare { $0.request = newValue } }
  }
  public var response: [UInt8] {
    get { box?.facts.response ?? [] }
    set { setRare { $0.response = newValue } }
  }
  /// How it is encrypted; nil when it is not, or when that is not known.
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

  /// What few conversations have, stored separately: an opening is copied many times.
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

  /// Immutable, and shared by copies.
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

  /// Who recorded a conversation that was logged or exported rather than captured, and how
  /// completely.
  public struct Provenance: Sendable {
    /// The program or format, in words for people; empty where the conversation was captured on the
    /// wire.
    public var writer: [UInt8] = []
    /// The dialect that the evidence says it speaks, for messages that do not show it; empty where
    /// the evidence does not say.
    public var dialect: StaticString = ""
    /// The evidence has the bytes that were sent, not a text made from them.
    public var hasOctets = false
    /// No message is missing from the evidence, although it may not know who sent it: an export of
    /// all messages.
    public var isWrittenWhole = false
    /// One end, or a proxy, recorded its own connections: what other clients do is not in it.
    public var isOfOneEnd = false
    /// Whether messages of other connections may be mixed in, with nothing to tell them apart.
    public var mixing = Mixing.none
    /// It was found in the lines of a log.
    public var isLogged = false
    /// It was found in a paste, all of which is in sight.
    public var isPasted = false
    /// Text messages are JSON, whatever the serializer was: the evidence was decoded before.
    public var isTranscoded = false

    public init() {}
  }

  public enum Mixing: UInt8, Sendable, BitwiseCopyable {
    case none
    /// Some may be mixed in: an id that is opened twice proves nothing.
    case some
    /// All may be mixed: no id proves anything.
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

  /// What the TLS handshake negotiated.
  public struct Security: Sendable, Hashable {
    /// `TLS 1.3`.
    public var version: String
    /// `TLS_AES_128_GCM_SHA256`.
    public var cipherSuite: String
    /// The server name that the client sent (SNI); empty when it sent none.
    public var serverName: [UInt8]
    /// The protocol that ALPN selected (RFC 7301): `h2`; empty when none.
    public var applicationProtocol: [UInt8]

    public init(
      version: String, cipherSuite: String, serverName: [UInt8], applicationProtocol: [UInt8]
    ) {
      (self.version, self.cipherSuite) = (version, cipherSuite)
      (self.serverName, self.applicationProtocol) = (serverName, applicationProtocol)
    }
  }

  /// Largest size of a message in bytes, by the direction it is sent in; nil where that is not
  /// known.
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

  /// Nothing encrypts it, and it may cross a network, so that anybody on the path can read it.
  public var isInClear: Bool {
    let isSecure = ["wss:", "https:"].contains { url.starts(with: $0.utf8) }
    return security == nil && !isSecure && client.isKnown
      && !(client.isLoopback && server.isLoopback)
  }

  /// The same with client and server swapped.
  public var reversed: Opening {
    var turned = self
    (turned.client, turned.server) = (server, client)
    return turned
  }
}

/// How a conversation ended.
public struct Closing: Sendable {
  /// Which side began to close; `unknown` when that is not known.
  public var by: Direction
  /// Status code of the first CLOSE frame.
  public var code: UInt16?
  public var reason: [UInt8]
  /// There was a CLOSE frame, with a code or without.
  public var hasFrame = false
  /// The protocol ends with a CLOSE frame; false for RawSocket, which has none.
  public var endsWithFrame = true
  /// Bytes before the end were not captured; a CLOSE frame may have been among them.
  public var isEndMissed = false
  /// How the transport ended it, in the words of its specification: `FIN`, `RST`; empty when that
  /// is not known.
  public var transportEnd: StaticString = ""
  /// The transports that carried it, in order, where there were several: `polling`, `websocket`.
  public var transports: [StaticString] = []
  /// The evidence ended while the conversation was open.
  public var isUnfinished: Bool
  /// Ended by a reset, of TCP or of a stream of HTTP/2.
  public var isReset: Bool

  /// The end of a stream, for a protocol without a closing handshake.
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
