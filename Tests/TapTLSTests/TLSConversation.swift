// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTLS
import TapTesting
import TapTraffic

/// A connection that speaks TLS 1.3, fed to its layer record by record, and what came of it.
final class TLSConversation {
  static let random = [UInt8](repeating: 0xC1, count: 32)

  let chooser = RecordingChooser()
  let recorder = Recorder()
  let secrets: TLSSecrets
  private(set) var fed = 0
  private(set) var client: TLS13Endpoint
  private(set) var server: TLS13Endpoint
  private var layer: TLSLayer
  private var offsets: [UInt64] = [0, 0]

  /// - Parameters:
  ///   - isKnown: whether the secrets are there from the start.
  ///   - hasSource: whether there is a key log at all.
  init(
    limits: Limits = Limits(), isKnown: Bool = true, hasSource: Bool = true,
    isFromStart: Bool = true
  ) {
    let opening = Opening(
      .stream, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 443), isFromStart: isFromStart)
    secrets = TLSSecrets(limits: limits)
    if hasSource { secrets.noteSource() }
    layer = TLSLayer(opening, chooser, secrets: secrets, limits: limits)
    client = TLS13Endpoint(Self.secret(.clientTraffic))
    server = TLS13Endpoint(Self.secret(.serverTraffic))
    if isKnown { learn() }
  }

  static func secret(_ label: TLSSecrets.Label) -> [UInt8] {
    let seed = UInt8(TLSSecrets.Label.allCases.firstIndex(of: label)!)
    return [UInt8](repeating: 0x40 + seed, count: label == .clientRandom ? 48 : 32)
  }

  /// The secrets become known.
  func learn(
    _ labels: [TLSSecrets.Label] = [
      .clientHandshake, .serverHandshake, .clientTraffic, .serverTraffic,
    ]
  ) {
    for label in labels { secrets.add(Self.secret(label), label, Self.random) }
  }

  /// What the client and the server send until both are done with the handshake.
  static func handshake() -> (hello: [UInt8], server: [UInt8], client: [UInt8]) {
    var fromServer = TLS13Endpoint(secret(.serverHandshake))
    var fromClient = TLS13Endpoint(secret(.clientHandshake))
    let hello = TLS13Endpoint.clientHello(
      random, name: "wamp.example", protocols: ["h2", "http/1.1"])
    // The hello in two records, the rest as it comes: several in one, and one over two.
    let first = TLS13Endpoint.plain(22, Array(hello.prefix(50)))
    let second = TLS13Endpoint.plain(22, Array(hello.dropFirst(50)))
    let flight =
      TLS13Endpoint.encryptedExtensions("http/1.1")
      + TLS13Endpoint.message(11, [UInt8](repeating: 5, count: 900))
      + TLS13Endpoint.finished()
    let answer =
      TLS13Endpoint.plain(22, TLS13Endpoint.serverHello()) + TLS13Endpoint.plain(20, [1])
      + fromServer.seal(22, Array(flight.prefix(300)), padding: 3)
      + fromServer.seal(22, Array(flight.dropFirst(300)))
    return (
      first + second, answer,
      TLS13Endpoint.plain(20, [1]) + fromClient.seal(22, TLS13Endpoint.finished())
    )
  }

  func shakeHands() {
    let handshake = Self.handshake()
    send(.toServer, handshake.hello)
    send(.toClient, handshake.server)
    send(.toServer, handshake.client)
  }

  /// A record of application data.
  func record(_ direction: Direction, _ text: String) -> [UInt8] {
    direction == .toServer ? client.data(text) : server.data(text)
  }

  func keyUpdate(_ direction: Direction) -> [UInt8] {
    direction == .toServer ? client.keyUpdate() : server.keyUpdate()
  }

  func seal(_ direction: Direction, _ type: UInt8, _ content: [UInt8], padding: Int = 0) -> [UInt8]
  {
    direction == .toServer
      ? client.seal(type, content, padding: padding) : server.seal(type, content, padding: padding)
  }

  func send(_ direction: Direction, _ bytes: [UInt8]) {
    layer.receive(bytes.span.bytes, delivery(direction), recorder)
    offsets[Int(direction.rawValue)] += UInt64(bytes.count)
    fed += bytes.count
  }

  func say(_ direction: Direction, _ text: String) { send(direction, record(direction, text)) }

  func gap(_ direction: Direction, _ missing: Int?) {
    layer.gap(missing, delivery(direction), recorder)
    offsets[Int(direction.rawValue)] += UInt64(missing ?? 0)
  }

  func finish(_ ending: Ending = .closed) { layer.finish(ending, delivery(.unknown), recorder) }

  var isAccounted: Bool { recorder.fates.reduce(0, +) + chooser.delivered == fed }

  func text(_ direction: Direction) -> String { chooser.all.first?.text(direction) ?? "" }

  private func delivery(_ direction: Direction) -> Delivery {
    let offset = direction == .unknown ? 0 : offsets[Int(direction.rawValue)]
    return Delivery(
      Origin(record: 1, offset: offset, flow: 1, direction: direction), edges: [.start, .end])
  }
}
