// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Conversations whose frames and bytes are printed.
extension LogConversations {
  /// Whether the bytes of a conversation go into a stream.
  func isStream(_ candidate: LogCandidate) -> Bool { names[name(candidate, isStream: true)] != nil }

  /// Whether a message of this conversation has come.
  func isKnown(_ candidate: LogCandidate) -> Bool { names[name(candidate)] != nil }

  /// Writes a conversation that has begun into an origin; answers whether there is one.
  func find(_ candidate: inout LogCandidate) -> Bool {
    guard let match = candidate.match,
      let index = names[name(candidate)] ?? unnamed[name(candidate)]?.last
    else { return false }
    candidate.origin.flow = conversations[index].flow
    let side = conversations[index].side == .unknown ? candidate.side : conversations[index].side
    candidate.origin.direction = match.form.direction(match.way, side)
    return true
  }

  /// The connection of a message is closed: what comes next is of another.
  mutating func end(_ candidate: LogCandidate) {
    guard let index = names[name(candidate)] else { return }
    (conversations[index].isOpen, conversations[index].isEnded) = (false, true)
  }

  /// The stream of some bytes, their direction and place in it, written into their origin; answers
  /// false where the line follows no rule.
  mutating func placeStream(
    _ candidate: inout LogCandidate, _ octets: RawSpan, _ sink: any EvidenceSink
  ) -> Bool {
    guard let match = candidate.match else { return false }
    let name = name(candidate, isStream: true)
    let isRequest = octets.starts(with: "GET ")
    if isRequest, let before = names.removeValue(forKey: name) {
      latest[name.format] = nil
      close(before, sink)
    }
    if names[name] == nil {
      var opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      (opening.provenance.hasOctets, opening.provenance.isWrittenWhole) = (true, isRequest)
      opening.provenance.writer = Array("log of \(match.form.title)".utf8)
      for name in [candidate.source, candidate.writer] where !name.isEmpty {
        opening.provenance.writer += Array(", \(name)".utf8)
      }
      names[name] = open(opening, candidate, match.form, sink)
    }
    let index = names[name]!
    candidate.origin.flow = conversations[index].flow
    let direction = match.form.direction(match.way, conversations[index].side)
    candidate.origin.direction = direction
    let count = UInt64(octets.byteCount)
    if direction == .toServer {
      candidate.origin.offset = conversations[index].octets.0
      conversations[index].octets.0 += count
    } else {
      candidate.origin.offset = conversations[index].octets.1
      conversations[index].octets.1 += count
    }
    conversations[index].last = candidate.origin
    return true
  }

  /// A line of a handshake names subprotocols.
  mutating func note(subprotocol names: [UInt8], _ candidate: LogCandidate) {
    guard let match = candidate.match, !names.isEmpty else { return }
    let name = name(candidate)
    if subprotocols.count >= limits.connections { subprotocols.removeAll() }
    subprotocols[name, default: LogSubprotocol(match.way, candidate.side)].note(names, match.way)
  }

  /// What the last handshake of a conversation has chosen; nil when that is not known.
  func subprotocol(_ candidate: LogCandidate) -> [UInt8]? {
    subprotocols.isEmpty ? nil : subprotocols[name(candidate)]?.chosen
  }

  private func name(_ candidate: LogCandidate, isStream: Bool = false) -> LogConversation.Name {
    LogConversation.Name(
      format: LogFormats.family((candidate.match ?? LogFormats.unmarked).format),
      writer: candidate.writer,
      source: candidate.source, session: isStream ? 0 : candidate.session, isStream: isStream)
  }
}
