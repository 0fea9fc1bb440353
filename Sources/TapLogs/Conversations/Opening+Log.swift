// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

extension Opening {
  /// The conversation that a logged message opens.
  init(messagesOf candidate: LogCandidate, _ match: LogMatch) {
    let format = match.format
    self.init(
      .webSocket, client: .unknown, server: .unknown,
      isFromStart: candidate.recognition.opensSession)
    provenance.isWrittenWhole =
      !format.traits.contains(.partial) && candidate.recognition.opensSession
    provenance.hasOctets = candidate.kind == .binary || candidate.kind == .withheld
    provenance.dialect = match.rule?.dialect ?? candidate.recognition.malformedDialect
    let writer = match.rule?.namesSecrets == true ? "" : candidate.writer
    provenance.writer = Self.writer(
      match.rule == nil ? "log" : "log of \(format.title)", candidate.source, writer)
    if let client = Endpoint(candidate.writer),
      let server = Endpoint(
        String(decoding: candidate.peer.prefix { $0 != .slash }, as: Unicode.UTF8.self))
    {
      (self.client, self.server) = (client, server)
      url = Array("ws://".utf8) + candidate.peer
      provenance.writer = Self.writer("log of \(format.title)")
    }
  }

  /// The stream that logged bytes are of.
  ///
  /// - Parameter isWhole: they are its first ones.
  init(streamOf candidate: LogCandidate, _ match: LogMatch, isWhole: Bool) {
    // Octets of a dump may be of any protocol, and a log may begin while a connection is open.
    let isDump = match.rule?.isDump == true
    let isFromStart = !isDump || isWhole || match.format.side == .client
    self.init(.stream, client: .unknown, server: .unknown, isFromStart: isFromStart)
    (provenance.hasOctets, provenance.isWrittenWhole) = (!isDump, isWhole)
    provenance.writer = Self.writer(
      "log of \(match.format.title)", candidate.source, candidate.writer)
  }

  /// What wrote the log, as far as it says.
  private static func writer(_ parts: String...) -> [UInt8] {
    Array(parts.filter { !$0.isEmpty }.joined(separator: ", ").utf8)
  }
}
