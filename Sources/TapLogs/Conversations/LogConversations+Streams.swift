// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Conversations whose frames and bytes are printed.
extension LogConversations {
  /// Whether the bytes of a conversation go into a stream.
  func isStream(_ candidate: LogCandidate) -> Bool {
    table.names[LogConversationName(ofStream: candidate)] != nil
  }

  /// Whether a message of this conversation has come.
  func isKnown(_ candidate: LogCandidate) -> Bool {
    table.names[LogConversationName(candidate)] != nil
  }

  /// An origin with its conversation, if that has begun; nil if not.
  func find(_ candidate: LogCandidate) -> Origin? {
    let name = LogConversationName(candidate)
    guard let match = candidate.match,
      let index = table.names[name] ?? table.names.unnamed[name]?.last ?? onlyOneWithName(name)
    else { return nil }
    var origin = table.origin(candidate.origin, in: index)
    let known = table.all[index].writer.side
    let side = known == .unknown ? candidate.side : known
    origin.direction = match.format.direction(match.direction, side)
    return origin
  }

  /// The origin of some bytes, with their stream, their direction and their place in it; nil where
  /// the line follows no rule.
  ///
  /// - Parameter missing: bytes behind them that are not printed.
  mutating func placeStream(
    _ candidate: LogCandidate, _ octets: RawSpan, missing: Int, _ sink: any EvidenceSink
  ) -> Origin? {
    guard let match = candidate.match else { return nil }
    let name = LogConversationName(ofStream: candidate)
    let isRequest = octets.starts(with: "GET ")
    if isRequest, let before = table.names.remove(name) { table.close(before, sink) }
    let index = table.names[name] ?? openStream(name, candidate, match, isWhole: isRequest, sink)
    var origin = table.origin(candidate.origin, in: index)
    origin.direction = match.format.direction(match.direction, table.all[index].writer.side)
    let count = UInt64(octets.byteCount + missing)
    if origin.direction == .toServer {
      origin.offset = table.all[index].octets.toServer
      table.all[index].octets.toServer += count
    } else {
      origin.offset = table.all[index].octets.toClient
      table.all[index].octets.toClient += count
    }
    table.all[index].last = origin
    return origin
  }

  private mutating func openStream(
    _ name: LogConversationName, _ candidate: LogCandidate, _ match: LogMatch, isWhole: Bool,
    _ sink: any EvidenceSink
  ) -> Int {
    // Octets of a dump may be of any protocol, and a log may begin while a connection is open.
    let isDump = if case .dump? = match.rule?.form { true } else { false }
    let isFromStart = !isDump || isWhole || match.format.side == .client
    var opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: isFromStart)
    (opening.provenance.hasOctets, opening.provenance.isWrittenWhole) = (!isDump, isWhole)
    opening.provenance.writer = Array("log of \(match.format.title)".utf8)
    for name in [candidate.source, candidate.writer] where !name.isEmpty {
      opening.provenance.writer += Array(", \(name)".utf8)
    }
    let new = open(opening, candidate, match.format, sink)
    if isDump, match.format.side == .unknown {
      // In every protocol that is read, the client speaks first.
      table.all[new].writer = LogConversationWriter(match.direction.isSending ? .client : .server)
    }
    table.names.assign(name, new)
    return new
  }
}
