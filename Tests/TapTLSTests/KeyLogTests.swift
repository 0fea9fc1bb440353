// SPDX-License-Identifier: Apache-2.0
import TapTLS
import TapTesting
import TapTraffic
import Testing

@Suite struct KeyLogTests {
  private static let random = String(repeating: "ab", count: 32)
  private static let short = String(repeating: "01", count: 32)
  private static let long = String(repeating: "02", count: 48)

  private func read(_ pieces: [[UInt8]], peeks: Bool = false, limits: Limits = Limits())
    -> TLSSecrets
  {
    let secrets = TLSSecrets(limits: limits)
    var log = KeyLog()
    for piece in pieces { log.receive(piece.span.bytes, into: secrets) }
    if peeks { log.peek(into: secrets) }
    return secrets
  }

  @Test(arguments: [
    ("CLIENT_RANDOM \(random) \(long)\n", TLSSecrets.Label.clientRandom),
    ("CLIENT_TRAFFIC_SECRET_0 \(random) \(short)\r\n", .clientTraffic),
    ("SERVER_HANDSHAKE_TRAFFIC_SECRET \(random) \(long)\n", .serverHandshake),
    ("client_random \(random) \(long)\n", nil),
    ("CLIENT_RANDOM \(random) \(short)\n", nil),
    ("CLIENT_RANDOM \(random)\n", nil),
    ("CLIENT_RANDOM \(random) \(long) more\n", nil),
    ("# CLIENT_RANDOM \(random) \(long)\n", nil),
    ("CLIENT_RANDOM \(random.dropLast()) \(long)\n", nil),
    ("CLIENT_RANDOM \(random) \(long.dropLast(2))zz\n", nil),
    ("EXPORTER_SECRET \(random) \(short)\n", nil),
    ("CLIENT_RANDOM \(random) \(long)", nil),
    (String(repeating: "x", count: 10_000) + "\n", nil),
  ])
  func line(text: String, label: TLSSecrets.Label?) {
    let secrets = read([Array(text.utf8)])
    #expect(secrets.count == (label == nil ? 0 : 1))
    if let label {
      #expect(secrets.find(label, [UInt8](repeating: 0xAB, count: 32)) != nil)
    }
  }

  @Test func everyCut() {
    let text =
      "# NSS\n\nCLIENT_RANDOM \(Self.random) \(Self.long)\njunk\n"
      + "SERVER_TRAFFIC_SECRET_0 \(Self.random) \(Self.short)\r\n"
      + "CLIENT_EARLY_TRAFFIC_SECRET \(Self.random) \(Self.short)"
    func reported(_ pieces: [[UInt8]]) -> [[[UInt8]]] {
      let secrets = read(pieces, peeks: true)
      #expect(secrets.count == 3)
      return TLSSecrets.Label.allCases.map { secrets.latest(9, $0).map(\.secret) }
    }
    #expect(difference(forEveryCutOf: Array(text.utf8), reported: reported) == nil)
  }

  /// While a log is written, 32 bytes may be the beginning of 48.
  @Test func halfALine() {
    let secrets = TLSSecrets(limits: Limits())
    var log = KeyLog()
    let random = [UInt8](repeating: 0xAB, count: 32)
    let begin = Array("SERVER_TRAFFIC_SECRET_0 \(Self.random) \(Self.long.prefix(64))".utf8)
    log.receive(begin.span.bytes, into: secrets)
    log.peek(into: secrets, isEnd: false)
    #expect(secrets.count == 0)
    let end = Array(Self.long.dropFirst(64).utf8)
    log.receive(end.span.bytes, into: secrets)
    log.peek(into: secrets, isEnd: false)
    #expect(secrets.find(.serverTraffic, random)?.count == 48)
  }

  @Test func bound() {
    var limits = Limits()
    limits.secretsKept = 2
    let lines = (0..<5).map {
      "CLIENT_RANDOM \(String(repeating: "0\($0)", count: 32)) \(Self.long)\n"
    }
    let secrets = read([Array(lines.joined().utf8)], limits: limits)
    #expect(secrets.count == 2)
    #expect(secrets.refused == 3)
  }
}
